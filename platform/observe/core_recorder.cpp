#include "platform/observe/core_recorder.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/tensor_core/command_footprint.h"

namespace podsim::observe {

using tensor_core::CommandEvent;
using tensor_core::Opcode;

namespace {

std::size_t unit_number(const tensor_core::Command& command) { return command.opcode == Opcode::kMatmul ? 0 : 1; }

std::string command_name(const tensor_core::Command& command) {
  constexpr std::array<const char*, 12> kNames{"add",     "max",      "min",          "fill",
                                               "matmul",  "multiply", "convert",      "row max",
                                               "row sum", "row exp",  "row multiply", "row divide"};
  const char* const name = kNames[static_cast<std::size_t>(command.opcode)];
  if (command.opcode == Opcode::kMatmul) return fmt::format("matmul {}x{}x{}", command.m, command.k, command.n);
  if (works_on_rows(command.opcode)) return fmt::format("{} {}x{}", name, command.m, command.n);
  return fmt::format("{} {}", name, command.count);
}

bool is_in_hbm(const tensor_core::Command& command) {
  const auto in = [](Address address) {
    return address != tensor_core::kNoOperand && region_of(address) == Region::kHbm;
  };
  const bool reads = command.opcode != Opcode::kFill && (in(command.a) || in(command.b));
  return reads || in(command.destination);
}

}  // namespace

CoreRecorder::CoreRecorder(Recording& recording, chip::Chip& chip, SemaphoreRecorder& semaphores)
    : recording_(recording), chip_(chip), semaphores_(semaphores), cores_(chip.tensor_cores.size()) {
  const GroupId group = recording.groups[index(chip.id())];
  for (unsigned i = 0; i < cores_.size(); ++i) {
    LaneBook& lanes = recording.lanes;
    cores_[i].units[0].lane =
        &lanes.lane(group, Place::kCore, 2 * i, LaneKind::kMxu, fmt::format("TensorCore {} MXU", i));
    cores_[i].units[1].lane =
        &lanes.lane(group, Place::kCore, 2 * i + 1, LaneKind::kVpu, fmt::format("TensorCore {} VPU", i));
    chip.tensor_cores[i]->command_probe.attach([this, i](const CommandEvent& event) { told(i, event); });
  }
}

void CoreRecorder::reset() {
  for (Core& core : cores_) {
    for (Unit& unit : core.units) {
      unit.written.clear();
      unit.running.clear();
      unit.busy = 0;
    }
  }
}

void CoreRecorder::command_written(unsigned core, const tensor_core::Command& command, SpanId thread,
                                   Picoseconds when) {
  if (core >= cores_.size()) return;
  cores_[core].units[unit_number(command)].written.push({command, thread, when});
}

void CoreRecorder::told(unsigned core, const CommandEvent& event) {
  if (!recording_.active) return;
  Unit& unit = cores_[core].units[unit_number(event.command)];
  const Picoseconds now = recording_.at(event.time);
  if (event.what == CommandEvent::What::kStarted) {
    Command command = unit.written.take([&](const Command& each) {
      return each.command.destination == event.command.destination && each.command.opcode == event.command.opcode;
    });
    command.command = event.command;
    command.started = now;
    if (command.asked < 0) command.asked = now;
    command.track = unit.lane->open(now);
    unit.running.push(command);
    return;
  }
  if (unit.running.empty()) return;
  const tensor_core::TensorCoreStatistics& counted = chip_.tensor_cores[core]->statistics();
  const Picoseconds busy = unit_number(event.command) == 0 ? counted.mxu_busy : counted.vpu_busy;
  add(unit, unit.running.pop(), now, busy - unit.busy, event.what == CommandEvent::What::kFinished);
  unit.busy = busy;
}

void CoreRecorder::add(Unit& unit, const Command& command, Picoseconds end, Picoseconds arithmetic, bool whole) {
  unit.lane->close(command.track, end);
  Span span{.begin = command.started, .end = end, .asked = std::min(command.asked, command.started)};
  span.bytes = tensor_core::footprint_of(command.command).destination;
  span.lane = unit.lane->lane(command.track);
  span.name = recording_.timeline.intern(command_name(command.command));
  span.thread = command.thread;
  span.role = Role::kCommand;
  // Of a command in HBM whose arithmetic takes less than half of its time, memory is what takes it.
  const bool held_up = is_in_hbm(command.command) && 2 * arithmetic < end - command.started;
  span.cause = held_up ? Cause::kHbm : Cause::kCompute;
  if (!whole) span.detail = recording_.timeline.intern("did not finish");
  const SpanId id = recording_.add(span);
  if (whole && command.command.semaphore != ~Address{0}) {
    semaphores_.will_be_raised(semaphore::semaphore_of(command.command.semaphore),
                               {.span = id, .copy = kNone, .when = end});
  }
}

void CoreRecorder::finish(Picoseconds now) {
  for (Core& core : cores_) {
    for (Unit& unit : core.units) {
      while (!unit.running.empty()) add(unit, unit.running.pop(), recording_.at(now), 0, false);
    }
  }
}

}  // namespace podsim::observe
