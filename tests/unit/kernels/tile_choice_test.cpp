// Tiles: they cover the matrix, fit into VMEM, and are those that were asked for.
#include "firmware/kernels/tile_choice.h"

#include <gtest/gtest.h>

#include <vector>

#include "firmware/device/errors.h"
#include "firmware/kernels/matmul.h"
#include "models/kernel/random.h"

namespace podsim::firmware {
namespace {

CoreFigures figures() {
  CoreFigures core;
  core.mxus = 4;
  core.mxu_rows_per_second.fill(1.5e9);
  core.mxu_peak.fill(197e12);
  core.vpu_peak.fill(6e12);
  core.hbm = Bandwidth{819'000'000'000};
  core.vmem = Bandwidth{18'000'000'000'000};
  core.vmem_capacity = 128 * kMiB;
  return core;
}

KernelCall matmul(std::uint64_t m, std::uint64_t k, std::uint64_t n) {
  KernelCall call;
  call.m = m;
  call.k = k;
  call.n = n;
  return call;
}

TEST(TiledMatrix, EveryElementHasAPlaceOfItsOwnInItsTile) {
  const TiledMatrix matrix{{0, 7 * 11, DType::kS8}, 7, 11, 3, 4};
  std::vector<int> seen(7 * 11);
  for (std::uint64_t row = 0; row < 7; ++row) {
    for (std::uint64_t column = 0; column < 11; ++column) {
      const std::uint64_t place = matrix.place(row, column);
      ASSERT_LT(place, seen.size());
      EXPECT_EQ(seen[place]++, 0);
      const Buffer tile = matrix.tile(row / 3, column / 4);
      EXPECT_GE(place, tile.address);
      EXPECT_LT(place, tile.address + tile.bytes());
      // Row-major within the tile.
      EXPECT_EQ(place - tile.address, row % 3 * matrix.columns_in(column / 4) + column % 4);
    }
  }
}

TEST(TileChoice, ChosenTilesFitIntoVmem) {
  kernel::Random random(7);
  for (int i = 0; i < 50; ++i) {
    KernelCall call = matmul(1 + random.below(9000), 1 + random.below(9000), 1 + random.below(9000));
    const Bytes vmem = (1 + random.below(64)) * kMiB;
    call = with_tiles(call, figures(), vmem);
    EXPECT_LE(matmul_vmem(call, call.tiles), vmem);
    EXPECT_TRUE(call.tiles.m >= 1 && call.tiles.m <= call.m);
    EXPECT_TRUE(call.tiles.k >= 1 && call.tiles.k <= call.k);
    EXPECT_TRUE(call.tiles.n >= 1 && call.tiles.n <= call.n);
    EXPECT_NE(call.choice, "");
  }
}

// A product that HBM bounds whatever the tiles must read no operand more often than it has to.
TEST(TileChoice, SmallBatchesReadTheWeightsOnce) {
  const KernelCall call = with_tiles(matmul(16, 8192, 8192), figures(), 64 * kMiB);
  EXPECT_EQ(call.tiles.m, 16u);
}

TEST(TileChoice, AskedTilesAreKept) {
  KernelCall call = matmul(1000, 1000, 1000);
  call.tiles = {100, 0, 5000};
  call = with_tiles(call, figures(), 64 * kMiB);
  EXPECT_EQ(call.tiles.m, 100u);
  EXPECT_EQ(call.tiles.n, 1000u) << "cut to the size of the problem";
}

TEST(TileChoice, TilesThatDontFitAreRefused) {
  KernelCall call = matmul(4096, 4096, 4096);
  call.tiles = {4096, 4096, 4096};
  EXPECT_THROW(with_tiles(call, figures(), 16 * kMiB), OutOfResources);
}

}  // namespace
}  // namespace podsim::firmware
