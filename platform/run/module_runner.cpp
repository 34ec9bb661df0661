#include "platform/run/module_runner.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>

#include "firmware/device/errors.h"
#include "firmware/kernels/tile_choice.h"
#include "platform/check/module_data.h"
#include "platform/report/number_text.h"
#include "platform/run/figures.h"
#include "platform/run/launch_observer.h"
#include "platform/run/whole_ring.h"

namespace podsim::run {

using firmware::CollectiveCall;
using firmware::HostTransfer;
using firmware::Instruction;
using firmware::KernelCall;
using firmware::Module;
using firmware::Slot;

namespace {

// What an instruction does, and to what: instructions of which this is the same take the same time.
std::string signature(const Instruction& instruction) {
  std::string text = fmt::format("{} {} {} {}", work_name(instruction.work), to_string(instruction.result),
                                 instruction.dim, instruction.concat);
  for (const firmware::Operand& operand : instruction.operands) text += ' ' + to_string(operand.shape);
  if (const auto* const call = std::get_if<CollectiveCall>(&instruction.work)) {
    std::vector<unsigned> axes;
    for (const ici::Axis axis : call->axes) axes.push_back(static_cast<unsigned>(axis));
    text += fmt::format(" over {} by {} {}", fmt::join(axes, ","), static_cast<int>(call->algorithm),
                        static_cast<int>(call->reduction));
    for (const auto& [from, to] : call->pairs) text += fmt::format(" {}>{}", index(from), index(to));
  }
  if (const auto* const kernel = std::get_if<KernelCall>(&instruction.work)) {
    text += fmt::format(" op {} tiles {} {} {} {}", static_cast<int>(kernel->operation), kernel->tiles.m,
                        kernel->tiles.k, kernel->tiles.n, kernel->cores);
  }
  if (const auto* const copy = std::get_if<HostTransfer>(&instruction.work)) text += copy->pinned ? " pinned" : "";
  return text;
}

// Tiles as wide as their matrices. The number of rows is the tile chooser's affair.
firmware::Tiles whole_rows(const KernelCall& call) {
  if (call.kind == firmware::KernelKind::kMatmul) return {.m = 0, .k = call.k, .n = call.n};
  if (call.kind == firmware::KernelKind::kAttention) return {};
  return {.m = 0, .k = 0, .n = call.n};
}

// Why a plan can't be run within the limits; empty if it can.
std::string too_much(const ModulePlan& plan, const ScheduleOptions& options, std::uint32_t barriers) {
  if (plan.memory.size > *options.memory) {
    return fmt::format("needs {} of HBM, of which {} are live at the same time; {} may be used",
                       report::bytes_text(plan.memory.size), report::bytes_text(plan.memory.peak),
                       report::bytes_text(*options.memory));
  }
  if (options.mode == ScheduleMode::kLatencyHiding && plan.lanes.count > options.in_flight) {
    return fmt::format("has {} transfers under way at the same time, where in_flight is {}", plan.lanes.count,
                       options.in_flight);
  }
  if (plan.lanes.barriers > barriers) {
    return fmt::format(
        "has collectives under way that need {} barrier semaphores, of which a chip has {}; fewer are "
        "needed with fewer in flight",
        plan.lanes.barriers, barriers);
  }
  return {};
}

bool has_transfers(const Module& module) {
  return std::any_of(module.instructions.begin(), module.instructions.end(),
                     [](const Instruction& each) { return each.is_transfer(); });
}

}  // namespace

Module ModuleRunner::prepared(Module module) const {
  const pod::ChipConfig& chip = pod_.config().chip;
  const firmware::CoreFigures core = core_figures_of(chip);
  // Half of the VMEM is for collectives (executor.h).
  const Bytes vmem = chip.vmem.capacity.bytes / (has_transfers(module) ? 2 : 1) / chip.tensor_cores;
  const auto ring = whole_ring(pod_.torus());
  for (Instruction& instruction : module.instructions) {
    if (auto* const kernel = std::get_if<KernelCall>(&instruction.work)) {
      kernel->cores = chip.tensor_cores;
      if (lies_in_rows(*kernel)) {
        kernel->tiles = whole_rows(*kernel);
      } else if (pod_.with_data()) {
        throw firmware::ProgramError(fmt::format(
            "{}: its operands and result are larger than {} KiB, and lie tile by tile: run it with data: none",
            instruction.name, kMostInRows / kKiB));
      }
      *kernel = firmware::with_tiles(*kernel, core, vmem);
      kernel->written_at = instruction.written_at;
    }
    if (auto* const call = std::get_if<CollectiveCall>(&instruction.work)) {
      call->written_at = instruction.written_at;
      if (call->kind != firmware::CollectiveKind::kCollectivePermute) call->groups = ring;
    }
  }
  return module;
}

Durations ModuleRunner::measure(const Module& module, const ScheduleOptions& options) {
  Durations durations;
  for (std::size_t i = 0; i < module.instructions.size(); ++i) {
    const Instruction& instruction = module.instructions[i];
    if (instruction.is_parameter()) {
      durations.push_back(0);
      continue;
    }
    const auto [place, is_new] = measured_.try_emplace(signature(instruction), 0);
    if (is_new) place->second = measure(module, i, options);
    durations.push_back(place->second);
  }
  return durations;
}

Picoseconds ModuleRunner::measure(const Module& module, std::size_t number, const ScheduleOptions& options) {
  Module alone;
  alone.name = module.name;
  Instruction instruction = module.instructions[number];
  instruction.after.clear();
  instruction.chips.clear();
  // An operand of a copy from the host has to be there, which a parameter is not.
  for (firmware::Operand& operand : instruction.operands) {
    Instruction source = module.instructions[operand.instruction];
    const auto* const copy = std::get_if<HostTransfer>(&source.work);
    if (copy != nullptr && copy->out) {
      alone.instructions.push_back(
          {.name = source.name + " operand", .work = firmware::Parameter{}, .result = source.result});
      source.operands = {{alone.instructions.size() - 1, 0, source.result}};
      alone.written.push_back({Slot::Kind::kStart, alone.instructions.size()});
      alone.written.push_back({Slot::Kind::kDone, alone.instructions.size()});
    } else {
      source.work = firmware::Parameter{};
      source.operands.clear();
    }
    source.after.clear();
    source.chips.clear();
    alone.instructions.push_back(std::move(source));
    operand.instruction = alone.instructions.size() - 1;
  }
  const bool transfer = instruction.is_transfer();
  const std::size_t self = alone.instructions.size();
  alone.instructions.push_back(std::move(instruction));
  alone.written.push_back({transfer ? Slot::Kind::kStart : Slot::Kind::kRun, self});
  if (transfer) alone.written.push_back({Slot::Kind::kDone, self});

  ScheduleOptions as_written = options;
  as_written.mode = ScheduleMode::kAsWritten;
  const ModulePlan plan = plan_module(alone, Durations(alone.instructions.size()), pod_.torus(), as_written);
  if (const std::string why = too_much(plan, as_written, pod_.config().chip.semaphores.barrier); !why.empty()) {
    throw firmware::OutOfResources(fmt::format("{} alone {}", module.instructions[number].name, why));
  }
  launcher_.let_observe(false);
  const Launched launched = launch(alone, plan);
  launcher_.let_observe(true);
  if (launched.launch.outcome != Outcome::kCompleted) {
    throw firmware::ProgramError(fmt::format("{}, run alone to find out what it takes: {}",
                                             module.instructions[number].name, launched.launch.explanation));
  }
  Picoseconds longest = 0;
  for (const firmware::Execution& chip : launched.chips) {
    const Picoseconds time =
        transfer ? chip.transfers[self].finished - chip.transfers[self].issued : chip.slots.back().length();
    longest = std::max(longest, time);
  }
  return longest;
}

ModuleRunner::Launched ModuleRunner::launch(const Module& module, const ModulePlan& plan,
                                            const std::function<void(const std::vector<firmware::Placement>&)>& fill,
                                            stall::StallWatch* watch) {
  launcher_.reset_allocation();
  Launched launched;
  launched.chips.resize(pod_.size());
  for (std::uint32_t i = 0; i < pod_.size(); ++i) {
    launched.places.push_back(place(module, plan, launcher_.device(static_cast<ChipId>(i)).allocate()));
    for (std::size_t n = 0; n < module.instructions.size(); ++n) {
      if (module.instructions[n].is_parameter()) launcher_.note_written(launched.places.back()[n].result);
    }
  }
  if (fill) fill(launched.places);
  pod_.reset_statistics();
  if (watch != nullptr) {
    watch->begin(plan.order, launched.chips);
    for (const auto& chip : pod_.chips()) launcher_.device(chip->id()).attach(*watch);
  }
  launched.launch = launcher_.launch([&](firmware::Device& device) {
    const std::size_t chip = index(device.id());
    return firmware::execute(device, module, plan.order, launched.places[chip], plan.lanes, launched.chips[chip]);
  });
  if (watch != nullptr) launched.stalls = watch->end();
  return launched;
}

StepResult ModuleRunner::run(const Module& written, const ScheduleOptions& options) {
  auto result = std::make_shared<ModuleResult>();
  result->module = prepared(written);
  result->options = options;
  if (!result->options.memory) result->options.memory = pod_.config().chip.hbm.capacity.bytes;
  const auto wall_start = std::chrono::steady_clock::now();
  result->durations = measure(result->module, result->options);
  result->plan = plan_module(result->module, result->durations, pod_.torus(), result->options);
  // Contention is not in the scheduler's times: whether its order is the better one is for the simulation to say. The
  // order as written may break the limits, and the one found may find no place for its buffers.
  const bool found_other =
      result->options.mode == ScheduleMode::kLatencyHiding && result->plan.order != result->plan.written;
  std::optional<ModulePlan> as_written;
  const auto trouble = [&](const ModulePlan& plan) {
    return too_much(plan, result->options, pod_.config().chip.semaphores.barrier);
  };
  if (found_other) {
    ScheduleOptions options_as_written = result->options;
    options_as_written.mode = ScheduleMode::kAsWritten;
    as_written = plan_module(result->module, result->durations, pod_.torus(), options_as_written);
    if (!trouble(*as_written).empty()) as_written.reset();
  }
  if (const std::string why = trouble(result->plan); !why.empty()) {
    if (!as_written) throw firmware::OutOfResources(why);
    result->plan = *std::exchange(as_written, std::nullopt);
  }
  const check::ModuleData data(pod_, result->module);
  const auto carry_out = [&](const ModulePlan& plan) {
    const auto fill = [&](const std::vector<firmware::Placement>& places) {
      if (pod_.with_data()) data.fill(places);
    };
    return launch(result->module, plan, fill, watch_.get());
  };
  if (!watch_) watch_ = std::make_unique<stall::StallWatch>(pod_);
  std::optional<Launched> trial;
  if (as_written) trial = carry_out(*as_written);
  Launched launched;
  LaunchObserver* const observer = launcher_.observer();
  if (observer != nullptr && trial && trial->launch.outcome == Outcome::kCompleted) observer->launch_discarded();
  if (trial && trial->launch.outcome != Outcome::kCompleted) {  // which is the result; nothing can be run after it
    result->plan = *as_written;
    launched = *std::move(trial);
  } else {
    launched = carry_out(result->plan);
    if (trial && launched.launch.outcome == Outcome::kCompleted && launched.launch.time > trial->launch.time) {
      result->found_took = launched.launch.time;
      if (observer != nullptr) observer->launch_discarded();
      result->plan = *as_written;
      launched = carry_out(result->plan);
    }
  }
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - wall_start;
  result->chips = std::move(launched.chips);
  result->stalls = std::move(launched.stalls);
  if (observer != nullptr) observer->module_executed(result->module, result->plan, result->chips);

  StepResult step;
  step.name = written.name;
  step.outcome = launched.launch.outcome;
  step.explanation = launched.launch.explanation;
  step.details = launched.launch.details;
  step.graph = launched.launch.graph;
  step.reduction = "none";
  step.group_size = pod_.torus().chips();
  step.time = launched.launch.time;
  step.events = launched.launch.events;
  step.cycles = static_cast<std::uint64_t>(step.time /
                                           std::max<Picoseconds>(1, pod_.config().chip.scalar_core.clock.time_for(1)));
  step.wall_s = wall.count();
  if (pod_.with_data() && step.outcome == Outcome::kCompleted) {
    const check::DataResult compared = data.compare(launched.places);
    step.wrong = compared.wrong;
    if (compared.wrong > 0) {
      step.outcome = Outcome::kWrongData;
      step.explanation = compared.explanation;
      step.details = {compared.explanation};
    }
  }
  step.module = std::move(result);
  return step;
}

}  // namespace podsim::run
