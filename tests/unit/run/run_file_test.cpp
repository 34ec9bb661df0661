// Run files: what they come to, and where each mistake in one is said to be.
#include "platform/run/run_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "platform/config/yaml_document.h"

namespace podsim::run {
namespace {

using config::ConfigError;
using firmware::CollectiveKind;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

// `text` laid over a preset of a 4x4 mesh (line 1), as read from run.yaml.
RunFile read(const std::string& text) {
  return read_run(config::resolve(config::parse_yaml("pod: tpu-v5e-4x4\n" + text, "run.yaml"), PODSIM_SOURCE_DIR));
}

TEST(RunFile, ReadsCollectives) {
  const RunFile run = read(
      "description: a test\n"
      "data: none\n"
      "time_limit: 5 ms\n"
      "ici: {bandwidth_per_direction: 90 GB/s}\n"
      "steps:\n"
      "  - {collective: reduce_scatter, axes: [y, x], size: 1 KiB, type: bf16, reduction: max, directions: one, "
      "chunks: 3}\n"
      "  - {collective: all_gather, elements: 5, type: s8, repeat: 2}\n");
  EXPECT_EQ(run.description, "a test");
  EXPECT_EQ(run.data, DataMode::kNone);
  EXPECT_EQ(run.options.time_limit, 5000 * kPicosecondsPerMicrosecond);
  EXPECT_EQ(run.pod.chip.ici.link.bandwidth_per_direction.bytes_per_second, 90'000'000'000u);
  ASSERT_EQ(run.steps.size(), 3u);
  const firmware::CollectiveCall& call = run.steps[0].step.collective;
  EXPECT_EQ(call.kind, CollectiveKind::kReduceScatter);
  EXPECT_THAT(call.axes, ElementsAre(ici::Axis{1}, ici::Axis{0}));
  EXPECT_EQ(call.elements, 512u);
  EXPECT_EQ(call.type, firmware::DType::kBf16);
  EXPECT_EQ(call.reduction, firmware::Reduction::kMax);
  EXPECT_EQ(call.directions, firmware::Directions::kOneWay);
  EXPECT_EQ(call.chunks, 3u);
  EXPECT_EQ(run.steps[1].step.name, "all_gather");
  EXPECT_EQ(run.steps[2].step.collective.elements, 5u);
}

TEST(RunFile, ReadsPairsAsNumbersAndAsPlaces) {
  const RunFile run = read("steps: [{collective: collective_permute, elements: 1, pairs: [[0, 5], [[1, 0], [3, 3]]]}]");
  EXPECT_THAT(run.steps[0].step.collective.pairs, ElementsAre(Pair(ChipId{0}, ChipId{5}), Pair(ChipId{1}, ChipId{15})));
}

TEST(RunFile, AShiftSendsRoundTheAxes) {
  const RunFile run = read("steps: [{collective: collective_permute, elements: 1, shift: [1, -2]}]");
  const auto& pairs = run.steps[0].step.collective.pairs;
  ASSERT_EQ(pairs.size(), 16u);
  EXPECT_EQ(pairs[0], std::pair(ChipId{0}, ChipId{9}));    // (0,0) to (1,2)
  EXPECT_EQ(pairs[15], std::pair(ChipId{15}, ChipId{4}));  // (3,3) to (0,1)
}

TEST(RunFile, ReadsWhatRunsBesideAStep) {
  const RunFile run = read(
      "steps:\n"
      "  - collective: all_to_all\n"
      "    algorithm: direct\n"
      "    window: 8\n"
      "    seed: 3\n"
      "    size: 1 KiB\n"
      "    beside: [{collective: collective_permute, size: 4 KiB, type: s8, pairs: [[0, 5]]}]\n");
  const Step& step = run.steps[0].step;
  EXPECT_EQ(step.collective.window, 8u);
  EXPECT_EQ(step.collective.seed, 3u);
  ASSERT_EQ(step.beside.size(), 1u);
  EXPECT_EQ(step.beside[0].name, "collective_permute");
  EXPECT_EQ(step.beside[0].collective.elements, 4096u);
  EXPECT_THAT(step.beside[0].collective.pairs, ElementsAre(Pair(ChipId{0}, ChipId{5})));
}

TEST(RunFile, ReadsPrograms) {
  const RunFile run = read("steps: [{program: host_offload, size: 4 KiB}]");
  ASSERT_NE(run.steps[0].step.program, nullptr);
  EXPECT_EQ(run.steps[0].step.name, "host_offload");
  EXPECT_EQ(run.steps[0].step.collective.elements, 1024u);
}

TEST(RunFile, ReadsHostCopiesAndTokens) {
  const RunFile run = read(
      "steps:\n"
      "  - {host_copy: {direction: out, bytes: 4 KiB, pinned: false}, type: bf16}\n"
      "  - sequence:\n"
      "      - {program: vector_pass, size: 8 KiB, name: layer}\n"
      "      - {host_copy: {direction: out, bytes: 4 KiB}, of: layer, name: out, async: true}\n"
      "      - {done: out}\n"
      "      - {host_copy: {direction: in}, of: out}\n");
  const Step& alone = run.steps[0].step;
  ASSERT_TRUE(alone.host_copy);
  EXPECT_EQ(alone.host_copy->pinning, firmware::Pinning::kPageable);
  EXPECT_EQ(alone.collective.elements, 2048u);
  const auto& calls = run.steps[1].step.sequence;
  ASSERT_EQ(calls.size(), 4u);
  EXPECT_EQ(calls[0].program->name, "vector_pass");
  EXPECT_EQ(calls[1].of, "layer");
  EXPECT_TRUE(calls[1].async);
  EXPECT_EQ(calls[1].collective.elements, 1024u);
  EXPECT_EQ(calls[2].done, "out");
  EXPECT_FALSE(calls[3].host_copy->out);
  EXPECT_EQ(calls[3].collective.elements, 1024u) << "all that went out";
  EXPECT_EQ(calls_in(calls), 3u);
}

TEST(RunFile, ReadsSequences) {
  const RunFile run = read(
      "checks: contracts\n"
      "on_violation: run\n"
      "progress_limit: 2 ms\n"
      "expect: {outcome: contract violated, says: [chip 3], perturb: 7}\n"
      "steps:\n"
      "  - sequence:\n"
      "      - {collective: all_gather, elements: 8, except: [[3, 0]]}\n"
      "      - {pause: 5 us, chips: [1]}\n"
      "      - {collective: all_reduce, elements: 8, async: true}\n"
      "      - {collective: all_gather, elements: 8, chips: [3]}\n");
  EXPECT_EQ(run.options.checks, CheckLevel::kContracts);
  EXPECT_EQ(run.options.on_violation, OnViolation::kRun);
  EXPECT_EQ(run.options.progress_limit, 2000 * kPicosecondsPerMicrosecond);
  ASSERT_TRUE(run.expect.has_value());
  EXPECT_EQ(run.expect->outcome, Outcome::kContractViolated);
  EXPECT_THAT(run.expect->says, ElementsAre("chip 3"));
  EXPECT_EQ(run.expect->perturb, 7u);
  ASSERT_EQ(run.steps.size(), 1u);
  const std::vector<SequenceCall>& calls = run.steps[0].step.sequence;
  ASSERT_EQ(calls.size(), 4u);
  EXPECT_FALSE(calls[0].made_by(ChipId{3}));
  EXPECT_TRUE(calls[0].made_by(ChipId{2}));
  EXPECT_EQ(calls[0].collective.written_at, "run.yaml:8");
  EXPECT_EQ(calls[1].pause, 5 * kPicosecondsPerMicrosecond);
  EXPECT_TRUE(calls[2].async);
  EXPECT_TRUE(calls[3].made_by(ChipId{3}));
  EXPECT_FALSE(calls[3].made_by(ChipId{0}));
  EXPECT_TRUE(calls[3].collective.members_only);
  // The two all-gathers are one call, made at different places of the sequence.
  EXPECT_EQ(calls[0].number, calls[3].number);
  EXPECT_NE(calls[0].number, calls[2].number);
}

struct Mistake {
  std::string text;
  int line;
  std::string key;
  std::string message;  // a part of it
};

void PrintTo(const Mistake& mistake, std::ostream* out) { *out << mistake.text; }

class RunFileMistake : public ::testing::TestWithParam<Mistake> {};

TEST_P(RunFileMistake, IsSaidWithPlaceAndKey) {
  const Mistake& mistake = GetParam();
  try {
    (void)read(mistake.text);
    FAIL() << "accepted:\n" << mistake.text;
  } catch (const ConfigError& error) {
    EXPECT_EQ(error.line(), mistake.line) << error.what();
    EXPECT_EQ(error.key(), mistake.key) << error.what();
    EXPECT_THAT(error.message(), HasSubstr(mistake.message));
    EXPECT_EQ(error.file(), "run.yaml");
  }
}

std::vector<Mistake> mistakes() {
  const auto step = [](const std::string& keys) { return "steps:\n  - {" + keys + "}\n"; };
  const std::string permute = "collective: collective_permute, elements: 1, pairs: ";
  return {
      {"data: real\n", 1, "steps", "required key is missing"},
      {"steps: []\n", 2, "steps", "at least one step"},
      {"steps: 5\n", 2, "steps", "expected a list"},
      {"step: []\nsteps: [{program: local_copy, elements: 1}]\n", 2, "step", "did you mean 'steps'?"},
      {"data: maybe\nsteps: [{program: local_copy, elements: 1}]\n", 2, "data", "one of real, none, auto"},
      {"time_limit: 5\nsteps: [{program: local_copy, elements: 1}]\n", 2, "time_limit", "a duration"},
      {"time_limit: 0 s\nsteps: [{program: local_copy, elements: 1}]\n", 2, "time_limit", "more than zero"},
      {"ici: {hop_latencie: 1 us}\nsteps: [{program: local_copy, elements: 1}]\n", 2, "ici.hop_latencie",
       "did you mean 'hop_latency'?"},
      {step("size: 1 KiB"), 3, "steps.0.collective", "needs 'collective', 'program', 'host_copy'"},
      {step("collective: all_gather, program: local_copy, size: 1 KiB"), 3, "steps.0.program",
       "does not carry out all_gather"},
      {step("collective: all_gater, size: 1 KiB"), 3, "steps.0.collective", "did you mean 'all_gather'?"},
      {step("collective: all_gather"), 3, "steps.0.size", "needs 'size' or 'elements'"},
      {step("collective: all_gather, size: 1 KiB, elements: 5"), 3, "steps.0.elements", "can't stand beside"},
      {step("collective: all_gather, size: 1024"), 3, "steps.0.size", "a size such as"},
      {step("collective: all_gather, size: -1 KiB"), 3, "steps.0.size", "a size such as"},
      {step("collective: all_gather, size: 2 TiB"), 3, "steps.0.size", "at most 1 TiB"},
      {step("collective: all_gather, size: 1 KiB, type: f64"), 3, "steps.0.type", "one of f32, bf16, s32, s8"},
      {step("collective: all_gather, size: 5 B, type: f32"), 3, "steps.0.size", "no whole number of f32 elements"},
      {step("collective: all_gather, elements: -1"), 3, "steps.0.elements", "-1"},
      {step("collective: all_reduce, elements: 1, reduction: avg"), 3, "steps.0.reduction", "one of sum, max, min"},
      {step("collective: all_gather, elements: 1, reduction: sum"), 3, "steps.0.reduction", "reduces nothing"},
      {step("collective: all_reduce, elements: 1, directions: up"), 3, "steps.0.directions", "one of one, both"},
      {step("collective: all_reduce, elements: 1, axes: x"), 3, "steps.0.axes", "expected a list"},
      {step("collective: all_reduce, elements: 1, axes: [x, z]"), 3, "steps.0.axes.1", "no axis 'z'; it has x, y"},
      {step("collective: all_reduce, elements: 1, axes: [x, x]"), 3, "steps.0.axes.1", "twice"},
      {step("collective: all_reduce, elements: 1, repeat: 0"), 3, "steps.0.repeat", "at least 1"},
      {step("collective: all_reduce, elements: 1, pairs: []"), 3, "steps.0.pairs", "is for collective_permute"},
      {step("collective: collective_permute, elements: 1"), 3, "steps.0.pairs", "needs its pairs"},
      {step(permute + "[], axes: [x]"), 3, "steps.0.axes", "spans the pod"},
      {step(permute + "5"), 3, "steps.0.pairs", "expected a list"},
      {step(permute + "[[0, 1, 2]]"), 3, "steps.0.pairs.0", "[source, target]"},
      {step(permute + "[[0, 16]]"), 3, "steps.0.pairs.0.1", "out of range: the pod has chips 0 to 15"},
      {step(permute + "[[0, -1]]"), 3, "steps.0.pairs.0.1", "-1"},
      {step(permute + "[[0, x]]"), 3, "steps.0.pairs.0.1", "x"},
      {step(permute + "[[0, [1, 4]]]"), 3, "steps.0.pairs.0.1.1", "axis y has coordinates 0 to 3"},
      {step(permute + "[[0, [1]]]"), 3, "steps.0.pairs.0.1", "2 coordinates such as [0, 0]"},
      {step(permute + "[[0, 1], [0, 2]]"), 3, "steps.0.pairs.1", "chip 0 (0,0) is a source twice"},
      {step(permute + "[[0, 1], [2, [1, 0]]]"), 3, "steps.0.pairs.1", "chip 1 (1,0) is a target twice"},
      {step(permute + "[[0, 1]], shift: [1, 0]"), 3, "steps.0.shift", "can't stand beside 'pairs'"},
      {step("collective: collective_permute, elements: 1, shift: [1]"), 3, "steps.0.shift", "1 numbers for a pod of 2"},
      {step("collective: all_gather, elements: 1, shift: [1, 0]"), 3, "steps.0.shift", "is for collective_permute"},
      {step("collective: all_gather, elements: 1, seed: -1"), 3, "steps.0.seed", "-1"},
      {step("collective: all_gather, elements: 1, beside: [{size: 1 KiB, shift: [1, 0]}]"), 3,
       "steps.0.beside.0.collective", "needs 'collective' or a kernel"},
      {step("collective: all_gather, elements: 1, beside: [{collective: all_reduce, size: 1 KiB}]"), 3,
       "steps.0.beside.0.collective", "only a collective_permute"},
      {step("collective: all_gather, elements: 1, beside: [{collective: collective_permute, shift: [1, 0]}]"), 3,
       "steps.0.beside.0.size", "needs 'size' or 'elements'"},
      {step("collective: all_gather, elements: 1, beside: [{collective: collective_permute, elements: 1}]"), 3,
       "steps.0.beside.0.pairs", "needs its pairs"},
      {step("collective: all_gather, size: 1 KiB, chips: [0]"), 3, "steps.0.chips", "for the calls of a sequence"},
      {step("sequence: []"), 3, "steps.0.collective", "a 'sequence'"},
      {step("sequence: [{pause: 1 us}]"), 3, "steps.0.sequence", "at least one call"},
      {step("sequence: [{sequence: [{pause: 1 us}]}]"), 3, "steps.0.sequence.0.sequence", "can't stand in"},
      {step("host_copy: {bytes: 1 KiB}"), 3, "steps.0.host_copy.direction", "required key is missing"},
      {step("host_copy: {direction: up, bytes: 1 KiB}"), 3, "steps.0.host_copy.direction", "one of out, in"},
      {step("host_copy: {direction: out}"), 3, "steps.0.host_copy", "needs 'bytes'"},
      {step("host_copy: {direction: out, bytes: 1 KiB}, size: 1 KiB"), 3, "steps.0.size", "for collectives"},
      {step("host_copy: {direction: out, bytes: 1 KiB}, program: local_copy"), 3, "steps.0.program", "can't stand"},
      {step("host_copy: {direction: out, bytes: 1 KiB}, axes: [x]"), 3, "steps.0.axes", "this is a host copy"},
      {step("program: local_copy, size: 1 KiB, name: a"), 3, "steps.0.name", "for the calls of a sequence"},
      {step("sequence: [{done: a}]"), 3, "steps.0.sequence.0.done", "no call before this one has the name 'a'"},
      {step("sequence: [{program: local_copy, size: 1 KiB, name: a}, {done: a}]"), 3, "steps.0.sequence.1.done",
       "not async"},
      {step("sequence: [{program: local_copy, size: 1 KiB, name: a}, {program: local_copy, size: 2 KiB, name: a}]"), 3,
       "steps.0.sequence.1.name", "another call's"},
      {step("sequence: [{program: local_copy, size: 1 KiB, name: a}, {program: local_copy, size: 2 KiB, of: a}]"), 3,
       "steps.0.sequence.1.of", "has 256 elements, 512 are wanted"},
      {step("sequence: [{program: local_copy, size: 1 KiB, name: a}, {host_copy: {direction: in}, of: a}]"), 3,
       "steps.0.sequence.1.of", "is in HBM"},
      {step("sequence: [{collective: all_gather, size: 1 KiB, of: a}]"), 3, "steps.0.sequence.0.of", "no call before"},
      {step("sequence: [{collective: all_gather, size: 1 KiB, chips: 5}]"), 3, "steps.0.sequence.0.chips", "a list"},
      {step("sequence: [{collective: all_gather, size: 1 KiB, chips: [16]}]"), 3, "steps.0.sequence.0.chips.0",
       "0 to 15"},
      {step("sequence: [{collective: all_gather, size: 1 KiB, chips: [0], except: [1]}]"), 3,
       "steps.0.sequence.0.except", "can't stand beside 'chips'"},
      {step("sequence: [{collective: all_gather, size: 1 KiB}], type: s8"), 3, "steps.0.type", "for the calls"},
      {"expect: {outcome: disaster}\n" + step("program: local_copy, size: 1 KiB"), 2, "expect.outcome", "no outcome"},
      {"checks: some\n" + step("program: local_copy, size: 1 KiB"), 2, "checks", "one of auto, all, contracts, none"},
      {step("program: host_ofload, size: 1 KiB"), 3, "steps.0.program", "did you mean 'host_offload'?"},
      {step("program: local_copy, size: 1 KiB, axes: [x]"), 3, "steps.0.axes", "is for collectives"},
      {"topology: {axes: [{name: x, size: 65536}, {name: y, size: 65536}]}\n" +
           step("program: local_copy, elements: 1"),
       1, "", "at most"},
  };
}

INSTANTIATE_TEST_SUITE_P(All, RunFileMistake, ::testing::ValuesIn(mistakes()));

TEST(RunFile, NeedsAPod) {
  try {
    (void)read_run(config::parse_yaml("steps: []", "run.yaml"));
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_EQ(error.key(), "pod");
    EXPECT_THAT(error.message(), HasSubstr("podsim list pods"));
  }
}

TEST(RunFile, AllMistakesAreSaidAtOnce) {
  try {
    (void)read("data: x\nsteps: [{collective: y, size: z}]");
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_EQ(error.diagnostics().size(), 3u) << error.what();
  }
}

}  // namespace
}  // namespace podsim::run
