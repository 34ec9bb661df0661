#include "platform/observe/copy_recorder.h"

#include <fmt/format.h>

#include <algorithm>

namespace podsim::observe {

using dma::DmaProgress;

CopyRecorder::CopyRecorder(Recording& recording, Names& names, pod::Pod& pod, SemaphoresOf semaphores_of)
    : recording_(recording),
      names_(names),
      semaphores_of_(std::move(semaphores_of)),
      issue_cost_(pod.config().chip.dma.issue_cost.ps),
      engines_(pod.size()),
      landings_(pod.size()),
      signals_(pod.size()) {
  for (const auto& chip : pod.chips()) {
    const ChipId id = chip->id();
    const GroupId group = recording.groups[index(id)];
    if (group == kNone) continue;
    LaneBook& lanes = recording.lanes;
    landings_[index(id)] = &lanes.lane(group, Place::kLandings, 0, LaneKind::kDma, "DMA landings");
    signals_[index(id)] = &lanes.lane(group, Place::kSignals, 0, LaneKind::kProgram, "Signals");
    for (unsigned i = 0; i < chip->dma_engines.size(); ++i) {
      Engine& engine = engines_[index(id)].emplace_back();
      engine.issue = &lanes.lane(group, Place::kDma, 2 * i, LaneKind::kDma, fmt::format("DMA {} issue", i));
      engine.contexts = &lanes.lane(group, Place::kDma, 2 * i + 1, LaneKind::kDma, fmt::format("DMA {}", i));
      engine.depth_bins = recording.add_counter(group, fmt::format("DMA {} queue depth", i), "descriptors", 1);
      chip->dma_engines[i]->progress.attach([this, id, i](const DmaProgress& event) { progress(id, i, event); });
    }
    chip->network_interface.landed.attach([this, id](const ici::BurstLanded& event) { landed(id, event); });
  }
}

void CopyRecorder::reset() {
  signalled_.clear();
  for (auto& chip : engines_) {
    for (Engine& engine : chip) {
      engine.written.clear();
      engine.copies.clear();
      engine.depth = 0;
    }
  }
}

// Transfers have the numbers that platform/chip/chip.cpp gives to chips and their engines, and count up from there.
CopyRecorder::Copy* CopyRecorder::find(std::uint64_t transfer) {
  const std::uint64_t chip = transfer >> 40, number = transfer >> 36 & 0xf;
  if (chip >= engines_.size() || number >= engines_[chip].size()) return nullptr;
  Engine& engine = engines_[chip][number];
  if (transfer < engine.first || transfer - engine.first >= engine.copies.size()) return nullptr;
  Copy& copy = engine.copies[transfer - engine.first];
  return copy.over ? nullptr : &copy;
}

std::uint32_t CopyRecorder::number_of(std::uint64_t transfer) {
  const Copy* const copy = find(transfer);
  return copy == nullptr ? kNone : copy->number;
}

// --- the program's side ----------------------------------------------------------------------------------------------

void CopyRecorder::descriptor_written(ChipId chip, unsigned engine, const dma::Descriptor& descriptor, SpanId thread,
                                      Picoseconds when) {
  if (engine >= engines_[index(chip)].size()) return;
  engines_[index(chip)][engine].written.push({descriptor, thread, when});
}

void CopyRecorder::signal_written(ChipId chip, Address address, SpanId thread, Picoseconds when) {
  const ChipId to = chip_of(address);
  Span span{.begin = when, .end = when, .asked = when, .bytes = 0, .name = names_.with_chip(Names::kSignalTo, to)};
  span.thread = thread;
  span.role = Role::kSignal;
  span.cause = Cause::kSemaphore;
  span.lane = signals_[index(chip)]->put(when, when);
  const SpanId signal = recording_.add(span);
  if (to == chip) {
    semaphores_of_(chip)->signalled_here(semaphore::semaphore_of(address), signal);
  } else if (recording_.wants(to)) {
    signalled_[{address, chip}].push(signal);
  }
}

// --- the engines' side -----------------------------------------------------------------------------------------------

void CopyRecorder::progress(ChipId chip, unsigned engine, const DmaProgress& event) {
  if (!recording_.active) return;
  if (event.step == DmaProgress::Step::kQueued) return queued(chip, engine, event);
  Copy* const copy = find(event.transfer);
  if (copy == nullptr) return;
  const Picoseconds now = recording_.at(event.when);
  if (event.step == DmaProgress::Step::kStarted) return started(*copy, now);
  ended(*copy, now, event.step == DmaProgress::Step::kDone);
  forget_if_over(*copy);
}

void CopyRecorder::queued(ChipId chip, unsigned engine, const DmaProgress& event) {
  Engine& here = engines_[index(chip)][engine];
  const dma::Descriptor& descriptor = event.descriptor;
  const Written written = here.written.take([&](const Written& each) {
    return each.descriptor.source == descriptor.source && each.descriptor.destination == descriptor.destination &&
           each.descriptor.bytes == descriptor.bytes;
  });
  Copy copy;
  copy.number = static_cast<std::uint32_t>(issues_.size());
  copy.from = chip;
  copy.to = chip_of(descriptor.destination);
  copy.descriptor = descriptor;
  copy.asked = written.when >= 0 ? written.when : recording_.at(event.when);
  copy.thread = written.thread;
  copy.engine = engine;
  if (here.copies.empty()) here.first = event.transfer;
  here.copies.push_back(copy);
  issues_.emplace_back(kNone, copy.to);
  change_depth(here, 1, recording_.at(event.when));
}

void CopyRecorder::change_depth(Engine& engine, int change, Picoseconds now) {
  const Picoseconds since = std::min(engine.depth_since, now);
  if (engine.depth > 0) {
    recording_.bins[engine.depth_bins].add(since, now,
                                           static_cast<double>(engine.depth) * static_cast<double>(now - since));
  }
  engine.depth = static_cast<unsigned>(static_cast<int>(engine.depth) + change);
  engine.depth_since = now;
}

StringId CopyRecorder::copy_name(const Copy& copy, bool issue) {
  if (copy.remote()) return names_.with_chip(issue ? Names::kIssueTo : Names::kCopyTo, copy.to);
  return names_.within(issue, region_of(copy.descriptor.source), region_of(copy.descriptor.destination));
}

Cause CopyRecorder::cause_of(const Copy& copy) {
  if (copy.remote()) return Cause::kLink;
  const bool host = is_on_host(region_of(copy.descriptor.source)) || is_on_host(region_of(copy.descriptor.destination));
  return host ? Cause::kPcie : Cause::kHbm;
}

void CopyRecorder::started(Copy& copy, Picoseconds now) {
  Engine& engine = engine_of(copy);
  change_depth(engine, -1, now);
  copy.started = now;
  copy.track = engine.contexts->open(now);
  Span span{.begin = now - issue_cost_, .end = now, .asked = std::min(copy.asked, now - issue_cost_)};
  span.bytes = copy.descriptor.bytes;
  span.lane = engine.issue->put(span.begin, now);
  span.name = copy_name(copy, true);
  span.thread = copy.thread;
  span.copy = copy.number;
  span.role = Role::kIssue;
  span.cause = Cause::kIssue;
  copy.issue = issues_[copy.number].first = recording_.add(span);
}

void CopyRecorder::ended(Copy& copy, Picoseconds now, bool done) {
  Engine& engine = engine_of(copy);
  engine.contexts->close(copy.track, now);
  copy.sent = true;
  Span span{.begin = copy.started, .end = now, .asked = copy.asked, .bytes = copy.descriptor.bytes};
  span.lane = engine.contexts->lane(copy.track);
  span.name = copy_name(copy, false);
  span.thread = copy.thread;
  span.copy = copy.number;
  span.role = Role::kCopy;
  span.cause = cause_of(copy);
  const SpanId sent = recording_.add(span);
  if (copy.descriptor.bytes == 0) return;
  SemaphoreRecorder* const semaphores = semaphores_of_(copy.from);
  const auto raise = [&](Address semaphore) {
    if (semaphore != dma::kNoSemaphore) {
      semaphores->will_be_raised(semaphore::semaphore_of(semaphore), {.span = sent, .copy = kNone, .when = now});
    }
  };
  raise(copy.descriptor.send_semaphore);
  if (done) raise(copy.descriptor.recv_semaphore);
}

void CopyRecorder::forget_if_over(Copy& copy) {
  const bool lands = copy.remote() && recording_.wants(copy.to);  // elsewhere nobody looks
  copy.over = copy.sent && (!lands || copy.landed >= copy.descriptor.bytes);
  Engine& engine = engine_of(copy);
  for (; !engine.copies.empty() && engine.copies.front().over; ++engine.first) engine.copies.pop_front();
}

// --- the other end ---------------------------------------------------------------------------------------------------

SpanId CopyRecorder::landing_of(const Source& source) {
  const auto [issue, to] = issues_[source.copy];
  const Span* const begun = recording_.timeline.find(issue);
  Span span{.begin = source.when, .end = source.when, .asked = source.when, .bytes = 0};
  span.lane = landings_[index(to)]->put(source.when, source.when);
  span.name = recording_.timeline.intern("part of a copy landed");
  span.thread = begun != nullptr ? begun->thread : kNone;
  span.copy = source.copy;
  span.role = Role::kLanding;
  span.cause = Cause::kLink;
  const SpanId landing = recording_.add(span);
  recording_.timeline.connect(issue, landing, ArrowKind::kCopy);
  return landing;
}

void CopyRecorder::landed(ChipId chip, const ici::BurstLanded& event) {
  if (!recording_.active) return;
  const Picoseconds now = recording_.at(event.when);
  if (event.packet.burst == nullptr) return arrived(chip, event.packet, now);
  const kernel::Burst& burst = *kernel::burst_of(*event.packet.burst);
  Source source;
  if (Copy* const found = find(burst.transfer); found != nullptr) {
    Copy& copy = *found;
    copy.landed += event.packet.burst->get_data_length();
    source = {.span = kNone, .copy = copy.number, .when = now};
    if (copy.landed >= copy.descriptor.bytes) {
      Span span{.begin = now, .end = now, .asked = now, .bytes = copy.descriptor.bytes};
      span.lane = landings_[index(chip)]->put(now, now);
      span.name = names_.with_chip(Names::kLandedFrom, copy.from);
      span.thread = copy.thread;
      span.copy = copy.number;
      span.role = Role::kLanding;
      span.cause = Cause::kLink;
      source.span = recording_.add(span);
      source.copy = kNone;
      recording_.timeline.connect(copy.issue, source.span, ArrowKind::kCopy);
    }
    forget_if_over(copy);
  }
  if (burst.notify != kernel::Burst::kNoSemaphore) {
    semaphores_of_(chip)->will_be_raised(semaphore::semaphore_of(burst.notify), source);
  }
}

void CopyRecorder::arrived(ChipId chip, const ici::IciPacket& signal, Picoseconds now) {
  const auto on_its_way = signalled_.find({signal.address, signal.source});
  const SpanId from = on_its_way == signalled_.end() || on_its_way->second.empty() ? kNone : on_its_way->second.pop();
  Span span{.begin = now, .end = now, .asked = now, .bytes = 0};
  span.lane = landings_[index(chip)]->put(now, now);
  span.name = names_.with_chip(Names::kSignalFrom, signal.source);
  span.role = Role::kArrival;
  span.cause = Cause::kHop;
  const Span* const begun = recording_.timeline.find(from);
  if (begun != nullptr) span.thread = begun->thread;
  const SpanId arrival = recording_.add(span);
  recording_.timeline.connect(from, arrival, ArrowKind::kSignal);
  if (region_of(signal.address) != Region::kSemaphores) return;
  semaphores_of_(chip)->will_be_raised(semaphore::semaphore_of(signal.address),
                                       {.span = arrival, .copy = kNone, .when = now});
}

// What has begun and not ended, as a run that fails leaves it.
void CopyRecorder::finish(Picoseconds now) {
  for (auto& chip : engines_) {
    for (Engine& engine : chip) {
      for (const Copy& copy : engine.copies) {
        if (!copy.sent) add_unfinished(engine, copy, recording_.at(now));
      }
    }
  }
}

void CopyRecorder::add_unfinished(Engine& engine, const Copy& copy, Picoseconds now) {
  const bool begun = copy.started >= 0;
  Span span{.begin = begun ? copy.started : copy.asked, .end = now, .asked = copy.asked};
  span.bytes = copy.descriptor.bytes;
  if (begun) {
    engine.contexts->close(copy.track, span.end);
    span.lane = engine.contexts->lane(copy.track);
  } else {
    span.lane = engine.contexts->put(span.begin, span.end);
  }
  span.name = copy_name(copy, false);
  span.detail = recording_.timeline.intern(begun ? "under way when the run ended" : "queued when the run ended");
  span.thread = copy.thread;
  span.copy = copy.number;
  span.role = Role::kCopy;
  span.cause = begun ? cause_of(copy) : Cause::kQueue;
  recording_.add(span);
}

}  // namespace podsim::observe
