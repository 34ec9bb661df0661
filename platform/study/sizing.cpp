#include "platform/study/sizing.h"

#include <fmt/format.h>

#include <algorithm>

#include "platform/config/suggestion.h"

namespace podsim::study {

namespace {

const CollectEntry kBusiestLink{"", "results.-1.links.*.busy_fraction", Take::kMax};
const CollectEntry kModuleBound{"", "results.-1.module.busy.nearest_bound", Take::kOnly};
const CollectEntry kKernelBound{"", "results.-1.kernel.bound", Take::kOnly};

std::string text_of(const PointResult& result, const CollectEntry& source) {
  const Json value = result.collected.value(collected_as(source), Json());
  return value.is_string() ? value.get<std::string>() : std::string();
}

std::vector<std::string> names() {
  std::vector<std::string> all{"chips"};
  for (const Figure& each : figures()) all.push_back(each.name);
  return all;
}

}  // namespace

const std::vector<Figure>& figures() {
  static const std::vector<Figure> all{
      {"step", {"", "results.-1.time_ps", Take::kOnly}, 1e-12, kTime, "time of the last step"},
      {"total", {"", "results.*.time_ps", Take::kSum}, 1e-12, kTime, "of all steps"},
      {"algbw", {"", "results.-1.algbw_GBps", Take::kOnly}, 1e9, kBandwidth, "of the last step, as in nccl-tests"},
      {"busbw", {"", "results.-1.busbw_GBps", Take::kOnly}, 1e9, kBandwidth, "the same"},
      {"mxu", {"", "results.-1.module.busy.mxu", Take::kOnly}, 1, kPlain, "share of the step that it was busy"},
      {"hbm", {"", "results.-1.module.busy.hbm", Take::kOnly}, 1, kPlain, "the same"},
      {"ici", kBusiestLink, 1, kPlain, "the same, of the busiest link"},
      {"hbm_peak",
       {"", "results.-1.module.hbm_peak_bytes", Take::kOnly},
       1,
       kSize,
       "of a chip's memory in use at most"}};
  return all;
}

std::vector<CollectEntry> sizing_collect() {
  std::vector<CollectEntry> all{kModuleBound, kKernelBound};
  for (const Figure& each : figures()) all.push_back(each.source);
  return all;
}

std::optional<Value> figure(const std::string& name, const PointResult& result, std::uint64_t chips) {
  if (name == "chips") return Value::plain(static_cast<double>(chips));
  for (const Figure& each : figures()) {
    if (each.name != name) continue;
    const Json value = result.collected.value(collected_as(each.source), Json());
    if (!value.is_number()) return std::nullopt;
    return Value{value.get<double>() * each.unit, each.dimension, {}};
  }
  return std::nullopt;
}

Expression parse_target(const std::string& text) {
  Expression target(text);
  if (!target.is_condition()) throw ExpressionError("expected a comparison, such as 'step < 2 s'");
  const std::vector<std::string> known = names();
  for (const std::string& name : target.names()) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    throw ExpressionError(fmt::format("there is no figure '{}'{}", name, config::suggestion(name, known)));
  }
  // Once with made-up figures, so that units that don't go together are found before anything is run.
  (void)target.evaluate([](const std::string& name) {
    for (const Figure& each : figures()) {
      if (each.name == name) return std::optional(Value{1, each.dimension, {}});
    }
    return std::optional(Value::plain(1));
  });
  return target;
}

bool meets(const Expression& target, const PointResult& result, std::uint64_t chips) {
  return result.completed() && target.holds([&](const std::string& name) -> std::optional<Value> {
    std::optional<Value> value = figure(name, result, chips);
    if (!value) throw ExpressionError(fmt::format("the program's last step has no '{}'", name));
    return value;
  });
}

std::string bound_of(const PointResult& result) {
  for (const CollectEntry& source : {kModuleBound, kKernelBound}) {
    const std::string bound = text_of(result, source);
    if (!bound.empty()) return bound;
  }
  const Json busiest = result.collected.value(collected_as(kBusiestLink), Json());
  return busiest.is_number() && busiest.get<double>() > 0 ? "ICI" : "";
}

void search(std::vector<Search>& searches, const Expression& target, std::size_t at_once, const RunShapes& run) {
  std::vector<Bisection> bisections;
  for (Search& each : searches) {
    each.results.assign(each.shapes.size(), std::nullopt);
    each.meets.assign(each.shapes.size(), false);
    bisections.emplace_back(each.shapes.size());
  }
  const std::size_t share = std::max<std::size_t>(1, at_once / std::max<std::size_t>(1, searches.size()));
  for (;;) {
    std::vector<std::pair<std::size_t, std::size_t>> trials;
    for (std::size_t s = 0; s < searches.size(); ++s) {
      for (const std::size_t shape : bisections[s].next(share)) trials.emplace_back(s, shape);
    }
    if (trials.empty()) break;
    std::vector<PointResult> results = run(trials);
    for (std::size_t i = 0; i < trials.size(); ++i) {
      const auto [s, shape] = trials[i];
      searches[s].meets[shape] = meets(target, results[i], searches[s].shapes[shape].chips);
      searches[s].results[shape] = std::move(results[i]);
      bisections[s].tell(shape, searches[s].meets[shape]);
    }
  }
  for (std::size_t s = 0; s < searches.size(); ++s) {
    Search& each = searches[s];
    each.smallest = bisections[s].first();
    for (std::size_t i = each.smallest.value_or(each.shapes.size()); i < each.shapes.size(); ++i) {
      each.uneven = each.uneven || (each.results[i] && !each.meets[i]);
    }
  }
}

}  // namespace podsim::study
