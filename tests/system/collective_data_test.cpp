// The data of every collective is right: topology x direction x dtype x reduction x size, sizes chosen to be awkward
// (none, one element, fewer than chips, not divisible by the ring, larger than a buffer). One process a topology,
// collective and direction; within it, every type and size.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "platform/run/runner.h"
#include "tests/support/pods.h"

namespace podsim {
namespace {

using firmware::CollectiveCall;
using firmware::CollectiveKind;
using firmware::Directions;
using firmware::DType;
using firmware::Reduction;
using testing::Shape;

struct Case {
  Shape shape;
  CollectiveKind kind;
  Directions directions;
  std::vector<ici::Axis> axes;  // empty: all
  ici::Fidelity fidelity = ici::Fidelity::kPacket;
};

std::string case_name(const ::testing::TestParamInfo<Case>& info) {
  std::string axes;
  for (const ici::Axis axis : info.param.axes) axes += "xyzw"[ici::index(axis)];
  return fmt::format("{}{}_{}_{}_{}", info.param.shape.name(), axes.empty() ? "" : "_over_" + axes,
                     run::name(info.param.kind), info.param.directions == Directions::kOneWay ? "one_way" : "both_ways",
                     info.param.fidelity == ici::Fidelity::kPacket  ? "packet"
                     : info.param.fidelity == ici::Fidelity::kBurst ? "burst"
                                                                    : "flow");
}

std::vector<Case> cases() {
  std::vector<Shape> shapes;
  for (unsigned k = 2; k <= 16; ++k) shapes.push_back({{k}, true});
  for (unsigned k : {1u, 3u, 5u, 8u}) shapes.push_back({{k}, false});
  shapes.push_back({{2, 2}, true});
  shapes.push_back({{4, 4}, true});
  shapes.push_back({{3, 5}, true});
  shapes.push_back({{2, 4}, false});
  shapes.push_back({{4, 4, 4}, true});
  std::vector<Case> all;
  for (const Shape& shape : shapes) {
    for (const auto directions : {Directions::kOneWay, Directions::kBothWays}) {
      for (const auto kind : {CollectiveKind::kAllGather, CollectiveKind::kReduceScatter, CollectiveKind::kAllReduce,
                              CollectiveKind::kAllToAll}) {
        all.push_back({shape, kind, directions, {}});
      }
    }
    all.push_back({shape, CollectiveKind::kCollectivePermute, Directions::kBothWays, {}});
  }
  // Groups smaller than the pod, and axes in another order.
  const std::vector<std::vector<ici::Axis>> some_axes = {
      {ici::Axis{0}}, {ici::Axis{1}}, {ici::Axis{2}, ici::Axis{0}}, {ici::Axis{1}, ici::Axis{2}}};
  for (const auto& axes : some_axes) {
    for (const auto kind : {CollectiveKind::kAllGather, CollectiveKind::kReduceScatter, CollectiveKind::kAllReduce,
                            CollectiveKind::kAllToAll}) {
      all.push_back({{{4, 3, 2}, true}, kind, Directions::kBothWays, axes});
    }
  }
  const std::size_t count = all.size();
  for (const auto fidelity : {ici::Fidelity::kBurst, ici::Fidelity::kFlow}) {
    for (std::size_t i = 0; i < count; ++i) {
      all.push_back(all[i]);
      all.back().fidelity = fidelity;
    }
  }
  return all;
}

void PrintTo(const Case& each, std::ostream* out) { *out << each.shape.name(); }

class CollectiveData : public ::testing::TestWithParam<Case> {};

TEST_P(CollectiveData, IsRight) {
  const Case& parameters = GetParam();
  pod::PodConfig config = testing::pod_config(parameters.shape);
  // Small bursts and packets, so that messages take several of them and buffers fill up.
  config.chip.ici.fidelity = parameters.fidelity;
  config.chip.dma.burst = {2 * kKiB};
  config.chip.ici.packet = {1 * kKiB};
  config.chip.ici.router.buffer_per_vc = {4 * kKiB};
  config.chip.tensor_core.vector_burst = {2 * kKiB};
  pod::Pod pod(config, /*with_data=*/true);
  run::Runner runner(pod);
  const std::uint64_t n = pod.size();
  const std::vector<std::uint64_t> sizes = {0, 1, n - 1, n, n + 1, 3 * n + 2, 67, 4096 + 13};

  int run = 0;
  for (const DType type : {DType::kF32, DType::kBf16, DType::kS32, DType::kS8}) {
    for (const Reduction reduction : {Reduction::kSum, Reduction::kMax, Reduction::kMin}) {
      if (!run::reduces(parameters.kind) && reduction != Reduction::kSum) continue;
      for (const std::uint64_t elements : sizes) {
        run::Step step;
        step.name = "test";
        CollectiveCall& call = step.collective;
        call.kind = parameters.kind;
        if (parameters.kind != CollectiveKind::kCollectivePermute) call.algorithm = firmware::Algorithm::kRing;
        call.axes = parameters.axes;
        call.type = type;
        call.reduction = reduction;
        call.directions = parameters.directions;
        call.elements = elements;
        call.chunks = static_cast<unsigned>(run++ % 3);  // 0: by size
        if (parameters.kind == CollectiveKind::kCollectivePermute) {
          // A shift by two places, one chip to itself, and the last chip nobody's target.
          for (std::uint32_t i = 0; i + 1 < n; ++i) {
            call.pairs.emplace_back(static_cast<ChipId>(i), static_cast<ChipId>((i + 2) % (n - 1)));
          }
        }
        const run::StepResult result = runner.run(step);
        ASSERT_EQ(result.outcome, run::Outcome::kCompleted)
            << elements << " x " << run::name(type) << " " << run::name(reduction) << "\n"
            << result.explanation;
        ASSERT_EQ(result.wrong, 0u);
      }
    }
  }
  EXPECT_TRUE(pod.interconnect_idle()) << "credits that did not come back";
}

INSTANTIATE_TEST_SUITE_P(All, CollectiveData, ::testing::ValuesIn(cases()), case_name);

}  // namespace
}  // namespace podsim
