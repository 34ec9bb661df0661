#include "models/memory/sparse_storage.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <vector>

namespace podsim::memory {
namespace {

TEST(SparseStorage, ReadsZerosWhereNothingWasWritten) {
  SparseStorage storage;
  std::vector<unsigned char> data(3 * SparseStorage::kPageBytes, 0xaa);
  storage.read(12345, data);
  EXPECT_EQ(data, std::vector<unsigned char>(data.size(), 0));
  EXPECT_EQ(storage.footprint(), 0u) << "reading must not allocate";
}

TEST(SparseStorage, AllocatesThePagesWrittenToAndNoOthers) {
  SparseStorage storage;
  const std::vector<unsigned char> two(2, 1);
  storage.write(SparseStorage::kPageBytes - 1, two);  // across a boundary
  EXPECT_EQ(storage.footprint(), 2 * SparseStorage::kPageBytes);
  storage.write(Bytes{1} << 39, two);
  EXPECT_EQ(storage.footprint(), 3 * SparseStorage::kPageBytes);
}

TEST(SparseStorage, ClearForgetsEverything) {
  SparseStorage storage;
  storage.write(100, std::vector<unsigned char>(10, 7));
  storage.clear();
  EXPECT_EQ(storage.footprint(), 0u);
  unsigned char byte = 9;
  storage.read(100, {&byte, 1});
  EXPECT_EQ(byte, 0);
}

// Random reads and writes of all sizes up to several pages, against a map of bytes.
TEST(SparseStorage, BehavesAsAMapOfBytes) {
  std::mt19937 random(1);
  SparseStorage storage;
  std::map<Bytes, unsigned char> model;
  for (int step = 0; step < 600; ++step) {
    // Around page boundaries of a few far-apart places.
    const Bytes place =
        (random() % 4) * 0x1234'5678'9000 % (Bytes{1} << 40) / SparseStorage::kPageBytes * SparseStorage::kPageBytes;
    const Bytes offset = place + SparseStorage::kPageBytes - 200 + random() % 400;
    const Bytes bytes = step % 50 == 0 ? random() % (3 * SparseStorage::kPageBytes) : random() % 300;
    std::vector<unsigned char> data(bytes);
    if (random() % 2 == 0) {
      for (unsigned char& byte : data) byte = static_cast<unsigned char>(random());
      storage.write(offset, data);
      for (Bytes i = 0; i < bytes; ++i) model[offset + i] = data[i];
    } else {
      storage.read(offset, data);
      for (Bytes i = 0; i < bytes; ++i) {
        const auto found = model.find(offset + i);
        ASSERT_EQ(data[i], found == model.end() ? 0 : found->second) << "offset " << offset + i << ", step " << step;
      }
    }
  }
}

}  // namespace
}  // namespace podsim::memory
