#include "platform/check/hazard.h"

#include <algorithm>

#include "models/dma/dma_registers.h"
#include "models/semaphore/semaphore_registers.h"
#include "models/tensor_core/command_footprint.h"
#include "platform/check/hazard_text.h"

namespace podsim::check {

using firmware::Device;
using firmware::TaskId;

HazardChecker::HazardChecker(const ici::TorusShape& torus, const Devices& devices, std::function<void()> on_hazard)
    : torus_(torus),
      devices_(devices),
      on_hazard_(std::move(on_hazard)),
      ledger_(torus.chips()),
      chips_(torus.chips()) {}

void HazardChecker::note_written(const firmware::Buffer& buffer) {
  MemoryHistory& memory =
      chips_[index(chip_of(buffer.address))].memory[static_cast<unsigned>(region_of(buffer.address))];
  memory.for_each(offset_of(buffer.address), buffer.bytes(),
                  [](MemoryHistory::Stretch& stretch) { stretch.writer = MemoryHistory::kBefore; });
}

// --- tasks -----------------------------------------------------------------------------------------------------------

void HazardChecker::task_launched(Device& chip, TaskId task, std::optional<TaskId> by) {
  ChipState& state = chips_[index(chip.id())];
  if (state.tasks.size() <= task) state.tasks.resize(task + 1);
  TaskState& launched = state.tasks[task];
  launched.clock = by ? state.tasks[*by].clock : std::make_shared<const VectorClock>();
  // A component may serve another task if whoever sees the new one has seen the end of the old one.
  const auto reusable = std::find_if(state.free_slots.begin(), state.free_slots.end(),
                                     [&](Slot slot) { return (*launched.clock)[slot] >= slot_time_[slot]; });
  if (reusable != state.free_slots.end()) {
    launched.slot = *reusable;
    state.free_slots.erase(reusable);
  } else {
    launched.slot = next_slot_++;
  }
}

void HazardChecker::task_ended(Device& chip, TaskId task) {
  ChipState& state = chips_[index(chip.id())];
  state.free_slots.push_back(state.tasks[task].slot);
}

void HazardChecker::task_joined(Device& chip, TaskId ended, TaskId by) {
  ChipState& state = chips_[index(chip.id())];
  if (state.tasks[by].clock == state.tasks[ended].clock) return;
  auto clock = std::make_shared<VectorClock>(*state.tasks[by].clock);
  clock->join(*state.tasks[ended].clock);
  state.tasks[by].clock = std::move(clock);
}

HazardChecker::TaskState& HazardChecker::running(ChipId chip) {
  return chips_[index(chip)].tasks[devices_[index(chip)]->task()];
}

void HazardChecker::access_ended(Device& chip, const scalar_core::PendingAccess& access) {
  if (access.kind != scalar_core::PendingAccess::Kind::kWaitAtLeast) return;
  TaskState& task = running(chip.id());
  const SemaphoreLedger::Knowledge knowledge =
      ledger_.wait(chip.id(), semaphore::semaphore_of(access.address), access.value);
  auto clock = std::make_shared<VectorClock>(*task.clock);
  clock->join(knowledge.clock);
  const Epoch now{task.slot, ++slot_time_[task.slot]};
  clock->set(now.slot, now.time);
  task.clock = std::move(clock);
  for (const Contribution& over : knowledge.over) {
    Operation& operation = operations_[*over.operation];
    Completion& part = over.of_send ? operation.read : operation.landed;
    if (!part.epoch.happened()) part = {now, chip.id(), access.point};
  }
}

// --- operations ------------------------------------------------------------------------------------------------------

void HazardChecker::written(ChipId chip, Address address, std::span<const std::uint64_t> words) {
  switch (region_of(address)) {
    case Region::kDma: return start_copy(chip, words);
    case Region::kTensorCore: return start_command(chip, address, words);
    case Region::kSemaphores: return raise(address, contribution(chip, words[0]));
    default: return;
  }
}

void HazardChecker::raise(Address add_register, Contribution contribution) {
  if (add_register == dma::kNoSemaphore || index(chip_of(add_register)) >= chips_.size()) return;
  ledger_.raise(chip_of(add_register), semaphore::semaphore_of(add_register), std::move(contribution));
}

Contribution HazardChecker::contribution(ChipId chip, std::uint64_t amount) {
  const Device& device = *devices_[index(chip)];
  Contribution made;
  made.amount = amount;
  made.chip = chip;
  made.task = device.task();
  made.point = device.point();
  made.clock = running(chip).clock;
  return made;
}

OperationId HazardChecker::start(ChipId chip, Operation operation) {
  const Device& device = *devices_[index(chip)];
  const auto id = static_cast<OperationId>(operations_.size());
  operation.chip = chip;
  operation.task = device.task();
  operation.point = device.point();
  operations_.push_back(operation);
  check_bounds(operations_.back());
  const ClockPointer clock = running(chip).clock;
  const Start start{id, *clock};
  for (std::size_t i = 0; i < operation.sources.size(); ++i) {
    operation.sources[i].for_each_piece([&](const Span& piece) {
      if (piece.bytes > 0) read(start, piece, operation.reads_ahead && i < 2);
    });
  }
  operation.destination.for_each_piece([&](const Span& piece) { write(start, piece); });
  return id;
}

void HazardChecker::start_copy(ChipId chip, std::span<const std::uint64_t> words) {
  const dma::Descriptor copy = dma::Descriptor::from_words(words);
  Contribution sent = contribution(chip, copy.bytes);
  sent.operation = start(chip, {.kind = Operation::Kind::kCopy,
                                .sources = {Span{copy.source, copy.bytes, copy.source_rows()}},
                                .destination = {copy.destination, copy.bytes, copy.destination_rows()},
                                .send_semaphore = copy.send_semaphore,
                                .done_semaphore = copy.recv_semaphore});
  Contribution landed = sent;
  sent.of_send = true;
  raise(copy.send_semaphore, std::move(sent));
  raise(copy.recv_semaphore, std::move(landed));
}

void HazardChecker::start_command(ChipId chip, Address address, std::span<const std::uint64_t> words) {
  const auto command = tensor_core::Command::from_words(words.data());
  const tensor_core::Footprint bytes = tensor_core::footprint_of(command);
  const Span destination{command.destination, bytes.destination};
  Operation operation{.kind = Operation::Kind::kVector,
                      .destination = destination,
                      .unit = tensor_core::unit_address(address, command),
                      .send_semaphore = dma::kNoSemaphore,
                      .done_semaphore = command.semaphore};
  operation.sources = {Span{command.a, bytes.a}, Span{command.b, bytes.b}};
  if (bytes.reads_destination) operation.sources[2] = destination;
  operation.reads_ahead = command.opcode == tensor_core::Opcode::kMatmul;
  Contribution done = contribution(chip, command.amount);
  done.operation = start(chip, operation);
  raise(command.semaphore, std::move(done));
}

namespace {

bool names_memory(Address address, std::size_t chips) {
  return index(chip_of(address)) < chips && static_cast<unsigned>(region_of(address)) < kRegionCount;
}

}  // namespace

// --- accesses --------------------------------------------------------------------------------------------------------

void HazardChecker::check_bounds(const Operation& operation) {
  firmware::Allocator& allocator = devices_[index(operation.chip)]->allocate();
  const auto check = [&](const Span& span) {
    // Programs allocate alike on all chips, so the starter's own buffers say what is one on the target.
    if (span.bytes == 0 || allocator.holds(on_chip(span.address, operation.chip), span.bytes)) return;
    report(Kind::kOutOfBounds, span, std::nullopt, static_cast<OperationId>(&operation - operations_.data()));
  };
  for (const Span& source : operation.sources) source.for_each_piece(check);
  operation.destination.for_each_piece(check);
}

bool HazardChecker::same_unit(OperationId earlier, const Start& start) const {
  const Operation& operation = operations_[earlier];
  return operation.unit && operation.unit == operations_[start.id].unit;
}

bool HazardChecker::read_is_over(OperationId earlier, const Start& start) const {
  const Operation& operation = operations_[earlier];
  return earlier == start.id || operation.read.epoch.seen_by(start.clock) ||
         operation.landed.epoch.seen_by(start.clock) || same_unit(earlier, start);
}

bool HazardChecker::landed(OperationId earlier, const Start& start) const {
  return earlier >= MemoryHistory::kBefore || operations_[earlier].landed.epoch.seen_by(start.clock);
}

bool HazardChecker::write_is_over(OperationId earlier, const Start& start) const {
  if (earlier >= MemoryHistory::kBefore) return true;
  return operations_[earlier].landed.epoch.seen_by(start.clock) || same_unit(earlier, start);
}

void HazardChecker::read(const Start& start, const Span& span, bool ahead) {
  if (!names_memory(span.address, chips_.size())) return;  // out of bounds, and reported
  MemoryHistory& memory = chips_[index(chip_of(span.address))].memory[static_cast<unsigned>(region_of(span.address))];
  const Address base = span.address - offset_of(span.address);
  memory.for_each(offset_of(span.address), span.bytes, [&](MemoryHistory::Stretch& stretch) {
    const Span here{base + stretch.first, stretch.end - stretch.first};
    if (stretch.writer == MemoryHistory::kNobody) {
      report(Kind::kUninitialised, here, std::nullopt, start.id);
      stretch.writer = MemoryHistory::kBefore;  // once is enough
    } else if (!write_is_over(stretch.writer, start) || (ahead && !landed(stretch.writer, start))) {
      report(Kind::kReadBeforeLanding, here, stretch.writer, start.id);
    }
    // Who waits for this read to end has seen the end of those that were over when it started.
    std::erase_if(stretch.readers, [&](OperationId earlier) { return read_is_over(earlier, start); });
    stretch.readers.push_back(start.id);
  });
}

void HazardChecker::write(const Start& start, const Span& span) {
  if (!names_memory(span.address, chips_.size())) return;
  MemoryHistory& memory = chips_[index(chip_of(span.address))].memory[static_cast<unsigned>(region_of(span.address))];
  const Address base = span.address - offset_of(span.address);
  memory.for_each(offset_of(span.address), span.bytes, [&](MemoryHistory::Stretch& stretch) {
    const Span here{base + stretch.first, stretch.end - stretch.first};
    for (const OperationId earlier : stretch.readers) {
      if (read_is_over(earlier, start)) continue;
      const bool own = operations_[earlier].chip == operations_[start.id].chip &&
                       operations_[earlier].task == operations_[start.id].task;
      report(own ? Kind::kSourceReused : Kind::kWriteIntoRead, here, earlier, start.id);
    }
    if (stretch.writer != start.id && !write_is_over(stretch.writer, start)) {
      report(Kind::kTwoWriters, here, stretch.writer, start.id);
    }
    stretch.writer = start.id;
    stretch.readers.clear();
  });
}

void HazardChecker::report(Kind kind, const Span& where, std::optional<OperationId> earlier, OperationId later) {
  if (hazard_) return;
  kind_ = kind;
  hazard_ =
      hazard_text({kind, where, earlier ? &operations_[*earlier] : nullptr, operations_[later]}, torus_, devices_);
  on_hazard_();
}

}  // namespace podsim::check
