#include "platform/observe/comparison.h"

#include <fmt/format.h>

#include <algorithm>

#include "platform/report/number_text.h"
#include "platform/version.h"

namespace podsim::observe {

namespace {

// The critical path of a result: its own, or its timeline's.
const ResultJson* critical_path(const ResultJson& result) {
  const auto found = [](const ResultJson& json) -> const ResultJson* {
    return json.contains("critical_path") && json["critical_path"].is_object() ? &json["critical_path"] : nullptr;
  };
  if (const ResultJson* const own = found(result)) return own;
  return result.contains("timeline") ? found(result["timeline"]) : nullptr;
}

void add(std::vector<Comparison::Part>& parts, const std::string& cause, std::int64_t time, bool first) {
  auto place = std::find_if(parts.begin(), parts.end(), [&](const auto& part) { return part.cause == cause; });
  if (place == parts.end()) place = parts.insert(parts.end(), {cause, 0, 0});
  (first ? place->one : place->other) += time;
}

// "exposed_host_ps" without the unit and with spaces.
std::string words_of(std::string key) {
  if (key.ends_with("_ps")) key.resize(key.size() - 3);
  std::replace(key.begin(), key.end(), '_', ' ');
  return key;
}

void add_breakdowns(const ResultJson& result, bool first, std::vector<Comparison::Part>& parts) {
  for (const ResultJson& step : result["results"]) {
    if (!step.contains("module")) continue;
    const ResultJson& module = step["module"];
    const ResultJson& chip = module["breakdown"][module["slowest_chip"].get<std::size_t>()];
    for (const auto& [key, value] : chip.items()) {
      if (key == "total_ps") continue;
      if (!value.is_object()) {
        add(parts, words_of(key), value.get<std::int64_t>(), first);
        continue;
      }
      // What an exposed part is made of: "communication stalls: link".
      for (const auto& [cause, time] : value.items()) {
        add(parts, words_of(key) + ": " + words_of(cause), time.get<std::int64_t>(), first);
      }
    }
  }
}

bool has_modules(const ResultJson& result) {
  return std::any_of(result["results"].begin(), result["results"].end(),
                     [](const ResultJson& step) { return step.contains("module"); });
}

std::string change_text(std::int64_t one, std::int64_t other) {
  if (one == other) return "same";
  if (one == 0) return "new";
  const double ratio = static_cast<double>(other) / static_cast<double>(one);
  return ratio > 100 ? fmt::format("x {:.0f}", ratio) : fmt::format("{:+.1f} %", 100 * (ratio - 1));
}

std::string row(const std::string& name, std::optional<std::int64_t> one, std::optional<std::int64_t> other) {
  const auto us = [](std::optional<std::int64_t> time) {
    return time ? fmt::format("{:.3f}", report::microseconds(*time)) : std::string("-");
  };
  return fmt::format("  {:<34}{:>14}{:>14}{:>14}{:>11}\n", name, us(one), us(other),
                     one && other ? fmt::format("{:+.3f}", report::microseconds(*other - *one)) : "",
                     one && other ? change_text(*one, *other) : "");
}

std::string table(const std::string& title, const std::vector<Comparison::Part>& parts) {
  if (parts.empty()) return {};
  std::string text = fmt::format("\n  {:<34}{:>14}{:>14}{:>14}\n", title, "A(us)", "B(us)", "B - A");
  for (const Comparison::Part& part : parts) {
    if (part.one != 0 || part.other != 0) text += row(part.cause, part.one, part.other);
  }
  return text;
}

ResultJson parts_json(const std::vector<Comparison::Part>& parts) {
  ResultJson json = ResultJson::array();
  for (const Comparison::Part& part : parts) {
    json.push_back({{"cause", part.cause}, {"a_ps", part.one}, {"b_ps", part.other}});
  }
  return json;
}

}  // namespace

Comparison compare(const ResultJson& a, const std::string& one, const ResultJson& b, const std::string& other) {
  Comparison comparison;
  const ResultJson& first = a["results"];
  const ResultJson& second = b["results"];
  for (std::size_t i = 0; i < std::max(first.size(), second.size()); ++i) {
    Comparison::Step& step = comparison.steps.emplace_back();
    const auto read = [&](const ResultJson& results, std::optional<std::int64_t>& time) {
      if (i >= results.size()) return;
      time = results[i].at("time_ps").get<std::int64_t>();
      const auto name = results[i].at("name").get<std::string>();
      if (step.name.empty()) {
        step.name = name;
      } else if (step.name != name) {
        step.name += " / " + name;
      }
    };
    read(first, step.one);
    read(second, step.other);
  }
  const ResultJson* const path = critical_path(a);
  const ResultJson* const other_path = critical_path(b);
  for (const auto& [found, file] : {std::pair(path, one), std::pair(other_path, other)}) {
    if (found == nullptr) {
      comparison.not_compared.push_back(
          fmt::format("{} has no critical path: run it with --critical-path or --timeline, and --json", file));
    }
  }
  if (path != nullptr && other_path != nullptr) {
    for (const ResultJson& share : (*path)["shares"]) {
      add(comparison.causes, share["cause"].get<std::string>(), share["time"].get<std::int64_t>(), true);
    }
    for (const ResultJson& share : (*other_path)["shares"]) {
      add(comparison.causes, share["cause"].get<std::string>(), share["time"].get<std::int64_t>(), false);
    }
  }
  if (has_modules(a) && has_modules(b)) {
    add_breakdowns(a, true, comparison.breakdown);
    add_breakdowns(b, false, comparison.breakdown);
  }
  return comparison;
}

std::string comparison_text(const Comparison& comparison, const std::string& one, const std::string& other) {
  std::string text =
      fmt::format("A  {}\nB  {}\n\n  {:<34}{:>14}{:>14}{:>14}\n", one, other, "step", "A(us)", "B(us)", "B - A");
  std::int64_t all = 0, all_other = 0;
  bool both = true;
  for (std::size_t i = 0; i < comparison.steps.size(); ++i) {
    const Comparison::Step& step = comparison.steps[i];
    text += row(fmt::format("{} {}", i + 1, step.name), step.one, step.other);
    all += step.one.value_or(0);
    all_other += step.other.value_or(0);
    both = both && step.one && step.other;
  }
  if (comparison.steps.size() > 1 && both) text += row("all", all, all_other);
  text += table("critical path, by cause", comparison.causes);
  text += table("slowest chip of the modules", comparison.breakdown);
  for (const std::string& reason : comparison.not_compared) text += "\n  not compared: " + reason;
  return text + (comparison.not_compared.empty() ? "" : "\n");
}

ResultJson comparison_json(const Comparison& comparison, const std::string& one, const std::string& other) {
  ResultJson steps = ResultJson::array();
  for (const Comparison::Step& step : comparison.steps) {
    steps.push_back({{"name", step.name},
                     {"a_ps", step.one ? ResultJson(*step.one) : ResultJson()},
                     {"b_ps", step.other ? ResultJson(*step.other) : ResultJson()}});
  }
  return {{"podsim", version()},
          {"command", "compare"},
          {"a", one},
          {"b", other},
          {"steps", std::move(steps)},
          {"causes", parts_json(comparison.causes)},
          {"breakdown", parts_json(comparison.breakdown)},
          {"not_compared", comparison.not_compared}};
}

}  // namespace podsim::observe
