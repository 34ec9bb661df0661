#include "platform/observe/recorder.h"

#include <fmt/format.h>

#include <algorithm>

#include "platform/check/program_point.h"
#include "platform/report/number_text.h"
#include "platform/run/launcher.h"
#include "platform/run/module_fields.h"
#include "platform/run/module_plan.h"
#include "platform/run/step.h"

namespace podsim::observe {

Recorder::Recorder(pod::Pod& pod, Timeline& timeline, Selection selection)
    : pod_(pod), timeline_(timeline), recording_(timeline, std::move(selection)), names_(timeline), chips_(pod.size()) {
  recording_.groups.assign(pod.size(), kNone);
  for (const auto& module : pod.chips()) {
    const ChipId id = module->id();
    if (!recording_.selection.has(id)) continue;
    const StringId name = timeline.intern(fmt::format("/device:TPU:{} {}", index(id), pod.torus().place(id)));
    recording_.groups[index(id)] = timeline.add_group({name, GroupKind::kChip, index(id)});
  }
  copies_ = std::make_unique<CopyRecorder>(recording_, names_, pod,
                                           [this](ChipId id) { return chips_[index(id)].semaphores.get(); });
  links_ = std::make_unique<LinkRecorder>(recording_, names_, pod,
                                          [this](std::uint64_t transfer) { return copies_->number_of(transfer); });
  for (const auto& module : pod.chips()) {
    Chip& chip = chips_[index(module->id())];
    chip.group = recording_.groups[index(module->id())];
    if (chip.group == kNone) continue;
    const auto lane = [&](Place place, const char* name) {
      return &recording_.lanes.lane(chip.group, place, 0, LaneKind::kProgram, name);
    };
    chip.steps = lane(Place::kSteps, "Steps");
    chip.calls = lane(Place::kAsync, "Async XLA Ops");
    chip.tasks_lane = lane(Place::kTasks, "Tasks");
    chip.semaphores = std::make_unique<SemaphoreRecorder>(
        recording_, *module,
        SemaphoreRecorder::Questions{
            .thread_of = [this, &chip](std::uint32_t task) { return thread_of(chip, task); },
            .name_of = [&chip](std::uint32_t semaphore) { return chip.device->allocate().name_of({semaphore}); },
            .landing_of = [this](const Source& source) { return copies_->landing_of(source); }});
    chip.cores = std::make_unique<CoreRecorder>(recording_, *module, *chip.semaphores);
  }
}

Recorder::~Recorder() = default;

// --- launches --------------------------------------------------------------------------------------------------------

void Recorder::launch_began(Picoseconds now) {
  mark_ = timeline_.mark();
  bins_before_ = recording_.bins;
  began_ = now;
  recording_.offset = now - elapsed_;
  recording_.active = true;
  recording_.lanes.clear_tracks();
  copies_->reset();
  links_->reset();
  for (Chip& chip : chips_) {
    chip.tasks.clear();
    chip.under_way.clear();
    chip.ended = -1;
    if (chip.group == kNone) continue;
    chip.semaphores->reset();
    chip.cores->reset();
  }
  timeline_.steps.push_back({step_name_, elapsed_, 0, false, static_cast<SpanId>(timeline_.spans().size()), 0});
}

void Recorder::launch_stopped(Picoseconds now) {
  const Picoseconds end = recording_.at(now);
  copies_->finish(now);
  for (Chip& chip : chips_) {
    if (chip.group == kNone) continue;
    chip.semaphores->finish(now);
    chip.cores->finish(now);
    while (!chip.under_way.empty()) end_call(chip, chip.under_way.size() - 1, end, false);
    for (Task& task : chip.tasks) {
      if (task.ended) continue;
      if (task.lane != nullptr) task.lane->close(task.track, end);
      if (Span* const span = timeline_.find(task.span)) {
        span->end = end;
        span->detail = timeline_.intern("had not ended when the run did");
      }
    }
    add_step(chip, chip.ended >= 0 ? chip.ended : end, chip.ended >= 0);
  }
  recording_.active = false;
}

void Recorder::launch_ended(const run::LaunchResult& result) {
  Step& step = timeline_.steps.back();
  step.time = result.time;
  step.completed = result.outcome == run::Outcome::kCompleted;
  step.last_span = static_cast<SpanId>(timeline_.spans().size());
  elapsed_ += std::max(result.time, pod_.queue().now() - began_);
}

void Recorder::launch_discarded() {
  timeline_.forget(mark_);
  recording_.bins = bins_before_;
  elapsed_ = began_ - recording_.offset;
}

void Recorder::finish() {
  links_->finish();
  recording_.finish_counters();
}

void Recorder::add_step(Chip& chip, Picoseconds end, bool whole) {
  Span span{.begin = timeline_.steps.back().begin, .end = end, .asked = timeline_.steps.back().begin};
  span.name = timeline_.intern(timeline_.steps.back().name);
  if (!whole) span.detail = timeline_.intern("the program had not ended when the run did");
  span.role = Role::kStep;
  span.lane = chip.steps->put(span.begin, end);
  recording_.add(span);
}

// --- programs --------------------------------------------------------------------------------------------------------

void Recorder::task_launched(firmware::Device& device, firmware::TaskId task, std::optional<firmware::TaskId> by) {
  Chip* const chip = wanted(device.id());
  if (chip == nullptr) return;
  chip->device = &device;
  if (chip->tasks.size() <= task) chip->tasks.resize(task + 1);
  Task& launched = chip->tasks[task];
  const Picoseconds now = recording_.at(device.now());
  launched.lane = chip->tasks_lane;
  launched.track = launched.lane->open(now);
  Span span{.begin = now, .end = now, .asked = now, .bytes = 0, .lane = launched.lane->lane(launched.track)};
  span.name = timeline_.intern(task == 0 ? std::string("program") : fmt::format("task {}", task));
  span.thread = by ? thread_of(*chip, *by) : kNone;
  span.role = Role::kTask;
  launched.span = timeline_.add(span);  // whatever the window: other spans are this task's
}

void Recorder::task_ended(firmware::Device& device, firmware::TaskId task) {
  Chip* const chip = wanted(device.id());
  if (chip == nullptr || task >= chip->tasks.size()) return;
  Task& ended = chip->tasks[task];
  ended.ended = true;
  const Picoseconds now = recording_.at(device.now());
  if (ended.lane != nullptr) ended.lane->close(ended.track, now);
  if (Span* const span = timeline_.find(ended.span)) span->end = now;
}

void Recorder::task_joined(firmware::Device& device, firmware::TaskId ended, firmware::TaskId by) {
  const Chip* const chip = wanted(device.id());
  if (chip == nullptr) return;
  const SpanId other = thread_of(*chip, ended), self = thread_of(*chip, by);
  if (other != kNone && self != kNone) timeline_.join({recording_.at(device.now()), other, self});
}

void Recorder::program_ended(firmware::Device& device) {
  Chip* const chip = wanted(device.id());
  if (chip != nullptr) chip->ended = recording_.at(device.now());
}

void Recorder::collective_began(firmware::Device& device, const firmware::CollectiveCall& call,
                                const std::source_location& where) {
  Chip* const chip = wanted(device.id());
  if (chip == nullptr) return;
  const Picoseconds now = recording_.at(device.now());
  Span span{.begin = now, .end = now, .asked = now, .bytes = call.elements * tensor_core::size_of(call.type)};
  span.name = timeline_.intern(run::name(call.kind));
  const std::string place = call.written_at.empty() ? check::point_text(where) : call.written_at;
  span.detail = timeline_.intern(fmt::format("{} elements of {}, at {}", call.elements, run::name(call.type), place));
  span.thread = thread_of(*chip, device.task());
  span.role = Role::kCollective;
  const unsigned track = chip->calls->open(now);
  span.lane = chip->calls->lane(track);
  chip->under_way.push_back({call.kind, call.elements, call.type, span, track});
}

void Recorder::collective_ended(firmware::Device& device, const firmware::CollectiveCall& call) {
  Chip* const chip = wanted(device.id());
  if (chip == nullptr) return;
  const auto place = std::find_if(chip->under_way.begin(), chip->under_way.end(), [&](const Call& each) {
    return each.kind == call.kind && each.elements == call.elements && each.type == call.type;
  });
  if (place == chip->under_way.end()) return;
  end_call(*chip, static_cast<std::size_t>(place - chip->under_way.begin()), recording_.at(device.now()), true);
}

void Recorder::end_call(Chip& chip, std::size_t place, Picoseconds now, bool whole) {
  Call call = chip.under_way[place];
  chip.under_way.erase(chip.under_way.begin() + static_cast<std::ptrdiff_t>(place));
  chip.calls->close(call.track, now);
  call.span.end = now;
  if (!whole) {
    call.span.detail =
        timeline_.intern(fmt::format("{}; had not ended when the run did", timeline_.text(call.span.detail)));
  }
  recording_.add(call.span);
}

void Recorder::written(ChipId id, Address address, std::span<const std::uint64_t> words) {
  Chip* const chip = wanted(id);
  if (chip == nullptr || chip->device == nullptr) return;
  const Picoseconds now = recording_.at(chip->device->now());
  const SpanId thread = thread_of(*chip, chip->device->task());
  switch (region_of(address)) {
    case Region::kSemaphores:
      if (offset_of(address) % semaphore::kStride == semaphore::kAdd) {
        copies_->signal_written(id, address, thread, now);
      }
      break;
    case Region::kDma:
      copies_->descriptor_written(id, unit_of(address), dma::Descriptor::from_words(words), thread, now);
      break;
    case Region::kTensorCore:
      chip->cores->command_written(unit_of(address), tensor_core::Command::from_words(words.data()), thread, now);
      break;
    default: break;
  }
}

// --- modules ---------------------------------------------------------------------------------------------------------

void Recorder::module_executed(const firmware::Module& module, const run::ModulePlan& plan,
                               const std::vector<firmware::Execution>& chips) {
  for (std::size_t c = 0; c < chips.size(); ++c) {
    const firmware::Execution& execution = chips[c];
    const GroupId group = chips_[c].group;
    if (group == kNone || execution.begin < began_) continue;
    const auto lane = [&](Place place, unsigned unit, const std::string& name) -> LaneSet& {
      return recording_.lanes.lane(group, place, unit, LaneKind::kProgram, name);
    };
    const Picoseconds last = recording_.at(began_ + timeline_.steps.back().time);
    const auto end_of = [&](Picoseconds end) { return end >= began_ && end > 0 ? recording_.at(end) : last; };
    const auto add = [&](LaneSet& where, Picoseconds begin, Picoseconds end, std::string_view name) {
      Span span{.begin = begin, .end = std::max(begin, end), .asked = begin, .bytes = 0};
      span.lane = where.put(span.begin, span.end);
      span.name = timeline_.intern(name);
      span.role = Role::kInstruction;
      recording_.add(span);
    };
    add(lane(Place::kModules, 0, "XLA Modules"), recording_.at(execution.begin), end_of(execution.end), module.name);
    LaneSet& ops = lane(Place::kOps, 0, "XLA Ops");
    for (std::size_t i = 0; i < execution.slots.size(); ++i) {
      const firmware::Slot& slot = plan.order[i];
      const firmware::Instruction& instruction = module.instructions[slot.instruction];
      const auto& times = execution.slots[i];
      if (times.begin < began_ || !instruction.executed_by(static_cast<ChipId>(c))) continue;
      const char* const verb = slot.kind == firmware::Slot::Kind::kStart  ? "start "
                               : slot.kind == firmware::Slot::Kind::kDone ? "done "
                                                                          : "";
      add(ops, recording_.at(times.begin), end_of(times.end), verb + instruction.name);
    }
    for (std::size_t i = 0; i < execution.transfers.size(); ++i) {
      const firmware::Instruction& instruction = module.instructions[i];
      const auto& times = execution.transfers[i];
      if (!instruction.is_transfer() || times.started < began_ || times.started == 0) continue;
      const bool host = std::holds_alternative<firmware::HostTransfer>(instruction.work);
      LaneSet& async = lane(host ? Place::kOffload : Place::kAsync, 1 + plan.lanes.of[i],
                            host ? "Host Offload Ops" : "Async XLA Ops: instructions");
      add(async, recording_.at(times.started), end_of(times.finished), instruction.name);
    }
  }
  timeline_.steps.back().last_span = static_cast<SpanId>(timeline_.spans().size());
}

}  // namespace podsim::observe
