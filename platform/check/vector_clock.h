// Vector clocks (Fidge 1988, Mattern 1989): how far into each task's history somebody can see. A task's own component
// counts the waits that it has come through.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

namespace podsim::check {

using Slot = std::uint32_t;  // component of a task

class VectorClock {
 public:
  [[nodiscard]] std::uint32_t operator[](Slot slot) const { return slot < times_.size() ? times_[slot] : 0; }
  void set(Slot slot, std::uint32_t time) {
    grow(slot + 1);
    times_[slot] = time;
  }
  // Sees from now on what `other` sees.
  void join(const VectorClock& other) {
    grow(other.times_.size());
    for (std::size_t i = 0; i < other.times_.size(); ++i) times_[i] = std::max(times_[i], other.times_[i]);
  }
  [[nodiscard]] std::size_t size() const { return times_.size(); }

 private:
  void grow(std::size_t size) {
    if (times_.size() < size) times_.resize(size);
  }
  std::vector<std::uint32_t> times_;
};

// Clocks change at waits only, and everything that happens between two waits shares one.
using ClockPointer = std::shared_ptr<const VectorClock>;

// A moment in a task's history.
struct Epoch {
  Slot slot = 0;
  std::uint32_t time = 0;  // 0: has not happened

  [[nodiscard]] bool happened() const { return time != 0; }
  [[nodiscard]] bool seen_by(const VectorClock& clock) const { return happened() && clock[slot] >= time; }
};

}  // namespace podsim::check
