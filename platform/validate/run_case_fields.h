// YAML keys of configs/validation/*.yaml: see run_cases.h.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "platform/config/fields.h"
#include "platform/run/run_fields.h"
#include "platform/validate/reference.h"

namespace podsim::validate {

struct ExpectedEntry {
  std::optional<Duration> time;
  std::optional<Bandwidth> algbw;
  std::optional<Bandwidth> busbw;
  std::optional<double> speedup;
  std::optional<double> tflops;
};

struct CaseEntry {
  std::string id;
  std::string what;
  Kind kind = Kind::kMeasured;
  std::string source;
  ExpectedEntry expected;
  Duration less;
  double tolerance = 0;
  std::string fitted;
  std::string explained;
};

struct CasesEntry {
  std::string description;
  std::vector<CaseEntry> cases;
};

}  // namespace podsim::validate

namespace podsim::config {

constexpr auto names(EnumTag<validate::Kind>) {
  using validate::Kind;
  return EnumNames<Kind, 5>{{{"measured", Kind::kMeasured},
                             {"simulator", Kind::kSimulator},
                             {"paper", Kind::kPaper},
                             {"worked", Kind::kWorked},
                             {"vendor", Kind::kVendor}}};
}

template <class Visitor>
void fields(Visitor& visit, validate::ExpectedEntry& expected) {
  visit("time", expected.time, "simulated time of the run's last step", positive);
  visit("algbw", expected.algbw, "or its size / time", positive);
  visit("busbw", expected.busbw, "or its bus bandwidth, as nccl-tests has it", positive);
  visit("speedup", expected.speedup, "or how many times as long the run under 'against' takes", positive);
  visit("tflops", expected.tflops, "or its kernels' TFLOP/s on a chip", positive);
  const int figures = int{expected.tflops.has_value()} + int{expected.time.has_value()} +
                      int{expected.algbw.has_value()} + int{expected.busbw.has_value()} +
                      int{expected.speedup.has_value()};
  visit.check(figures == 1, "time", "expected one figure: 'time', 'algbw', 'busbw', 'tflops' or 'speedup'");
}

template <class Visitor>
void fields(Visitor& visit, validate::CaseEntry& each) {
  visit("id", each.id, "short name of the figure", required);
  visit("what", each.what, "what was measured or worked out, in a line", required);
  visit("kind", each.kind, "where such a figure comes from", required);
  visit("source", each.source, "where this one comes from", required);
  visit("expected", each.expected, "the figure", required);
  visit("less", each.less, "taken off the model's time: what the figure leaves out");
  visit("tolerance", each.tolerance, "per cent that the model may be off", required, positive);
  visit("fitted", each.fitted, "constants of the model that were fitted to this figure");
  visit("explained", each.explained, "why the model is outside the tolerance, where that is known");
  constexpr auto kRun = form<EitherForm<std::string, run::RunEntry>>;
  visit.note("run", "a run file, or its path from the project's root; its last step is measured", kRun, required);
  visit.note("against", "the run that a speedup is over", kRun);
}

template <class Visitor>
void fields(Visitor& visit, validate::CasesEntry& cases) {
  visit("description", cases.description, "what the figures have in common", required);
  visit("cases", cases.cases, "one figure each", required);
}

}  // namespace podsim::config
