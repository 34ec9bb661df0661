// Sizing: shapes of pods, bisection, targets, and what counts as more of a resource.
#include "platform/study/sizing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "platform/config/pod_reader.h"
#include "platform/study/resources.h"

namespace podsim::study {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

PointResult result_with(double step_ps, const std::string& outcome = "completed") {
  PointResult result;
  result.outcome = outcome;
  result.collected["results.-1.time_ps"] = step_ps;
  result.collected["results.-1.module.busy.nearest_bound"] = "MXU";
  return result;
}

TEST(Bisection, FindsTheFirstWhateverIsTriedAtOnce) {
  for (std::size_t n = 1; n <= 12; ++n) {
    for (std::size_t first = 0; first <= n; ++first) {
      for (std::size_t at_once = 1; at_once <= 3; ++at_once) {
        Bisection bisection(n);
        std::size_t rounds = 0;
        for (auto trials = bisection.next(at_once); !trials.empty(); trials = bisection.next(at_once), ++rounds) {
          ASSERT_LE(trials.size(), at_once);
          for (const std::size_t trial : trials) {
            ASSERT_LT(trial, n);
            bisection.tell(trial, trial >= first);
          }
        }
        EXPECT_EQ(bisection.first(), first < n ? std::optional(first) : std::nullopt) << n << ' ' << first;
        const double most =
            std::ceil(std::log(static_cast<double>(n + 1)) / std::log(static_cast<double>(at_once + 1)) - 1e-9);
        EXPECT_LE(rounds, static_cast<std::size_t>(most)) << n << ' ' << first << ' ' << at_once;
      }
    }
  }
}

TEST(PodShapes, DoubleOneAxisAfterTheOther) {
  const auto shapes = pod_shapes("tpu-v5e", PODSIM_SOURCE_DIR);
  std::vector<std::string> names;
  for (const PodShape& shape : shapes) names.push_back(shape.name);
  EXPECT_THAT(names, ElementsAre("tpu-v5e-2x2", "tpu-v5e-4x2", "tpu-v5e-4x4", "tpu-v5e-4x8", "tpu-v5e-8x8",
                                 "tpu-v5e-8x16", "tpu-v5e-16x16"));
  // What is no preset is cut out of the largest, and is a pod of that shape.
  const PodShape& made = shapes[3];
  std::vector<std::string> sets;
  for (const Setting& each : made.settings) sets.push_back(each.key + '=' + each.value);
  const pod::PodConfig pod = config::read_pod(config::load_pod("tpu-v5e-16x16", PODSIM_SOURCE_DIR, {sets[1]}));
  EXPECT_EQ(sets[0], "pod=tpu-v5e-16x16");
  EXPECT_EQ(made.chips, 32u);
  ASSERT_EQ(pod.topology.axes.size(), 2u);
  EXPECT_EQ(pod.topology.axes[0].size * pod.topology.axes[1].size, 32u);
}

TEST(PodShapes, OfThreeAxesAreSlicesToo) {
  std::vector<std::string> names;
  for (const PodShape& shape : pod_shapes("tpu-v4", PODSIM_SOURCE_DIR)) names.push_back(shape.name);
  EXPECT_THAT(
      names, ElementsAre("tpu-v4-2x2x1", "tpu-v4-2x2x2", "tpu-v4-2x2x4", "tpu-v4-2x4x4", "tpu-v4-4x4x4", "tpu-v4-4x4x8",
                         "tpu-v4-4x8x8", "tpu-v4-8x8x8", "tpu-v4-8x8x16", "tpu-v4-8x16x16", "tpu-v4-16x16x16"));
}

TEST(PodShapes, ChipsMayBeCalledByTheirGeneration) {
  EXPECT_EQ(find_chip("v5e", PODSIM_SOURCE_DIR, {}), "tpu-v5e");
  EXPECT_EQ(find_chip("tpu-v5p", PODSIM_SOURCE_DIR, {}), "tpu-v5p");
  EXPECT_EQ(find_chip("7x", PODSIM_SOURCE_DIR, {}), "tpu7x");
  EXPECT_THROW((void)find_chip("v9", PODSIM_SOURCE_DIR, {}), config::ConfigError);
}

TEST(Target, IsAboutFiguresOfTheRun) {
  const Expression target = parse_target("step < 2 ms and chips <= 16");
  EXPECT_TRUE(meets(target, result_with(1.9e9), 16));
  EXPECT_FALSE(meets(target, result_with(2e9), 16));
  EXPECT_FALSE(meets(target, result_with(1.9e9), 32));
  EXPECT_FALSE(meets(target, result_with(1.9e9, "deadlock"), 16));
  EXPECT_EQ(bound_of(result_with(1)), "MXU");
  EXPECT_THROW((void)meets(parse_target("mxu > 0.5"), result_with(1), 16), ExpressionError);
}

TEST(Target, BadOnesAreRefusedBeforeAnythingRuns) {
  const auto said_of = [](const std::string& text) -> std::string {
    try {
      (void)parse_target(text);
    } catch (const ExpressionError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_THAT(said_of("step < 2"), HasSubstr("a time such as '2 s' and a plain number"));
  EXPECT_THAT(said_of("stop < 2 s"), HasSubstr("there is no figure 'stop'; did you mean 'step'?"));
  EXPECT_THAT(said_of("step"), HasSubstr("expected a comparison"));
  EXPECT_THAT(said_of("step < 2 GB/s"), HasSubstr("don't go together"));
  EXPECT_THAT(said_of(""), HasSubstr("expected a name"));
  EXPECT_EQ(said_of("busbw > 40 GB/s or hbm_peak < 12 GiB"), "accepted");
}

TEST(Sizing, SearchesGenerationsSideBySide) {
  std::vector<Search> searches(2);
  searches[0].shapes = {{"a1", 1, {}}, {"a2", 2, {}}, {"a4", 4, {}}, {"a8", 8, {}}};
  searches[1].shapes = {{"b1", 1, {}}, {"b2", 2, {}}};
  search(searches, parse_target("step < 300 ps"), 2, [&](const auto& trials) {
    std::vector<PointResult> results;
    for (const auto& [s, shape] : trials) {
      const double chips = static_cast<double>(searches[s].shapes[shape].chips);
      results.push_back(s == 0 ? result_with(1000 / chips) : result_with(1000));
    }
    return results;
  });
  EXPECT_EQ(searches[0].smallest, 2u);  // 1000 / 4 = 250 ps
  EXPECT_EQ(searches[1].smallest, std::nullopt);
  EXPECT_FALSE(searches[0].uneven);
  EXPECT_TRUE(searches[0].results[1] && !searches[0].meets[1]);
}

TEST(Improvements, AreMoreOfRatesAndLessOfLatencies) {
  const std::vector<config::EffectiveKey> keys{{"hbm.bandwidth", "800 GB/s", "", "", 0},
                                               {"ici.hop_latency", "1.1 us", "", "", 0},
                                               {"vmem.capacity", "128 MiB", "", "", 0},
                                               {"pcie.generation", "3", "", "", 0},
                                               {"dma.issue_cost", "0 ns", "", "", 0}};
  std::vector<std::string> changes;
  for (const Improvement& each : improvements(keys, 0.1))
    changes.push_back(each.settings[0].key + ' ' + each.settings[0].value);
  EXPECT_THAT(changes, ElementsAre("hbm.bandwidth 880 GB/s", "vmem.capacity 144176 KiB", "ici.hop_latency 1 us",
                                   "pcie.generation 4"));
  EXPECT_THAT(improvements({}, 0.1), IsEmpty());
}

}  // namespace
}  // namespace podsim::study
