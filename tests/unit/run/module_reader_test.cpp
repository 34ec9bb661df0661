// Modules in run files: what they become, and what is said of mistakes, with place and key.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "platform/config/yaml_document.h"
#include "platform/run/module_plan.h"
#include "platform/run/run_file.h"

namespace podsim::run {
namespace {

using config::ConfigError;
using ::testing::HasSubstr;

RunFile read(const std::string& step) {
  const std::string text = "pod: tpu-v5e-2x2\nsteps:\n  - " + step + "\n";
  return read_run(config::resolve(config::parse_yaml(text, "run.yaml"), PODSIM_SOURCE_DIR));
}
const firmware::Module& module_of(const RunFile& run) { return run.steps.front().step.module->module; }

std::string module(const std::string& instructions) { return "module: {instructions: [" + instructions + "]}"; }

const char* const kParameter = "{name: a, op: parameter, shape: [8, 8]}";

TEST(ModuleReader, ReadsInstructionsInTheirOrder) {
  const RunFile run = read(
      "module: {name: mine, schedule: latency_hiding, in_flight: 2, instructions: [{name: a, op: parameter, shape: [8, "
      "8], "
      "dtype: f32}, {name: s, op: all_reduce, of: [a], axes: [x], async: true}, {name: y, op: matmul, of: [a, a]}, "
      "{op: "
      "wait, of: [s]}, {name: z, op: elementwise, function: max, of: [y, s], after: [y]}]}");
  EXPECT_EQ(run.steps.front().step.name, "mine");
  EXPECT_EQ(run.steps.front().step.module->options.mode, ScheduleMode::kLatencyHiding);
  EXPECT_EQ(run.steps.front().step.module->options.in_flight, 2u);
  const firmware::Module& m = module_of(run);
  ASSERT_EQ(m.instructions.size(), 4u);
  EXPECT_EQ(to_string(m.instructions[2].result), "f32[8, 8]");
  EXPECT_EQ(m.instructions[1].written_at, "run.yaml:3");
  using Kind = firmware::Slot::Kind;
  EXPECT_EQ(m.written, (firmware::Order{{Kind::kStart, 1}, {Kind::kRun, 2}, {Kind::kDone, 1}, {Kind::kRun, 3}}));
}

TEST(ModuleReader, AnEinsumBringsItsCollectives) {
  const RunFile run = read(
      "module: {dimensions: [{name: I, size: 8}, {name: J, size: 8}, {name: K, size: 8}], instructions: [{name: a, op: "
      "parameter, tensor: 'I J[x]'}, {name: b, op: parameter, tensor: 'J[x] K'}, {name: c, op: einsum, of: [a, b], "
      "tensor: 'I K[x]'}]}");
  const firmware::Module& m = module_of(run);
  ASSERT_EQ(m.instructions.size(), 4u);
  EXPECT_EQ(to_string(m.instructions[0].result), "bf16[8, 4]");
  EXPECT_EQ(work_name(m.instructions[2].work), "matmul");
  EXPECT_EQ(work_name(m.instructions[3].work), "reduce_scatter");
  EXPECT_EQ(to_string(m.instructions[3].result), "bf16[8, 4]");
}

TEST(ModuleReader, WhatIsSaidOfAnEinsumIsSaidOfAllItsInstructions) {
  const RunFile run = read(
      "module: {dimensions: [{name: I, size: 8}, {name: J, size: 8}, {name: K, size: 8}], instructions: [{name: a, op: "
      "parameter, tensor: 'I J[x]'}, {name: b, op: parameter, tensor: 'J[x] K'}, {name: d, op: softmax, of: [a]}, "
      "{name: c, op: einsum, of: [a, b], tensor: 'I K[x]', after: [d], except: [0]}]}");
  for (const std::size_t i : {3u, 4u}) {
    const firmware::Instruction& each = module_of(run).instructions[i];
    EXPECT_EQ(each.after, std::vector<std::size_t>{2}) << each.name;
    EXPECT_EQ(each.written_at, "run.yaml:3") << each.name;
    EXPECT_FALSE(each.executed_by(ChipId{0})) << each.name;
  }
}

TEST(ModuleReader, AWorkloadIsAModule) {
  const RunFile run = read("workload: {kind: fsdp, model: tiny, layers: 1, tokens: 32, form: naive, schedule: sync}");
  EXPECT_EQ(run.steps.front().step.name, "fsdp tiny");
  EXPECT_GT(module_of(run).instructions.size(), 20u);
}

struct Mistake {
  std::string step;
  std::string key;
  std::string says;
};
class ModuleMistake : public ::testing::TestWithParam<Mistake> {};

TEST_P(ModuleMistake, IsSaidWithPlaceAndKey) {
  const auto& [step, key, says] = GetParam();
  try {
    (void)read(step);
    FAIL() << "accepted: " << step;
  } catch (const ConfigError& error) {
    EXPECT_EQ(error.key(), key) << error.what();
    EXPECT_EQ(error.line(), 3) << error.what();
    EXPECT_THAT(error.message(), HasSubstr(says)) << step;
  }
}

std::vector<Mistake> mistakes() {
  const std::string a = kParameter;
  const std::string at = "steps.0.module.instructions.";
  return {
      {"module: {instructions: []}", "steps.0.module.instructions", "at least one instruction"},
      {module("{name: y, op: matmul, of: [a, b]}"), at + "0.of", "nothing before is called 'a'"},
      {module(a + ", {name: y, op: matmul, of: [a]}"), at + "1.of", "'matmul' reads 2, got 1"},
      {module(a + ", {name: y, op: matmull, of: [a, a]}"), at + "1.op", "did you mean 'matmul'"},
      {module(a + ", {name: y, op: matmul, of: [a, a], axes: [x]}"), at + "1.axes", "is not for 'matmul'"},
      {module(a + ", {op: softmax, of: [a]}"), at + "1.name", "required key is missing"},
      {module(a + ", " + a), at + "1", "another instruction of that name"},
      {module(a + ", {name: y, op: all_gather, of: [a], dim: 2}"), at + "1", "there is no dimension 2"},
      {module(a + ", {name: y, op: all_gather, of: [a], axes: [q]}"), at + "1.axes.0", "the pod has no axis 'q'"},
      {module(a + ", {name: y, op: all_gather, of: [a], axes: [x, x]}"), at + "1.axes.1", "axis 'x' is there twice"},
      {"workload: {kind: fsdp, model: tiny, tokens: 8, axes: [y, y]}", "steps.0.workload.axes.1", "is there twice"},
      {module(a + ", {name: y, op: reduce_scatter, of: [a], dim: 0, asinc: true}"), at + "1.asinc",
       "did you mean 'async'"},
      {module(a + ", {name: y, op: reduce, of: [a], function: mean}"), at + "1.function",
       "there is no function 'mean'"},
      {module(a + ", {name: y, op: permute, of: [a]}"), at + "1.axis", "required key is missing"},
      {module(a + ", {name: y, op: host_in, of: [a]}"), at + "1", "not on the host"},
      {module(a + ", {name: y, op: einsum, of: [a, a], tensor: I K}"), at + "1.of", "not given as a 'tensor'"},
      {module("{name: a, op: parameter, tensor: 'I[x] I'}"), at + "0", "dimension 'I' is there twice"},
      {module("{name: a, op: parameter, tensor: I}"), at + "0", "dimension 'I' has no size"},
      {module("{name: a, op: parameter}"), at + "0.shape", "either a 'shape' or a 'tensor'"},
      {module("{name: a, op: parameter, shape: [0]}"), at + "0.shape", "a dimension of 0"},
      {module("{name: a, op: parameter, shape: [4294967296, 4294967296]}"), at + "0", "more than any chip could hold"},
      {module(a + ", {name: b, op: parameter, shape: [8], after: [a]}"), at + "1.after", "is not for 'parameter'"},
      {module(a + ", {op: wait, of: [a], after: [a]}"), at + "1.after", "is not for 'wait'"},
      {module(a + ", {name: b, op: parameter, shape: [8], chips: [0]}"), at + "1.chips", "is not for 'parameter'"},
      {module("{name: a, op: parameter, shape: [8, 8], dtype: s8}, {name: y, op: softmax, of: [a]}"), at + "1",
       "softmax has no meaning for integers"},
      {module(a + ", {name: y, op: all_reduce, of: [a], chips: [9]}"), at + "1.chips.0", "9"},
      {"module: {schedule: fast, instructions: [" + a + "]}", "steps.0.module.schedule", "latency_hiding"},
      {"workload: {kind: fsdpp, model: tiny, tokens: 8}", "steps.0.workload.kind", "did you mean 'fsdp'"},
      {"workload: {kind: fsdp, model: tiney, tokens: 8}", "steps.0.workload.model", "did you mean 'tiny'"},
      {"workload: {kind: mixture_of_experts, model: llama3-8b, tokens: 8}", "steps.0.workload", "has no experts"},
      {"workload: {kind: fsdp, model: tiny}", "steps.0.workload.tokens", "required key is missing"},
  };
}
INSTANTIATE_TEST_SUITE_P(All, ModuleMistake, ::testing::ValuesIn(mistakes()));

// Those that go along one axis have none on a pod of listed links.
TEST(Workloads, ThatNeedAnAxisSayThatListedLinksHaveNone) {
  for (const std::string kind : {"collective_matmul", "pipeline", "ring_attention"}) {
    const std::string text =
        "chip: tpu-v5e\ntopology: {chips: 4, links: [[0, 1], [1, 2], [2, 3], [3, 0]]}\nsteps:\n  - workload: {kind: " +
        kind + ", model: tiny, tokens: 64}\n";
    try {
      (void)read_run(config::resolve(config::parse_yaml(text, "run.yaml"), PODSIM_SOURCE_DIR));
      ADD_FAILURE() << "accepted: " << kind;
    } catch (const ConfigError& error) {
      EXPECT_EQ(error.key(), "steps.0.workload");
      EXPECT_THAT(error.message(), HasSubstr(kind + " goes along an axis: it needs a mesh or a torus"));
    }
  }
}

}  // namespace
}  // namespace podsim::run
