// The data of every algorithm is right: algorithm x collective x shape x size, sizes chosen to be awkward (none, one
// element, fewer than chips, not divisible). One process an algorithm, collective and shape.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "firmware/collectives/algorithm.h"
#include "firmware/collectives/collective.h"
#include "platform/check/step_data.h"
#include "platform/run/launcher.h"
#include "platform/run/runner.h"
#include "tests/support/pods.h"

namespace podsim {
namespace {

using firmware::Algorithm;
using firmware::CollectiveCall;
using firmware::CollectiveKind;
using firmware::Directions;
using firmware::DType;
using firmware::name;
using firmware::Reduction;
using testing::Shape;

struct Case {
  Algorithm algorithm;
  CollectiveKind kind;
  Shape shape;
  std::vector<ici::Axis> axes;  // empty: all
};

std::string case_name(const ::testing::TestParamInfo<Case>& each) {
  std::string axes;
  for (const ici::Axis axis : each.param.axes) axes += "xyzw"[ici::index(axis)];
  return fmt::format("{}_{}_{}{}", name(each.param.algorithm), run::name(each.param.kind), each.param.shape.name(),
                     axes.empty() ? "" : "_over_" + axes);
}

std::vector<Case> cases() {
  const std::vector<std::pair<Shape, std::vector<ici::Axis>>> groups = {
      {{{1}, false}, {}},
      {{{2}, false}, {}},
      {{{3}, true}, {}},
      {{{5}, true}, {}},
      {{{6}, true}, {}},
      {{{8}, true}, {}},
      {{{5}, false}, {}},
      {{{16}, true}, {}},
      {{{2, 2}, true}, {}},
      {{{4, 4}, true}, {}},
      {{{3, 5}, true}, {}},
      {{{4, 3}, false}, {}},
      {{{4, 4, 4}, true}, {}},
      {{{4, 3, 2}, true}, {}},
      {{{4, 3, 2}, true}, {ici::Axis{2}, ici::Axis{0}}},
      {{{1, 4}, true}, {ici::Axis{0}}},
  };
  std::vector<Case> all;
  for (const firmware::AlgorithmInfo& algorithm : firmware::algorithms()) {
    for (unsigned i = 0; i < firmware::kCollectiveKinds; ++i) {
      const auto kind = static_cast<CollectiveKind>(i);
      if (!algorithm.serves(kind)) continue;
      for (const auto& [shape, axes] : groups) all.push_back({algorithm.algorithm, kind, shape, axes});
    }
  }
  return all;
}

void PrintTo(const Case& each, std::ostream* out) { *out << each.shape.name(); }

// Small bursts and packets, so that messages take several of them and buffers fill up.
pod::PodConfig small_bursts(const Shape& shape) {
  pod::PodConfig config = testing::pod_config(shape);
  config.chip.dma.burst = {2 * kKiB};
  config.chip.ici.packet = {1 * kKiB};
  config.chip.ici.router.buffer_per_vc = {4 * kKiB};
  config.chip.tensor_core.vector_burst = {2 * kKiB};
  return config;
}

class AlgorithmData : public ::testing::TestWithParam<Case> {};

TEST_P(AlgorithmData, IsRight) {
  const Case& parameters = GetParam();
  pod::Pod pod(small_bursts(parameters.shape), /*with_data=*/true);
  run::Runner runner(pod);
  const std::uint64_t n = pod.size();
  int run = 0;
  for (const DType type : {DType::kF32, DType::kS8}) {
    for (const std::uint64_t elements :
         {std::uint64_t{0}, std::uint64_t{1}, n - 1, n + 1, 6 * n, 8 * n + 3, std::uint64_t{4096 + 13}}) {
      run::Step step;
      step.name = "test";
      CollectiveCall& call = step.collective;
      call.kind = parameters.kind;
      call.algorithm = parameters.algorithm;
      call.axes = parameters.axes;
      call.type = type;
      call.reduction = run % 2 == 0 ? Reduction::kSum : Reduction::kMax;
      call.elements = elements;
      call.root = group_size(call, pod.torus()) * 2 / 3;
      call.window = static_cast<unsigned>(run % 4);
      call.seed = static_cast<std::uint64_t>(run % 3);  // 0: one order for all
      call.chunks = static_cast<unsigned>(run++ % 3);   // 0: by size
      const run::StepResult result = runner.run(step);
      ASSERT_EQ(result.outcome, run::Outcome::kCompleted) << elements << " x " << run::name(type) << "\n"
                                                          << result.explanation;
      ASSERT_EQ(result.wrong, 0u);
    }
  }
  for (const auto& chip : pod.chips()) EXPECT_TRUE(chip->router.idle()) << "credits that did not come back";
}

INSTANTIATE_TEST_SUITE_P(All, AlgorithmData, ::testing::ValuesIn(cases()), case_name);

// Groups chip by chip: unequal, in any order, along axes, alone; and chips in none.
struct ListedCase {
  Algorithm algorithm;
  CollectiveKind kind;
};

std::vector<ListedCase> listed_cases() {
  std::vector<ListedCase> all;
  for (const firmware::AlgorithmInfo& algorithm : firmware::algorithms()) {
    for (unsigned i = 0; i < firmware::kCollectiveKinds; ++i) {
      const auto kind = static_cast<CollectiveKind>(i);
      if (algorithm.serves(kind)) all.push_back({algorithm.algorithm, kind});
    }
  }
  return all;
}

void PrintTo(const ListedCase& each, std::ostream* out) { *out << name(each.algorithm); }

class ListedGroups : public ::testing::TestWithParam<ListedCase> {};

TEST_P(ListedGroups, DataIsRight) {
  pod::Pod pod(small_bursts({{4, 5}, true}), /*with_data=*/true);
  run::Runner runner(pod);
  const std::vector<std::vector<std::vector<unsigned>>> lists = {
      {{0, 2}, {1, 3}},
      {{0, 5, 10, 15, 19}, {3, 2, 1}, {4}, {7, 18, 6}},
      {{0, 1, 2, 3}, {4, 5, 6, 7}, {12, 8, 16}},
      {{19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0}},
  };
  for (const auto& groups : lists) {
    std::vector<std::vector<ChipId>> chips;
    for (const auto& list : groups) {
      chips.emplace_back();
      for (const unsigned chip : list) chips.back().push_back(static_cast<ChipId>(chip));
    }
    for (const std::uint64_t elements : {1u, 19u, 1003u}) {
      run::Step step;
      step.name = "test";
      step.collective.kind = GetParam().kind;
      step.collective.algorithm = GetParam().algorithm;
      step.collective.groups = std::make_shared<const firmware::ReplicaGroups>(pod.torus(), chips);
      step.collective.elements = elements;
      const run::StepResult result = runner.run(step);
      ASSERT_EQ(result.outcome, run::Outcome::kCompleted) << elements << "\n" << result.explanation;
      ASSERT_EQ(result.wrong, 0u);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, ListedGroups, ::testing::ValuesIn(listed_cases()), [](const auto& each) {
  return fmt::format("{}_{}", name(each.param.algorithm), run::name(each.param.kind));
});

// Three calls in a row on the same buffers, chips leaving and coming back at different times: a fast chip's next call
// must not disturb a slow one's last.
class BackToBack : public ::testing::TestWithParam<ListedCase> {};

TEST_P(BackToBack, DataIsRight) {
  pod::Pod pod(small_bursts({{4, 3}, true}), /*with_data=*/true);
  run::Launcher launcher(pod);
  run::Step step;
  CollectiveCall& call = step.collective;
  call.kind = GetParam().kind;
  call.algorithm = GetParam().algorithm;
  call.elements = 1003;
  call.root = 5;
  check::StepData data(pod, step);
  launcher.reset_allocation();
  std::vector<std::pair<firmware::Buffer, firmware::Buffer>> buffers;
  for (const auto& chip : pod.chips()) {
    firmware::Allocator& allocate = launcher.device(chip->id()).allocate();
    const firmware::CallSizes sizes = call_sizes(call, pod.torus(), chip->id());
    const firmware::Buffer in = allocate.hbm(2000, call.type);
    const firmware::Buffer out = allocate.hbm(2000, call.type);
    buffers.emplace_back(in.slice({0, sizes.in}), out.slice({0, sizes.out}));
    data.fill(*chip, buffers.back().first, buffers.back().second);
    launcher.note_written(buffers.back().first);
  }
  const auto program = [&](firmware::Device& device) -> firmware::Task {
    for (unsigned n = 0; n < 3; ++n) {
      const auto& [in, out] = buffers[index(device.id())];
      co_await run_collective(device, call, in, out);
      // Up to 44 us, in another order each time.
      co_await device.delay(((index(device.id()) * 7 + n * 5) % 12) * 4 * kPicosecondsPerMicrosecond);
    }
  };
  const run::LaunchResult result = launcher.launch(program, kPicosecondsPerSecond);
  ASSERT_EQ(result.outcome, run::Outcome::kCompleted) << result.explanation;
  const check::DataResult checked = data.compare([&](ChipId chip) { return buffers[index(chip)].second; });
  EXPECT_EQ(checked.wrong, 0u) << checked.explanation;
}

INSTANTIATE_TEST_SUITE_P(All, BackToBack, ::testing::ValuesIn(listed_cases()), [](const auto& each) {
  return fmt::format("{}_{}", name(each.param.algorithm), run::name(each.param.kind));
});

// With little VMEM the ring is gone round several times, and with less still the slots are in HBM.
class ReduceWithLittleVmem : public ::testing::TestWithParam<std::pair<Bytes, std::uint64_t>> {};

TEST_P(ReduceWithLittleVmem, DataIsRight) {
  pod::PodConfig config = testing::pod_config({{3, 4}, true});
  config.chip.vmem.capacity = {GetParam().first};
  pod::Pod pod(config, /*with_data=*/true);
  run::Runner runner(pod);
  for (const Algorithm algorithm : {Algorithm::kRing, Algorithm::kTorus}) {
    run::Step step;
    step.collective.kind = CollectiveKind::kAllReduce;
    step.collective.algorithm = algorithm;
    step.collective.elements = GetParam().second;
    const run::StepResult result = runner.run(step);
    ASSERT_EQ(result.outcome, run::Outcome::kCompleted) << result.explanation;
    ASSERT_EQ(result.wrong, 0u);
  }
}

INSTANTIATE_TEST_SUITE_P(All, ReduceWithLittleVmem,
                         ::testing::Values(std::pair{3 * kMiB, 1'000'003u}, std::pair{64 * kKiB, 30'001u}));

// Steps cut into many chunks have fewer in each segment, and so larger slots than those of the whole.
class ReduceInManyChunks : public ::testing::TestWithParam<unsigned> {};

TEST_P(ReduceInManyChunks, FindsRoomForTheirSlots) {
  pod::PodConfig config = testing::pod_config({{4, 4}, true});
  config.chip.vmem.capacity = {3 * kMiB};
  pod::Pod pod(config, /*with_data=*/true);
  run::Runner runner(pod);
  run::Step step;
  step.collective.kind = CollectiveKind::kReduceScatter;
  step.collective.algorithm = Algorithm::kRing;
  step.collective.chunks = GetParam();
  for (const std::uint64_t elements : {2'700'001u, 3'500'003u}) {
    step.collective.elements = elements;
    const run::StepResult result = runner.run(step);
    ASSERT_EQ(result.outcome, run::Outcome::kCompleted) << result.explanation;
    EXPECT_EQ(result.wrong, 0u);
  }
}

INSTANTIATE_TEST_SUITE_P(Chunks, ReduceInManyChunks, ::testing::Values(3u, 4u, 8u));

}  // namespace
}  // namespace podsim
