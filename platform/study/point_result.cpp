#include "platform/study/point_result.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <sstream>
#include <stdexcept>
#include <string_view>

#include "platform/run/outcome.h"

namespace podsim::study {

namespace {

constexpr std::size_t kLongestDiagnosis = 600;

// On one line, without what every message of podsim begins with, and cut where it gets long.
std::string one_line(const std::string& text) {
  constexpr std::string_view kPrefix = "podsim: ";
  std::istringstream lines(text);
  std::string all;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(kPrefix)) line.erase(0, kPrefix.size());
    line.erase(0, line.find_first_not_of(" \t"));
    line.erase(line.find_last_not_of(" \t\r") + 1);
    if (line.empty()) continue;
    const bool ended = all.empty() || std::string_view(".:;,").find(all.back()) != std::string_view::npos;
    all += (all.empty() ? "" : ended ? " " : "; ") + line;
  }
  if (all.size() > kLongestDiagnosis) all = all.substr(0, kLongestDiagnosis) + " ...";
  return all;
}

std::optional<PointResult> from_run(const std::string& text, const std::vector<CollectEntry>& collect) {
  const Json document = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!document.is_object() || !document.contains("outcome") || !document["outcome"].is_string()) return std::nullopt;
  PointResult result;
  result.outcome = document["outcome"].get<std::string>();
  try {
    result.exit_code = run::exit_code(run::outcome_from_name(result.outcome));
  } catch (const std::invalid_argument&) {
    return std::nullopt;
  }
  if (!result.completed()) result.diagnosis = one_line(document.value("explanation", std::string()));
  for (const CollectEntry& each : collect) result.collected[collected_as(each)] = take(document, each.path, each.take);
  return result;
}

}  // namespace

std::string collected_as(const CollectEntry& collect) {
  return collect.take == Take::kOnly ? collect.path
                                     : fmt::format("{} {}", config::enum_name(collect.take), collect.path);
}

bool PointResult::has(const std::vector<CollectEntry>& collect) const {
  if (!completed()) return true;
  return std::all_of(collect.begin(), collect.end(),
                     [&](const CollectEntry& each) { return collected.contains(collected_as(each)); });
}

std::optional<PointResult> result_of(const std::string& json, const std::string& err, std::optional<int> exit_code,
                                     const std::vector<CollectEntry>& collect) {
  if (!json.empty()) {
    if (auto result = from_run(json, collect)) return result;
  }
  if (!exit_code) return std::nullopt;
  PointResult result;
  result.exit_code = *exit_code;
  result.diagnosis = one_line(err);
  constexpr int kSignal = 128;
  if (*exit_code > kSignal) {
    const int signal = *exit_code - kSignal;
    result.outcome = "crashed";
    result.diagnosis = one_line(fmt::format("ended by signal {} ({}). {}", signal, ::strsignal(signal), err));
  } else if (*exit_code == run::exit_code(run::Outcome::kConfigError)) {
    result.outcome = "usage error";
  } else {
    result.outcome = "internal error";
    if (result.diagnosis.empty()) result.diagnosis = fmt::format("ended with code {} and no result", *exit_code);
  }
  return result;
}

Json to_json(const PointResult& result) {
  return {{"outcome", result.outcome},
          {"exit_code", result.exit_code},
          {"diagnosis", result.diagnosis},
          {"collected", result.collected},
          {"wall_s", result.wall_s}};
}

std::optional<PointResult> result_from_json(const std::string& text) {
  const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  try {
    PointResult result;
    result.outcome = json.at("outcome").get<std::string>();
    result.exit_code = json.at("exit_code").get<int>();
    result.diagnosis = json.at("diagnosis").get<std::string>();
    result.collected = json.at("collected");
    result.wall_s = json.at("wall_s").get<double>();
    return result;
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

}  // namespace podsim::study
