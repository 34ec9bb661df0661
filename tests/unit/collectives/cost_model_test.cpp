// What `auto` chooses: few steps for small messages, all links for large ones, nothing that the collective does not
// have.
#include "firmware/collectives/cost_model.h"

#include <gtest/gtest.h>

#include "firmware/collectives/algorithm.h"

namespace podsim::firmware {
namespace {

// A v5e's link and about its overheads (configs/chips/tpu-v5e.yaml).
Figures figures() { return {.link = {45'000'000'000}, .hop = 1'000'000, .step = 270'000, .issue = 100'000}; }

Algorithm chosen(const ici::TorusShape& torus, CollectiveKind kind, std::uint64_t bytes) {
  CollectiveCall call;
  call.kind = kind;
  call.type = DType::kS8;
  call.elements = bytes;
  return chosen_algorithm(call, torus, figures());
}

const ici::TorusShape& square() {
  static const ici::TorusShape shape({{"x", 8, true}, {"y", 8, true}});
  return shape;
}

TEST(ChosenAlgorithm, FewStepsForASmallAllReduce) {
  EXPECT_EQ(chosen(square(), CollectiveKind::kAllReduce, 32), Algorithm::kSwing);
}
TEST(ChosenAlgorithm, AllLinksForALargeOne) {
  EXPECT_EQ(chosen(square(), CollectiveKind::kAllReduce, 1 * kGiB), Algorithm::kTorus);
  EXPECT_EQ(chosen(square(), CollectiveKind::kAllGather, 1 * kGiB), Algorithm::kTorus);
  EXPECT_EQ(chosen(square(), CollectiveKind::kReduceScatter, 1 * kGiB), Algorithm::kTorus);
}
TEST(ChosenAlgorithm, WholeShardsForASmallAllGather) {
  EXPECT_EQ(chosen(square(), CollectiveKind::kAllGather, 4096), Algorithm::kWholeShards);
}
TEST(ChosenAlgorithm, DirectForAllToAllOverAxes) {
  EXPECT_EQ(chosen(square(), CollectiveKind::kAllToAll, 64 * kMiB), Algorithm::kDirect);
}
TEST(ChosenAlgorithm, IsTheCallsOwnIfItNamesOne) {
  CollectiveCall call;
  call.algorithm = Algorithm::kRing;
  call.elements = 1 << 28;
  EXPECT_EQ(chosen_algorithm(call, square(), figures()), Algorithm::kRing);
}
TEST(ChosenAlgorithm, ServesTheCollectiveAtAnySizeAndShape) {
  for (const std::uint32_t k : {1u, 2u, 3u, 7u, 16u}) {
    for (const bool wrap : {false, true}) {
      const ici::TorusShape torus({{"x", k, wrap}, {"y", 4, false}});
      for (unsigned i = 0; i < kCollectiveKinds; ++i) {
        const auto kind = static_cast<CollectiveKind>(i);
        if (kind == CollectiveKind::kCollectivePermute) continue;
        for (const std::uint64_t bytes : {std::uint64_t{0}, std::uint64_t{1}, 64 * kKiB, kGiB}) {
          const Algorithm algorithm = chosen(torus, kind, bytes);
          EXPECT_NE(algorithm, Algorithm::kAuto);
          EXPECT_TRUE(info(algorithm).serves(kind));
        }
      }
    }
  }
}

// 2 sum (k_i - 1)(a + S/(2 b prod_{j<=i} k_j)), on 8 x 8.
TEST(EstimatedTime, IsTheRingsFormula) {
  CollectiveCall call;
  call.type = DType::kS8;
  call.elements = 64 * kMiB;
  const double s = 64.0 * kMiB / 45e9 * 1e12;
  const double a = 1'270'000;
  EXPECT_NEAR(static_cast<double>(estimated_time(call, Algorithm::kRing, square(), figures())),
              2 * 7 * (2 * a + s / 16 + s / 128), 100);
  EXPECT_NEAR(static_cast<double>(estimated_time(call, Algorithm::kTorus, square(), figures())),
              2 * 7 * (2 * a + s / 32 + s / 256), 100);
}

}  // namespace
}  // namespace podsim::firmware
