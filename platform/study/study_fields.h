// YAML keys of a study: see study_file.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "platform/config/fields.h"

namespace podsim::study {

struct RangeEntry {
  std::string from;
  std::string to;
  std::string step;     // of a range
  double factor = 0;    // of a log range
  unsigned points = 0;  // or how many, ends included
};

struct ParameterEntry {
  std::string key;
  std::string name;
  std::vector<std::string> values;
  std::optional<RangeEntry> range;
  std::optional<RangeEntry> log_range;
  std::string compute;
  std::vector<ParameterEntry> zip;
};

enum class Take : std::uint8_t { kOnly, kMin, kMax, kMean, kSum };

struct CollectEntry {
  std::string name;
  std::string path;
  Take take = Take::kOnly;
};

struct DeriveEntry {
  std::string name;
  std::string of;
};

enum class PlotKind : std::uint8_t { kLines, kHeatMap, kPareto };
enum class Better : std::uint8_t { kLower, kHigher };

struct PlotEntry {
  PlotKind kind = PlotKind::kLines;
  std::string title;
  std::string x, y;
  std::string series;
  std::string value;
  std::vector<std::string> log;
  Better better_x = Better::kLower;
  Better better_y = Better::kLower;
};

struct StudyEntry {
  std::string description;
  std::string run;
  std::string bench;
  std::vector<std::string> set;
  std::vector<ParameterEntry> vary;
  std::vector<std::uint64_t> seeds;
  std::vector<std::string> constraints;
  std::vector<CollectEntry> collect;
  std::vector<DeriveEntry> derive;
  std::vector<PlotEntry> plots;
};

}  // namespace podsim::study

namespace podsim::config {

constexpr auto names(EnumTag<study::Take>) {
  using study::Take;
  return EnumNames<Take, 5>{
      {{"only", Take::kOnly}, {"min", Take::kMin}, {"max", Take::kMax}, {"mean", Take::kMean}, {"sum", Take::kSum}}};
}

constexpr auto names(EnumTag<study::PlotKind>) {
  using study::PlotKind;
  return EnumNames<PlotKind, 3>{
      {{"lines", PlotKind::kLines}, {"heat_map", PlotKind::kHeatMap}, {"pareto", PlotKind::kPareto}}};
}

constexpr auto names(EnumTag<study::Better>) {
  using study::Better;
  return EnumNames<Better, 2>{{{"lower", Better::kLower}, {"higher", Better::kHigher}}};
}

template <class Visitor>
void fields(Visitor& visit, study::RangeEntry& range) {
  visit("from", range.from, "first value, with its unit", required);
  visit("to", range.to, "no value is beyond it", required);
  visit("step", range.step, "range: each value is the last one plus this");
  visit("factor", range.factor, "log_range: each value is the last one times this", at_least(0.0));
  visit("points", range.points, "or how many values, both ends included", at_most(10'000u));
}

template <class Visitor>
void fields(Visitor& visit, study::ParameterEntry& parameter) {
  visit("key", parameter.key, "what changes: size, pod, fidelity, algorithm, seed, or any key that --set takes");
  visit("name", parameter.name, "of its column; the key if left out");
  visit("values", parameter.values, "as --set takes them");
  visit("range", parameter.range, "or evenly spaced: from, to, and step or points");
  visit("log_range", parameter.log_range, "or growing by a factor: from, to, and factor or points");
  visit("compute", parameter.compute, "or an expression over the others and 'chips'");
  visit("zip", parameter.zip, "in place of all that: parameters that change together, and have as many values");
  const int kinds = int{!parameter.values.empty()} + int{parameter.range.has_value()} +
                    int{parameter.log_range.has_value()} + int{!parameter.compute.empty()};
  const bool zipped = !parameter.zip.empty();
  visit.check(zipped || !parameter.key.empty(), "key", "required key is missing");
  visit.check(!zipped || (parameter.key.empty() && kinds == 0), "zip", "stands alone: keys and values are inside");
  visit.check(zipped || kinds == 1, "values", "expected one of 'values', 'range', 'log_range' and 'compute'");
}

template <class Visitor>
void fields(Visitor& visit, study::CollectEntry& collect) {
  visit("name", collect.name, "of its column", required);
  visit("path", collect.path, "in the run's JSON, such as results.-1.time_us; '*' stands for all", required);
  visit("take", collect.take, "of a path with '*': min, max, mean or sum");
}

template <class Visitor>
void fields(Visitor& visit, study::DeriveEntry& derive) {
  visit("name", derive.name, "of its column", required);
  visit("of", derive.of, "an expression over other columns and 'chips'", required);
}

template <class Visitor>
void fields(Visitor& visit, study::PlotEntry& plot) {
  using study::PlotKind;
  visit("kind", plot.kind, "lines, heat_map or pareto", required);
  visit("title", plot.title, "over the plot");
  visit("x", plot.x, "column", required);
  visit("y", plot.y, "column", required);
  visit("series", plot.series, "lines, pareto: a column that tells the curves, or the labels, apart");
  visit("value", plot.value, "heat_map: the column that is shown as a colour");
  visit("log", plot.log, "axes with a logarithmic scale, of x and y", spelled("^[xy]$", "x or y"));
  visit("better_x", plot.better_x, "pareto: whether lower or higher x is better");
  visit("better_y", plot.better_y, "pareto: whether lower or higher y is better");
  visit.check((plot.kind == PlotKind::kHeatMap) == !plot.value.empty(), "value",
              "must stand with a heat_map, and only there");
}

template <class Visitor>
void fields(Visitor& visit, study::StudyEntry& study) {
  visit("description", study.description, "what the study asks");
  visit("run", study.run, "the run file that every point runs: a name in configs/runs or a path");
  visit("bench", study.bench, "or the collective that every point times");
  visit("set", study.set, "KEY=VALUE for all points, as for --set", spelled("^[^=]+=", "KEY=VALUE"));
  visit("vary", study.vary, "parameters, crossed with each other; the first changes slowest");
  visit("seeds", study.seeds, "each point once with each: --perturb-seed of a run, --seed of a bench", at_least(1u));
  visit("constraints", study.constraints, "expressions; points for which one does not hold are left out");
  visit("collect", study.collect, "what becomes of a run's JSON a column; times and bandwidths if left out");
  visit("derive", study.derive, "columns computed from others");
  visit("plots", study.plots, "what --report draws");
  visit.check(study.run.empty() != study.bench.empty(), "run", "expected one of 'run' and 'bench'");
  visit.check(!study.vary.empty() || !study.seeds.empty(), "vary", "a study varies at least one parameter");
}

}  // namespace podsim::config
