#include "models/kernel/event_queue.h"

#include <stdexcept>

namespace podsim::kernel {

namespace {
constexpr std::uint32_t kEmpty = 0xffff'ffff;
constexpr std::size_t kHeapArity = 4;  // shallower than binary, and four entries share a cache line
}  // namespace

EventQueue::EventQueue(sc_core::sc_module_name name) : sc_module(name), index_(64, kEmpty), index_mask_(63) {
  SC_HAS_PROCESS(EventQueue);
  SC_METHOD(dispatch);
  sensitive << wake_;
  dont_initialize();
}

EventQueue::~EventQueue() = default;

std::size_t EventQueue::home(Picoseconds when) const {
  // Fibonacci hashing: times are often multiples of a clock period, so the low bits alone would collide.
  return (static_cast<std::uint64_t>(when) * 0x9e37'79b9'7f4a'7c15u >> 32) & index_mask_;
}

void EventQueue::insert(TimerBase& timer, Picoseconds when) {
  if (when < now()) throw std::logic_error("timer armed for a time that has passed");
  const std::uint32_t slot = find_or_create(when);
  Moment& moment = moments_[slot];
  timer.slot_ = slot;
  timer.due_ = when;
  timer.next_ = nullptr;
  timer.previous_ = moment.last;
  (moment.last ? moment.last->next_ : moment.first) = &timer;
  moment.last = &timer;
  ++pending_;
  if (!dispatching_) notify_at(heap_.front().time);
}

void EventQueue::remove(TimerBase& timer) {
  // An emptied moment stays in the heap and is dropped when its time comes: that keeps cancelling O(1).
  Moment& moment = moments_[timer.slot_];
  (timer.previous_ ? timer.previous_->next_ : moment.first) = timer.next_;
  (timer.next_ ? timer.next_->previous_ : moment.last) = timer.previous_;
  timer.slot_ = TimerBase::kNotArmed;
  --pending_;
}

void EventQueue::dispatch() {
  const Picoseconds time = now();
  notified_for_ = -1;
  dispatching_ = true;
  while (!heap_.empty() && heap_.front().time <= time) {
    // A timer that fires may arm others for this very moment; they queue up behind it and fire in this loop.
    const std::uint32_t slot = heap_.front().slot;
    while (TimerBase* timer = moments_[slot].first) {
      remove(*timer);
      ++fired_;
      timer->fire();
    }
    release_earliest();
  }
  // Moments emptied by cancelling must not keep the simulation alive: time stops at the last real event.
  while (!heap_.empty() && moments_[heap_.front().slot].first == nullptr) release_earliest();
  dispatching_ = false;
  if (!heap_.empty()) notify_at(heap_.front().time);
  if (watcher_ != nullptr) watcher_(watcher_context_, time, fired_);
}

void EventQueue::notify_at(Picoseconds when) {
  if (notified_for_ >= 0 && notified_for_ <= when) return;
  notified_for_ = when;
  wake_.notify(sc_core::sc_time::from_value(static_cast<std::uint64_t>(when - now())));
}

std::uint32_t EventQueue::find_or_create(Picoseconds when) {
  if (latest_slot_ != kEmpty && moments_[latest_slot_].time == when) return latest_slot_;
  std::size_t place = home(when);
  while (index_[place] != kEmpty) {
    if (moments_[index_[place]].time == when) return latest_slot_ = index_[place];
    place = (place + 1) & index_mask_;
  }
  std::uint32_t slot = 0;
  if (free_slots_.empty()) {
    slot = static_cast<std::uint32_t>(moments_.size());
    moments_.emplace_back();
  } else {
    slot = free_slots_.back();
    free_slots_.pop_back();
  }
  moments_[slot] = Moment{when, nullptr, nullptr};
  index_[place] = slot;
  push_heap({when, slot});
  if (heap_.size() * 2 > index_.size()) grow_index();
  return latest_slot_ = slot;
}

void EventQueue::release_earliest() {
  const HeapEntry earliest = heap_.front();
  pop_heap();
  std::size_t hole = home(earliest.time);
  while (index_[hole] != earliest.slot) hole = (hole + 1) & index_mask_;
  // Linear probing without tombstones: move later members of the cluster into the hole.
  for (std::size_t place = (hole + 1) & index_mask_; index_[place] != kEmpty; place = (place + 1) & index_mask_) {
    const std::size_t wanted = home(moments_[index_[place]].time);
    if (((place - wanted) & index_mask_) >= ((place - hole) & index_mask_)) {
      index_[hole] = index_[place];
      hole = place;
    }
  }
  index_[hole] = kEmpty;
  moments_[earliest.slot].time = -1;
  free_slots_.push_back(earliest.slot);
  if (latest_slot_ == earliest.slot) latest_slot_ = kEmpty;
}

void EventQueue::push_heap(HeapEntry entry) {
  std::size_t child = heap_.size();
  heap_.push_back(entry);
  while (child > 0) {
    const std::size_t parent = (child - 1) / kHeapArity;
    if (heap_[parent].time <= entry.time) break;
    heap_[child] = heap_[parent];
    child = parent;
  }
  heap_[child] = entry;
}

void EventQueue::pop_heap() {
  const HeapEntry last = heap_.back();
  heap_.pop_back();
  if (heap_.empty()) return;
  std::size_t parent = 0;
  for (;;) {
    const std::size_t first = parent * kHeapArity + 1;
    if (first >= heap_.size()) break;
    const std::size_t end = first + kHeapArity < heap_.size() ? first + kHeapArity : heap_.size();
    std::size_t least = first;
    for (std::size_t child = first + 1; child < end; ++child) {
      if (heap_[child].time < heap_[least].time) least = child;
    }
    if (last.time <= heap_[least].time) break;
    heap_[parent] = heap_[least];
    parent = least;
  }
  heap_[parent] = last;
}

void EventQueue::grow_index() {
  index_.assign(index_.size() * 2, kEmpty);
  index_mask_ = index_.size() - 1;
  for (const HeapEntry& entry : heap_) {
    std::size_t place = home(entry.time);
    while (index_[place] != kEmpty) place = (place + 1) & index_mask_;
    index_[place] = entry.slot;
  }
}

}  // namespace podsim::kernel
