#include "platform/observe/semaphore_recorder.h"

#include <fmt/format.h>

#include <algorithm>

#include "platform/check/program_point.h"

namespace podsim::observe {

SemaphoreRecorder::SemaphoreRecorder(Recording& recording, chip::Chip& chip, Questions questions)
    : recording_(recording),
      chip_(chip),
      questions_(std::move(questions)),
      lane_(recording.lanes.lane(recording.groups[index(chip.id())], Place::kSync, 0, LaneKind::kWait,
                                 "Tensor Core Sync Flag")),
      wake_(chip.scalar_core.config().clock.time_for(chip.scalar_core.config().wake_cycles)),
      wait_name_(recording.timeline.intern("SyncWait")),
      release_name_(recording.timeline.intern("released")),
      never_name_(recording.timeline.intern("SyncWait (never ends)")) {
  chip.semaphores.changed.attach([this](const semaphore::SemaphoreChange& change) { changed(change); });
  chip.scalar_core.wait_ended.attach([this](const scalar_core::WaitEnded& wait) { wait_ended(wait); });
}

SemaphoreRecorder::State& SemaphoreRecorder::state(std::uint32_t semaphore) {
  if (states_.size() <= semaphore) states_.resize(semaphore + 1);
  return states_[semaphore];
}

void SemaphoreRecorder::reset() {
  states_.clear();
  details_.clear();
  coming_ = {};
}

void SemaphoreRecorder::changed(const semaphore::SemaphoreChange& change) {
  if (!recording_.active) return;
  State& here = state(change.semaphore);
  if (change.change > 0) {
    Source source;
    const auto coming = std::find_if(coming_.begin(), coming_.end(),
                                     [&](const Coming& each) { return each.semaphore == change.semaphore; });
    if (coming != coming_.end()) {
      source = coming->source;
      *coming = {};
    } else if (!here.signals.empty()) {
      source.span = here.signals.pop();
    }
    here.raised.push({source, static_cast<std::uint64_t>(change.change)});
    return;
  }
  Source last;
  for (auto left = static_cast<std::uint64_t>(-change.change); left > 0 && !here.raised.empty();) {
    Raised& oldest = here.raised.front();
    last = oldest.source;
    const std::uint64_t taken = std::min(left, oldest.amount);
    left -= taken;
    oldest.amount -= taken;
    if (oldest.amount == 0) here.raised.pop();
  }
  here.grants.push(last);
}

StringId SemaphoreRecorder::detail_of(const scalar_core::PendingAccess& access, std::uint32_t semaphore) {
  State& here = state(semaphore);
  if (here.name == kNone) here.name = recording_.timeline.intern(questions_.name_of(semaphore));
  const std::source_location& where = access.point.where;
  const auto [place, is_new] = details_.try_emplace({here.name, where.line(), where.file_name()}, kNone);
  if (is_new) {
    place->second = recording_.timeline.intern(
        fmt::format("{}: {}, at {}", recording_.timeline.text(here.name), access.point.what, check::point_text(where)));
  }
  return place->second;
}

void SemaphoreRecorder::add_wait(const scalar_core::PendingAccess& access, Picoseconds began, Picoseconds ended,
                                 StringId name) {
  const std::uint32_t semaphore = semaphore::semaphore_of(access.address);
  Span span{.begin = began, .end = ended, .asked = began, .bytes = access.value, .name = name};
  span.detail = detail_of(access, semaphore);
  span.thread = questions_.thread_of(access.task);
  span.role = Role::kWait;
  span.cause = Cause::kSemaphore;
  span.lane = lane_.put(began, ended);
  recording_.add(span);
  if (name == never_name_) return;
  Source source;
  if (State& here = state(semaphore); !here.grants.empty()) source = here.grants.pop();
  if (source.span == kNone && source.copy != kNone) source.span = questions_.landing_of(source);
  span.begin = std::max(began, ended - wake_);
  span.name = release_name_;
  span.role = Role::kRelease;
  recording_.timeline.connect(source.span, recording_.add(span), ArrowKind::kRelease);
}

void SemaphoreRecorder::wait_ended(const scalar_core::WaitEnded& wait) {
  if (!recording_.active) return;
  add_wait(wait.access, recording_.at(wait.began), recording_.at(wait.ended), wait_name_);
}

void SemaphoreRecorder::finish(Picoseconds now) {
  chip_.scalar_core.for_each_blocked([&](const scalar_core::PendingAccess& access) {
    if (access.kind != scalar_core::PendingAccess::Kind::kWaitAtLeast || access.began == 0) return;
    add_wait(access, recording_.at(access.began), recording_.at(now), never_name_);
  });
}

}  // namespace podsim::observe
