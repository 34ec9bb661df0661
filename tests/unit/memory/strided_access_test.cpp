// Bursts of rows at the memories: the bytes that move, bounds, and what a row costs.
#include <gtest/gtest.h>

#include <numeric>
#include <set>

#include "models/memory/hbm.h"
#include "models/memory/host_memory.h"
#include "tests/support/simulation.h"
#include "tests/unit/memory/burst_initiator.h"

namespace podsim::memory {
namespace {

constexpr Address kBase = make_address(ChipId{5}, Region::kHost, 0);

class StridedAccess : public testing::Simulation {
 protected:
  StridedAccess() {
    initiator.socket.bind(memory.socket);
    run();  // elaborate
  }
  // Time that the access occupies the memory, of a byte per picosecond.
  Picoseconds busy(Bytes offset, Bytes bytes, const kernel::Rows& rows) {
    const Picoseconds before = memory.statistics().busy;
    EXPECT_EQ(initiator.read_rows(kBase + offset, bytes, rows).status, tlm::TLM_OK_RESPONSE);
    return memory.statistics().busy - before;
  }

  testing::BurstInitiator initiator{"initiator"};
  HostMemory memory{"memory",
                    {.capacity = {kMiB}, .bandwidth = {1'000'000'000'000}, .read_latency = {0}, .write_latency = {0}}};
};

TEST_F(StridedAccess, MovesRows) {
  std::vector<unsigned char> data(30);
  std::iota(data.begin(), data.end(), 1);
  std::vector<unsigned char> gap(100, 0xee);
  initiator.write(kBase, std::span<const unsigned char>(gap), 0, 0);
  initiator.write_rows(kBase + 3, data, {10, 25, 0});
  std::vector<unsigned char> expected = gap;
  for (int row = 0; row < 3; ++row) {
    for (int i = 0; i < 10; ++i) expected[static_cast<std::size_t>(3 + 25 * row + i)] = data[row * 10 + i];
  }
  std::vector<unsigned char> all(100);
  initiator.read(kBase, all);
  EXPECT_EQ(all, expected);
}

TEST_F(StridedAccess, EveryRowMustLieWithinTheMemory) {
  const Bytes last = kMiB - 10;
  EXPECT_EQ(initiator.read_rows(kBase + last - 2000, 30, {10, 1000, 0}).status, tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(initiator.read_rows(kBase + last - 1999, 30, {10, 1000, 0}).status, tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(initiator.read_rows(kBase, 30, {10, Bytes{1} << 62, 0}).status, tlm::TLM_ADDRESS_ERROR_RESPONSE);
}

TEST_F(StridedAccess, HostMemoryMovesWholeCacheLinesOfEachRow) {
  for (const auto& [offset, row, pitch] :
       {std::tuple<Bytes, Bytes, Bytes>{0, 64, 640}, {0, 4, 64}, {60, 8, 1000}, {1, 100, 333}, {128, 256, 300}}) {
    constexpr Bytes kRows = 20;
    Bytes lines = 0;
    for (Bytes r = 0; r < kRows; ++r) {
      std::set<Bytes> of_row;
      for (Bytes i = 0; i < row; ++i) of_row.insert((offset + r * pitch + i) / 64);
      lines += of_row.size();
    }
    EXPECT_EQ(busy(offset, kRows * row, {row, pitch, 0}), static_cast<Picoseconds>(lines * 64)) << row << " " << pitch;
  }
  EXPECT_EQ(busy(0, 1000, {}), 1000) << "in one piece: as before";
}

class StridedHbm : public testing::Simulation {
 protected:
  StridedHbm() {
    initiator.socket.bind(hbm.socket);
    run();
  }
  testing::BurstInitiator initiator{"initiator"};
  HbmConfig config;
  Hbm hbm{"hbm", config};
};

TEST_F(StridedHbm, RowsOfWholeAccessesCostAtLeastTheirBytesAndSmallOnesAWholeAccess) {
  const auto busy = [&](Bytes offset, Bytes bytes, const kernel::Rows& rows) {
    const Picoseconds before = hbm.statistics().busy;
    initiator.read_rows(make_address(ChipId{0}, Region::kHbm, offset), bytes, rows);
    return hbm.statistics().busy - before;
  };
  const SerialisationTime stream(hbm.stream_bandwidth());
  constexpr Bytes kRows = 4096;
  const Bytes access = config.access.bytes;
  // Four bytes of an access cost all of it: less would beat the DRAM's data bus.
  EXPECT_GE(busy(0, kRows * 4, {4, 4096, 0}), stream(kRows * access));
  // Rows as long as the matrix is wide, but for a gap, stream like any bulk data.
  const Picoseconds wide = busy(kGiB, 256 * 8192, {8192, 8192 + 1024, 0});
  EXPECT_GE(wide, stream(256 * 8192));
  EXPECT_LE(wide, stream(256 * 8192) * 5 / 4);
}

}  // namespace
}  // namespace podsim::memory
