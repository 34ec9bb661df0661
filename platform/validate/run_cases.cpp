#include "platform/validate/run_cases.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "platform/config/section_reader.h"
#include "platform/config/yaml_document.h"
#include "platform/validate/run_case_fields.h"

namespace podsim::validate {

namespace {

using config::ConfigNode;
using config::join_key;

run::RunFile read_plan(const ConfigNode& node, const std::filesystem::path& root) {
  ConfigNode document =
      node.kind == ConfigNode::Kind::kScalar ? config::load(root / node.text, root) : config::resolve(node, root);
  run::RunFile plan = run::read_run(document);
  plan.data = run::DataMode::kNone;
  plan.options.checks = run::CheckLevel::kNone;
  return plan;
}

// What the case asks for: the figure, its unit, and how it is measured.
void read_expected(const ExpectedEntry& entry, RunCase& each) {
  if (entry.time) {
    each.measure = Measure::kTime;
    each.reference.expected = static_cast<double>(entry.time->ps) / 1e6;
    each.reference.unit = "us";
  } else if (entry.tflops) {
    each.measure = Measure::kTflops;
    each.reference.expected = *entry.tflops;
    each.reference.unit = "TFLOP/s";
  } else if (entry.speedup) {
    each.measure = Measure::kSpeedup;
    each.reference.expected = *entry.speedup;
    each.reference.unit = "x";
  } else {
    each.measure = entry.algbw ? Measure::kAlgbw : Measure::kBusbw;
    const Bandwidth bandwidth = entry.algbw ? *entry.algbw : *entry.busbw;
    each.reference.expected = static_cast<double>(bandwidth.bytes_per_second) / 1e9;
    each.reference.unit = "GB/s";
  }
}

RunCase read_case(const CaseEntry& entry, const ConfigNode& node, const std::string& key,
                  const std::filesystem::path& root) {
  RunCase each;
  each.reference = {.id = entry.id,
                    .what = entry.what,
                    .source = entry.source,
                    .kind = entry.kind,
                    .unit = {},
                    .tolerance = {entry.tolerance / 100, false},
                    .fitted = entry.fitted,
                    .explained = entry.explained};
  read_expected(entry.expected, each);
  each.less = entry.less;
  const ConfigNode* const run = node.find("run");
  if (run == nullptr) throw config::ConfigError(node.mark, join_key(key, "run"), "required key is missing");
  each.run = read_plan(*run, root);
  const ConfigNode* const against = node.find("against");
  if (against != nullptr) each.against = read_plan(*against, root);
  if ((each.measure == Measure::kSpeedup) != each.against.has_value()) {
    throw config::ConfigError(node.mark, join_key(key, "against"),
                              "must stand beside an expected speedup, and only there");
  }
  return each;
}

}  // namespace

RunCases read_run_cases(const std::filesystem::path& file, const std::filesystem::path& root) {
  RunCases cases = read_run_cases(config::load_yaml(file), root);
  cases.name = file.stem().string();
  return cases;
}

RunCases read_run_cases(const config::ConfigDocument& document, const std::filesystem::path& root) {
  const CasesEntry entry = config::read<CasesEntry>(document);
  RunCases cases;
  cases.description = entry.description;
  for (std::size_t i = 0; i < entry.cases.size(); ++i) {
    const ConfigNode& node = document.find("cases")->items[i];
    const std::string key = fmt::format("cases.{}", i);
    RunCase each = read_case(entry.cases[i], node, key, root);
    const bool known = std::any_of(cases.cases.begin(), cases.cases.end(),
                                   [&](const RunCase& other) { return other.reference.id == each.reference.id; });
    if (known) {
      throw config::ConfigError(node.find("id")->mark, join_key(key, "id"), "another case has the same id");
    }
    cases.cases.push_back(std::move(each));
  }
  return cases;
}

double simulate(const RunCase& each, bool against) {
  const run::RunFile& plan = against ? each.against.value() : each.run;
  pod::Pod pod(plan.pod, /*with_data=*/false);
  run::Runner runner(pod, plan.options);
  run::StepResult result;
  for (const run::PlannedStep& planned : plan.steps) {
    result = runner.run(planned.step);
    if (result.outcome != run::Outcome::kCompleted) throw std::runtime_error(std::string(run::name(result.outcome)));
  }
  switch (each.measure) {
    case Measure::kTime:
    case Measure::kSpeedup: return static_cast<double>(result.time - each.less.ps) / 1e6;
    case Measure::kAlgbw: return result.algbw_GBps;
    case Measure::kBusbw: return result.busbw_GBps;
    case Measure::kTflops:
      if (!result.kernels) throw std::runtime_error("the last step is no kernel");
      return result.kernels->tflops;
  }
  throw std::logic_error("no such measure");
}

}  // namespace podsim::validate
