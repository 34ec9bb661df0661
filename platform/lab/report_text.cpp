#include "platform/lab/report_text.h"

#include <fmt/format.h>

#include "platform/report/number_text.h"
#include "platform/report/text_table.h"
#include "platform/run/step.h"

namespace podsim::lab {

namespace {

using Json = nlohmann::ordered_json;

report::TextTable table() {
  return report::TextTable({{"ring", 14, true}, {"elements", 8}, {"type", 4}, {"result", 1, true}});
}

std::string ring_text(const TrialRing& ring) {
  return fmt::format("{} chips, {}", ring.chips, ring.wraps ? "ring" : "line");
}

std::string result_text(const TrialResult& result) {
  if (result.passed()) return fmt::format("right, and under {} disturbances", kDisturbances);
  if (result.disturbance == 0) return result.outcome;
  return fmt::format("right undisturbed; under disturbance {}: {}", result.disturbance, result.outcome);
}

std::string times(const Lab& lab, const RingRecord& timing) {
  const auto us = [](Picoseconds time) { return fmt::format("{:10.1f} us", report::microseconds(time)); };
  const TrialResult& result = timing.result;
  const Bytes bytes = timing.ring.elements * tensor_core::size_of(timing.ring.type);
  std::string text = fmt::format("\n  {} of {} on {} chips, ring:\n", report::bytes_text(bytes),
                                 run::name(timing.ring.type), timing.ring.chips);
  text += fmt::format("  {}  yours\n", us(result.time));
  text += fmt::format("  {}  the library's {}{}{}\n", us(result.reference), run::name(lab.collective),
                      lab.collective == firmware::CollectiveKind::kCollectivePermute ? ""
                      : lab.directions == firmware::Directions::kOneWay              ? ", one way round"
                                                                                     : ", both ways round",
                      lab.beside_work ? ", behind the work" : "");
  if (lab.collective == firmware::CollectiveKind::kCollectivePermute) {
    return text + fmt::format("  {}  the field's formula\n", us(result.one_way));
  }
  return text + fmt::format("  {}  the field's formula, one way round\n  {}  both ways\n", us(result.one_way),
                            us(result.both_ways));
}

Json ring_json(const TrialRing& ring) {
  return {{"chips", ring.chips}, {"wraps", ring.wraps}, {"elements", ring.elements}, {"type", run::name(ring.type)}};
}

}  // namespace

std::string ring_header() { return table().header(); }

std::string ring_line(const RingRecord& record) {
  return table().row({ring_text(record.ring), fmt::format("{}", record.ring.elements),
                      std::string(run::name(record.ring.type)), result_text(record.result)});
}

std::string footer(const Lab& lab, const LabReport& report) {
  std::string text;
  const bool timed = report.timing && report.timing->result.passed();
  if (timed) text += times(lab, *report.timing);
  if (!report.passed) text += '\n' + report.explanation;
  if (report.passed) {
    text += fmt::format("\n{}: {}\n", lab.name, name(report.grade));
  } else if (timed) {
    text += fmt::format("\n{}: {}, but not mended: at least '{}' is asked for\n", lab.name, name(report.grade),
                        name(lab.wanted));
  } else {
    text += fmt::format("\n{}: fails ({})\n", lab.name, report.outcome);
  }
  return text;
}

Json to_json(const Lab& lab, const std::string& file, const LabReport& report) {
  Json rings = Json::array();
  for (const RingRecord& record : report.rings) {
    Json ring = ring_json(record.ring);
    ring["outcome"] = record.result.outcome;
    ring["disturbances"] = record.result.passed() ? kDisturbances : record.result.disturbance;
    rings.push_back(std::move(ring));
  }
  Json timing = nullptr;
  if (report.timing && report.timing->result.passed()) {
    const TrialResult& result = report.timing->result;
    timing = ring_json(report.timing->ring);
    timing["time_ps"] = result.time;
    timing["reference_ps"] = result.reference;
    timing["formula_one_way_ps"] = result.one_way;
    timing["formula_both_ways_ps"] = result.both_ways;
  }
  return {{"command", "lab"},
          {"lab", lab.name},
          {"file", file},
          {"passed", report.passed},
          {"grade", name(report.grade)},
          {"outcome", report.outcome},
          {"exit_code", report.exit_code},
          {"explanation", report.explanation},
          {"details", report.details},
          {"rings", std::move(rings)},
          {"timing", std::move(timing)}};
}

}  // namespace podsim::lab
