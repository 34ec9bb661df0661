#include "platform/report/module_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "platform/report/number_text.h"
#include "platform/report/text_table.h"
#include "platform/run/module_fields.h"
#include "platform/run/module_result.h"

namespace podsim::report {

using firmware::Module;
using firmware::Order;
using firmware::Slot;
using run::ModuleResult;
using schedule::Gap;

namespace {

constexpr std::size_t kLongestSchedule = 80;  // lines
constexpr std::size_t kMostTransfers = 24;

double share(Picoseconds part, Picoseconds whole) {
  return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

std::string percent(double fraction) { return fmt::format("{:.1f} %", 100 * fraction); }
std::string us(Picoseconds time) { return fmt::format("{:.3f}", microseconds(time)); }

std::string slot_text(const Module& module, const Slot& slot) {
  const firmware::Instruction& instruction = module.instructions[slot.instruction];
  const char* const verb = slot.kind == Slot::Kind::kStart ? "start " : slot.kind == Slot::Kind::kDone ? "done  " : "";
  const std::string what = slot.kind == Slot::Kind::kDone ? "" : fmt::format(" = {}", work_name(instruction.work));
  return fmt::format("{}{}{}", verb, instruction.name, what);
}

constexpr std::array<const char*, stall::kCauses> kCauseNames = {"peer (semaphore)", "link",    "HBM", "DMA slot",
                                                                 "vector unit",      "context", "core"};
constexpr std::array<const char*, stall::kCauses> kCauseKeys = {"semaphore",   "link",    "hbm", "dma_slot",
                                                                "vector_unit", "context", "core"};

// "link 93 %"
std::string most_text(const stall::Stalls& stalls) {
  if (stalls.all() == 0) return "-";
  const stall::Cause most = stalls.most();
  return fmt::format("{} {:.0f} %", kCauseNames[static_cast<std::size_t>(most)],
                     100 * share(stalls[most], stalls.all()));
}

std::string reason_text(const Module& module, Gap::Reason reason, bool start, std::size_t other) {
  switch (reason) {
    case Gap::Reason::kNeeds:
      return start ? fmt::format("needs {}", module.instructions[other].name)
                   : fmt::format("{} needs it", module.instructions[other].name);
    case Gap::Reason::kLimit: return "as many are under way as may be";
    case Gap::Reason::kMemory: return "no memory before";
    case Gap::Reason::kChannels: return "its links are taken by others";
    case Gap::Reason::kEnough: return "wide enough";
    case Gap::Reason::kEnd: return start ? "the program begins" : "the program ends";
    case Gap::Reason::kNothing: return "as written";
  }
  return {};
}

std::string schedule_text(const ModuleResult& result) {
  const bool changed = result.plan.order != result.plan.written;
  std::size_t width = 8;
  for (const Slot& slot : result.plan.written) width = std::max(width, slot_text(result.module, slot).size());
  std::string text = fmt::format("  schedule, {}\n", config::enum_name(result.options.mode));
  if (result.found_took > 0) {
    text += fmt::format("    kept as written: with the order that was found the step took longer, {}\n",
                        time_text(result.found_took));
  }
  const TextTable table({{"as written", width, true}, {"expected(us)", 12}, {changed ? "as run" : "", width, true}},
                        "    ");
  const TextTable same({{"expected(us)", 12}, {"as written, and as run", width, true}}, "    ");
  text += changed ? table.header() : same.header();
  const std::size_t lines = std::max(result.plan.order.size(), result.plan.written.size());
  for (std::size_t i = 0; i < std::min(lines, kLongestSchedule); ++i) {
    const auto at = [&](const Order& order) { return i < order.size() ? slot_text(result.module, order[i]) : ""; };
    const std::string begin = i < result.plan.order.size() ? us(result.plan.expected.slots[i].begin) : "";
    text += changed ? table.row({at(result.plan.written), begin, at(result.plan.order)})
                    : same.row({begin, at(result.plan.order)});
  }
  if (lines > kLongestSchedule)
    text += fmt::format("    ... and {} more; the JSON has all\n", lines - kLongestSchedule);
  return text;
}

std::string transfers_text(const ModuleResult& result) {
  std::vector<run::TransferFigures> transfers = result.transfers();
  if (transfers.empty()) return {};
  std::string text = "  transfers, each on the chip where it was exposed longest";
  const std::size_t all = transfers.size();
  if (all > kMostTransfers) {
    std::stable_sort(transfers.begin(), transfers.end(),
                     [](const auto& a, const auto& b) { return a.exposed > b.exposed; });
    transfers.resize(kMostTransfers);
    text += fmt::format("; the {} most exposed of {}", kMostTransfers, all);
  }
  std::size_t name = 4, what = 4;
  for (const run::TransferFigures& each : transfers) {
    const firmware::Instruction& instruction = result.module.instructions[each.instruction];
    name = std::max(name, instruction.name.size());
    what = std::max(what, work_name(instruction.work).size());
  }
  const TextTable table({{"name", name, true},
                         {"what", what, true},
                         {"chip", 4},
                         {"issued(us)", 11},
                         {"finished", 11},
                         {"alone", 10},
                         {"exposed", 10},
                         {"hidden", 10},
                         {"held up by", 22, true},
                         {"start: why not earlier; done: why not later", 0, true}},
                        "    ");
  text += '\n' + table.header();
  for (const run::TransferFigures& each : transfers) {
    const firmware::Instruction& instruction = result.module.instructions[each.instruction];
    const auto gap = std::find_if(result.plan.gaps.begin(), result.plan.gaps.end(),
                                  [&](const Gap& one) { return one.transfer == each.instruction; });
    const std::string why = gap == result.plan.gaps.end()
                                ? ""
                                : fmt::format("{}; {}", reason_text(result.module, gap->start, true, gap->start_after),
                                              reason_text(result.module, gap->done, false, gap->done_before));
    text += table.row({instruction.name, work_name(instruction.work), fmt::format("{}", index(each.chip)),
                       us(each.issued), us(each.finished), us(result.durations[each.instruction]), us(each.exposed),
                       us(each.hidden), most_text(each.stalls), why});
  }
  return text;
}

}  // namespace

double Bounds::most() const { return std::max({mxu, vpu, hbm, ici, pcie}); }

std::string Bounds::nearest() const {
  const std::pair<const char*, double> all[] = {{"MXU", mxu}, {"VPU", vpu}, {"HBM", hbm}, {"ICI", ici}, {"PCIe", pcie}};
  return std::max_element(std::begin(all), std::end(all),
                          [](const auto& a, const auto& b) { return a.second < b.second; })
      ->first;
}

Bounds bounds_of(const StepRecord& step) {
  Bounds bounds;
  const Picoseconds time = step.result.time;
  for (const ChipStatistics& chip : step.chips) {
    Picoseconds mxu = 0, vpu = 0;
    for (const auto& core : chip.tensor_cores) {
      mxu += core.mxu_busy;
      vpu += core.vpu_busy;
    }
    const double cores = std::max<double>(1, static_cast<double>(chip.tensor_cores.size()));
    bounds.mxu = std::max(bounds.mxu, share(mxu, time) / cores);
    bounds.vpu = std::max(bounds.vpu, share(vpu, time) / cores);
    bounds.hbm = std::max(bounds.hbm, share(chip.hbm.busy, time));
    bounds.pcie =
        std::max(bounds.pcie, std::max(share(chip.pcie.upstream_busy, time), share(chip.pcie.downstream_busy, time)));
  }
  for (const LinkUse& link : step.links) bounds.ici = std::max(bounds.ici, link.busy_fraction);
  return bounds;
}

std::string module_text(std::size_t number, const StepRecord& step) {
  const ModuleResult& result = *step.result.module;
  const ChipId slowest = result.slowest();
  const run::StepBreakdown parts = result.breakdown(slowest);
  const Bounds bounds = bounds_of(step);
  const double flops = flops_of(result.module);

  std::string text = fmt::format("\nStep {}, {}: {} instructions, {} slots\n", number, result.module.name,
                                 result.module.instructions.size(), result.plan.order.size());
  text += schedule_text(result);
  text += transfers_text(result);
  text += fmt::format("  step of {} on chip {}, the slowest; {} were expected without contention\n",
                      time_text(parts.total), index(slowest), time_text(result.plan.expected.total));
  const auto line = [&](const char* what, Picoseconds time) {
    text += fmt::format("    {:<24}{:>14} us  {:>7}\n", what, us(time), percent(share(time, parts.total)));
  };
  line("compute", parts.compute.alone);
  line("  slowed by contention", parts.compute.slowed);
  line("exposed communication", parts.communication.alone);
  line("  slowed, or chips late", parts.communication.slowed);
  line("exposed host transfer", parts.host.alone);
  line("  slowed by contention", parts.host.slowed);
  line("issue", parts.issue);
  stall::Stalls stalls = parts.communication_stalls;
  stalls += parts.host_stalls;
  if (stalls.all() > 0) text += "  stalls: what it was exposed to, by cause\n";
  for (std::size_t i = 0; i < stall::kCauses; ++i) {
    if (stalls.by[i] > 0) line(kCauseNames[i], stalls.by[i]);
  }
  text += fmt::format("  busy: MXU {}, VPU {}, HBM {}, busiest ICI link {}, PCIe {}: nearest to its {} bound\n",
                      percent(bounds.mxu), percent(bounds.vpu), percent(bounds.hbm), percent(bounds.ici),
                      percent(bounds.pcie), bounds.nearest());
  if (parts.total > 0 && flops > 0) {
    text += fmt::format("  {} a chip\n", decimal_text(flops * 1e12 / static_cast<double>(parts.total), "FLOP/s"));
  }
  text += fmt::format("  HBM: {} live at most, {} with gaps, of {}\n", bytes_text(result.plan.memory.peak),
                      bytes_text(result.plan.memory.size), bytes_text(result.options.memory.value_or(0)));
  if (result.plan.host > 0) text += fmt::format("  host memory: {} a chip\n", bytes_text(result.plan.host));
  return text;
}

std::string module_summary(const RunRecord& run) {
  std::string text;
  for (std::size_t i = 0; i < run.steps.size(); ++i) {
    const auto& result = run.steps[i].result;
    if (result.module != nullptr && result.outcome == run::Outcome::kCompleted)
      text += module_text(i + 1, run.steps[i]);
  }
  return text;
}

namespace {

nlohmann::ordered_json order_json(const Module& module, const Order& order) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const Slot& slot : order) json.push_back(slot_text(module, slot));
  return json;
}

nlohmann::ordered_json stalls_json(const stall::Stalls& stalls) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  for (std::size_t i = 0; i < stall::kCauses; ++i) json[kCauseKeys[i]] = stalls.by[i];
  return json;
}

}  // namespace

nlohmann::ordered_json module_json(const StepRecord& step) {
  using Json = nlohmann::ordered_json;
  const ModuleResult& result = *step.result.module;
  const Bounds bounds = bounds_of(step);
  Json transfers = Json::array();
  for (const run::TransferFigures& each : result.transfers()) {
    const firmware::Instruction& instruction = result.module.instructions[each.instruction];
    transfers.push_back({{"name", instruction.name},
                         {"what", work_name(instruction.work)},
                         {"chip", index(each.chip)},
                         {"issued_ps", each.issued},
                         {"started_ps", each.started},
                         {"finished_ps", each.finished},
                         {"alone_ps", result.durations[each.instruction]},
                         {"exposed_ps", each.exposed},
                         {"hidden_ps", each.hidden},
                         {"stalls_ps", stalls_json(each.stalls)}});
  }
  Json gaps = Json::array();
  for (const Gap& gap : result.plan.gaps) {
    gaps.push_back({{"transfer", result.module.instructions[gap.transfer].name},
                    {"work_ps", gap.work},
                    {"expected_ps", gap.duration},
                    {"start", reason_text(result.module, gap.start, true, gap.start_after)},
                    {"done", reason_text(result.module, gap.done, false, gap.done_before)}});
  }
  Json breakdowns = Json::array();
  for (std::size_t c = 0; c < result.chips.size(); ++c) {
    const run::StepBreakdown parts = result.breakdown(static_cast<ChipId>(c));
    breakdowns.push_back({{"total_ps", parts.total},
                          {"compute_ps", parts.compute.alone},
                          {"compute_slowed_ps", parts.compute.slowed},
                          {"exposed_communication_ps", parts.communication.alone},
                          {"exposed_communication_slowed_ps", parts.communication.slowed},
                          {"exposed_host_ps", parts.host.alone},
                          {"exposed_host_slowed_ps", parts.host.slowed},
                          {"issue_ps", parts.issue},
                          {"communication_stalls_ps", stalls_json(parts.communication_stalls)},
                          {"host_stalls_ps", stalls_json(parts.host_stalls)}});
  }
  return {{"name", result.module.name},
          {"schedule", config::enum_name(result.options.mode)},
          {"expected_ps", result.plan.expected.total},
          {"as_written", order_json(result.module, result.plan.written)},
          {"as_run", order_json(result.module, result.plan.order)},
          {"transfers", std::move(transfers)},
          {"gaps", std::move(gaps)},
          {"slowest_chip", index(result.slowest())},
          {"breakdown", std::move(breakdowns)},
          {"busy",
           {{"mxu", bounds.mxu},
            {"vpu", bounds.vpu},
            {"hbm", bounds.hbm},
            {"ici", bounds.ici},
            {"pcie", bounds.pcie},
            {"nearest_bound", bounds.nearest()}}},
          {"hbm_peak_bytes", result.plan.memory.peak},
          {"hbm_bytes", result.plan.memory.size},
          {"host_bytes", result.plan.host}};
}

}  // namespace podsim::report
