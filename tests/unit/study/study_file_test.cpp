// A study as it is read, the points that come of it, and their commands.
#include "platform/study/study_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "platform/config/yaml_document.h"
#include "platform/study/parameter_values.h"
#include "platform/study/point.h"

namespace podsim::study {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Study study(const std::string& text) { return read_study(config::parse_yaml(text, "s.yaml"), "studies"); }

std::string error(const std::string& text) {
  try {
    (void)study(text);
  } catch (const config::ConfigError& error) {
    return error.what();
  }
  return "accepted";
}

// As many chips as the last number of the pod's name says: "pod-16".
std::optional<std::uint64_t> chips_of(const PointCommand& command) {
  std::string name = command.pod;
  for (const std::string& set : command.sets) {
    if (set.starts_with("pod=")) name = set;
  }
  const std::size_t dash = name.rfind('-');
  if (dash == std::string::npos) return std::nullopt;
  return std::stoull(name.substr(dash + 1));
}

std::vector<std::string> commands(const std::string& text) {
  std::vector<std::string> all;
  for (const Point& point : points_of(study(text), &chips_of)) all.push_back(point.command.text());
  return all;
}

TEST(StudyRanges, EvenOnesHaveAStepOrACount) {
  EXPECT_THAT(even_range({"1 KiB", "4 KiB", "1 KiB", 0, 0}), ElementsAre("1 KiB", "2 KiB", "3 KiB", "4 KiB"));
  EXPECT_THAT(even_range({"45 GB/s", "90 GB/s", "", 0, 3}), ElementsAre("45 GB/s", "67.5 GB/s", "90 GB/s"));
  EXPECT_THAT(even_range({"0.1", "0.4", "0.1", 0, 0}).size(), 4);  // though 3 x 0.1 is a little more than 0.3
  EXPECT_THAT(even_range({"3", "1", "-1", 0, 0}), ElementsAre("3", "2", "1"));
  EXPECT_THROW((void)even_range({"1", "2", "-1", 0, 0}), std::invalid_argument);
  EXPECT_THROW((void)even_range({"1 KiB", "2 us", "1 KiB", 0, 0}), std::invalid_argument);
  EXPECT_THROW((void)even_range({"1", "2", "", 0, 0}), std::invalid_argument);
  EXPECT_THROW((void)even_range({"1", "1e9", "1", 0, 0}), std::invalid_argument);
}

TEST(StudyRanges, LogOnesHaveAFactorOrACount) {
  EXPECT_THAT(log_range({"1 KiB", "64 KiB", "", 4, 0}), ElementsAre("1 KiB", "4 KiB", "16 KiB", "64 KiB"));
  EXPECT_THAT(log_range({"1", "100", "", 0, 3}), ElementsAre("1", "10", "100"));
  EXPECT_THAT(log_range({"1 B", "4 B", "", 0, 9}), ElementsAre("1 B", "2 B", "3 B", "4 B"));  // whole bytes, each once
  EXPECT_THAT(log_range({"8", "1", "", 0.5, 0}), ElementsAre("8", "4", "2", "1"));
  EXPECT_THROW((void)log_range({"0", "8", "", 2, 0}), std::invalid_argument);
  EXPECT_THROW((void)log_range({"1", "8", "", 0.5, 0}), std::invalid_argument);
  EXPECT_THROW((void)log_range({"1", "8", "", 1, 0}), std::invalid_argument);
}

TEST(StudyPoints, ParametersAreCrossedTheFirstSlowest) {
  EXPECT_THAT(commands(R"(
bench: all_reduce
set: [pod=pod-16, data=none, ici.fidelity=flow]
vary:
  - {key: algorithm, values: [ring, torus]}
  - {key: size, values: [1 KiB, 2 KiB]}
)"),
              ElementsAre("podsim bench all_reduce --pod pod-16 --data none --set ici.fidelity=flow --algorithm ring "
                          "-b '1 KiB' -e '1 KiB'",
                          "podsim bench all_reduce --pod pod-16 --data none --set ici.fidelity=flow --algorithm ring "
                          "-b '2 KiB' -e '2 KiB'",
                          "podsim bench all_reduce --pod pod-16 --data none --set ici.fidelity=flow --algorithm torus "
                          "-b '1 KiB' -e '1 KiB'",
                          "podsim bench all_reduce --pod pod-16 --data none --set ici.fidelity=flow --algorithm torus "
                          "-b '2 KiB' -e '2 KiB'"));
}

TEST(StudyPoints, ZippedOnesGoTogetherAndComputedOnesFollow) {
  EXPECT_THAT(commands(R"(
run: some/run.yaml
vary:
  - zip:
      - {key: pod, values: [a-4, b-16]}
      - {key: fidelity, values: [packet, flow]}
  - {key: steps.0.workload.tokens, name: tokens, compute: 4096 / chips}
)"),
              ElementsAre("podsim run studies/some/run.yaml --set pod=a-4 --fidelity packet "
                          "--set steps.0.workload.tokens=1024",
                          "podsim run studies/some/run.yaml --set pod=b-16 --fidelity flow "
                          "--set steps.0.workload.tokens=256"));
}

TEST(StudyPoints, ConstraintsLeavePointsOut) {
  const auto points = points_of(study(R"(
bench: all_gather
vary:
  - {key: pod, values: [p-4, p-16, p-64]}
  - {key: size, log_range: {from: 1 KiB, to: 1 MiB, factor: 4}}
constraints: [chips < 64, size >= 4 KiB * chips or size == 1 KiB]
)"),
                                &chips_of);
  std::vector<std::string> left;
  for (const Point& point : points) left.push_back(point.parameters[0].value + " " + point.parameters[1].value);
  EXPECT_THAT(left, ElementsAre("p-4 1 KiB", "p-4 16 KiB", "p-4 64 KiB", "p-4 256 KiB", "p-4 1 MiB", "p-16 1 KiB",
                                "p-16 64 KiB", "p-16 256 KiB", "p-16 1 MiB"));
  EXPECT_EQ(points.front().number, 1u);
  EXPECT_EQ(points.back().number, 9u);
}

TEST(StudyPoints, SeedsAreAParameter) {
  EXPECT_THAT(commands("{run: r, seeds: [7, 8]}"),
              ElementsAre("podsim run r --perturb-seed 7", "podsim run r --perturb-seed 8"));
  EXPECT_THAT(commands("{bench: all_to_all, set: [pod=p-4], seeds: [7]}"),
              ElementsAre("podsim bench all_to_all --pod p-4 --seed 7"));
}

TEST(StudyPoints, TextIsQuotedForTheShell) {
  EXPECT_EQ(shell_word("a b"), "'a b'");
  EXPECT_EQ(shell_word("it's"), "'it'\\''s'");
  EXPECT_EQ(shell_word(""), "''");
  EXPECT_EQ(shell_word("pod=tpu-v5e-4x4"), "pod=tpu-v5e-4x4");
  EXPECT_EQ(shell_word("$(x)"), "'$(x)'");
}

TEST(StudyPoints, AnExpressionWithoutAValueNamesThePoint) {
  try {
    (void)points_of(study("{bench: all_gather, vary: [{key: pod, values: [nowhere]}], constraints: [chips < 4]}"),
                    &chips_of);
    FAIL();
  } catch (const config::ConfigError& error) {
    EXPECT_THAT(error.what(), HasSubstr("s.yaml:1"));
    EXPECT_THAT(error.what(), HasSubstr("pod=nowhere"));
    EXPECT_THAT(error.what(), HasSubstr("no pod can be built"));
  }
}

TEST(StudyPoints, TooManyAreRefusedAndNotEnumerated) {
  const std::string range = "range: {from: 1, to: 5000, step: 1}";
  EXPECT_THROW((void)points_of(study("{bench: all_gather, set: [pod=p-4], vary: [{key: size, " + range +
                                     "}, {key: window, " + range + "}, {key: seed, " + range + "}]}"),
                               &chips_of),
               config::ConfigError);
}

TEST(StudyFile, MistakesAreNamedWithLineKeyAndSuggestion) {
  EXPECT_THAT(error("bench: all_reduce\nvary:\n  - {key: sise, values: [1 KiB]}"),
              HasSubstr("s.yaml:3:11: vary.0.key: no key of a bench begins with 'sise'; did you mean 'size'?"));
  EXPECT_THAT(error("run: r\nvary:\n  - {key: size, values: [1 KiB]}"), HasSubstr("steps.0.size"));
  EXPECT_THAT(error("run: r\nvary:\n  - {key: icy.bandwidth, values: [1]}"), HasSubstr("did you mean 'ici'?"));
  EXPECT_THAT(error("vary: [{key: size, values: [1]}]"), HasSubstr("expected one of 'run' and 'bench'"));
  EXPECT_THAT(error("bench: x\nrun: y\nvary: [{key: pod, values: [1]}]"),
              HasSubstr("expected one of 'run' and 'bench'"));
  EXPECT_THAT(error("{bench: x, vary: [{key: size}]}"), HasSubstr("vary.0.values: expected one of"));
  EXPECT_THAT(error("{bench: x, vary: [{key: size, range: {from: 1, to: 2}}]}"),
              HasSubstr("expected 'step' or 'points'"));
  EXPECT_THAT(error("{bench: x, vary: [{key: size, values: [1]}, {key: size, values: [2]}]}"),
              HasSubstr("there is a column 'size' already"));
  EXPECT_THAT(error("{bench: x, vary: [{zip: [{key: size, values: [1]}, {key: type, values: [a, b]}]}]}"),
              HasSubstr("need as many"));
  EXPECT_THAT(error("{bench: x, vary: [{key: size, values: [1]}], constraints: [sise < 3]}"),
              HasSubstr("constraints.0: there is no 'sise'; did you mean 'size'?"));
  EXPECT_THAT(error("{bench: x, vary: [{key: size, values: [1]}], constraints: [size + 3]}"),
              HasSubstr("expected a comparison"));
  EXPECT_THAT(error("{bench: x, vary: [{key: size, values: [1]}], plots: [{kind: lines, x: size, y: busbw}]}"),
              HasSubstr("plots.0.y: there is no column 'busbw'; did you mean 'busbw_GBps'?"));
  EXPECT_THAT(error("{bench: x, vary: [{key: size, values: [1]}], collect: [{name: l, path: links.*.bytes}]}"),
              HasSubstr("collect.0.take: a path with '*' needs one of"));
  EXPECT_THAT(error("{bench: x, set: [data], vary: [{key: size, values: [1]}]}"),
              HasSubstr("set.0: expected KEY=VALUE"));
  EXPECT_THAT(error("{bench: x, vary: []}"), HasSubstr("varies at least one parameter"));
}

TEST(StudyFile, ShippedOnesAreRight) {
  const std::filesystem::path folder = std::filesystem::path(PODSIM_SOURCE_DIR) / "configs" / "studies";
  std::size_t studies = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    EXPECT_NO_THROW((void)load_study(entry.path())) << entry.path();
    ++studies;
  }
  EXPECT_GE(studies, 3u);
}

}  // namespace
}  // namespace podsim::study
