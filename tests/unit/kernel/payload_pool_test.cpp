#include "models/kernel/payload_pool.h"

#include <gtest/gtest.h>

#include <cstring>
#include <set>
#include <vector>

namespace podsim::kernel {
namespace {

TEST(PayloadPool, FillsInTheTransaction) {
  PayloadPool pool;
  auto& payload = pool.acquire(tlm::TLM_WRITE_COMMAND, 0x1234, 256, true);
  EXPECT_TRUE(payload.is_write());
  EXPECT_EQ(payload.get_address(), 0x1234u);
  EXPECT_EQ(payload.get_data_length(), 256u);
  EXPECT_EQ(payload.get_streaming_width(), 256u);
  EXPECT_EQ(payload.get_byte_enable_ptr(), nullptr);
  EXPECT_EQ(payload.get_response_status(), tlm::TLM_INCOMPLETE_RESPONSE);
  EXPECT_NE(payload.get_data_ptr(), nullptr);
  payload.release();
}

TEST(PayloadPool, ReusesWhatHasBeenReleased) {
  PayloadPool pool;
  auto& first = pool.acquire(tlm::TLM_READ_COMMAND, 0, 64, true);
  first.set_response_status(tlm::TLM_OK_RESPONSE);
  first.release();
  auto& second = pool.acquire(tlm::TLM_READ_COMMAND, 64, 64, true);
  EXPECT_EQ(&first, &second);
  EXPECT_EQ(second.get_response_status(), tlm::TLM_INCOMPLETE_RESPONSE);
  second.release();
  EXPECT_EQ(pool.made(), 1u);
}

TEST(PayloadPool, MakesAsManyAsAreInFlightAtOnce) {
  PayloadPool pool;
  for (int round = 0; round < 3; ++round) {
    std::set<tlm::tlm_generic_payload*> distinct;
    for (Address i = 0; i < 100; ++i) distinct.insert(&pool.acquire(tlm::TLM_READ_COMMAND, i, 8, false));
    EXPECT_EQ(distinct.size(), 100u);
    EXPECT_EQ(pool.in_flight(), 100u);
    for (auto* payload : distinct) payload->release();
    EXPECT_EQ(pool.in_flight(), 0u);
  }
  EXPECT_EQ(pool.made(), 100u);
}

TEST(PayloadPool, EveryReferenceKeepsItInFlight) {
  PayloadPool pool;
  auto& payload = pool.acquire(tlm::TLM_READ_COMMAND, 0, 8, false);
  payload.acquire();
  payload.release();
  EXPECT_EQ(pool.in_flight(), 1u);
  payload.release();
  EXPECT_EQ(pool.in_flight(), 0u);
}

TEST(PayloadPool, TheBurstExtensionStaysAndIsCleared) {
  PayloadPool pool;
  auto& payload = pool.acquire(tlm::TLM_WRITE_COMMAND, 0, 8, false);
  Burst* const burst = burst_of(payload);
  ASSERT_NE(burst, nullptr);
  burst->notify = 5;
  burst->transfer = 6;
  payload.release();
  auto& again = pool.acquire(tlm::TLM_WRITE_COMMAND, 0, 8, false);
  EXPECT_EQ(burst_of(again), burst);
  EXPECT_EQ(burst->notify, Burst::kNoSemaphore);
  EXPECT_EQ(burst->transfer, 0u);
  again.release();
}

TEST(PayloadPool, APayloadFromOutsideHasNoBurst) {
  tlm::tlm_generic_payload payload;
  EXPECT_EQ(burst_of(payload), nullptr);
}

TEST(PayloadPool, DataBuffersGrowAndAreNotShared) {
  PayloadPool pool;
  auto& small = pool.acquire(tlm::TLM_WRITE_COMMAND, 0, 16, true);
  unsigned char* const buffer = small.get_data_ptr();
  small.release();
  // Smaller or equal: the same buffer. Larger: enough of a new one.
  auto& smaller = pool.acquire(tlm::TLM_WRITE_COMMAND, 0, 8, true);
  EXPECT_EQ(smaller.get_data_ptr(), buffer);
  smaller.release();
  auto& a = pool.acquire(tlm::TLM_WRITE_COMMAND, 0, 100'000, true);
  auto& b = pool.acquire(tlm::TLM_WRITE_COMMAND, 0, 100'000, true);
  std::memset(a.get_data_ptr(), 1, 100'000);
  std::memset(b.get_data_ptr(), 2, 100'000);
  EXPECT_EQ(a.get_data_ptr()[99'999], 1);
  a.release();
  b.release();
}

TEST(PayloadPool, WithoutDataThePointerIsNull) {
  PayloadPool pool;
  auto& with = pool.acquire(tlm::TLM_WRITE_COMMAND, 0, 64, true);
  with.release();
  auto& without = pool.acquire(tlm::TLM_WRITE_COMMAND, 0, 64, false);
  EXPECT_EQ(without.get_data_ptr(), nullptr);
  EXPECT_EQ(without.get_data_length(), 64u);
  without.release();
}

}  // namespace
}  // namespace podsim::kernel
