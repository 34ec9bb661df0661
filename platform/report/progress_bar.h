// A line on a terminal that tells how far a long simulation has come. It shows itself only after two seconds, and wipes
// itself out at the end.
#pragma once

#include <chrono>
#include <functional>
#include <ostream>
#include <string>

#include "models/kernel/event_queue.h"

namespace podsim::report {

class ProgressBar {
 public:
  using Clock = std::chrono::steady_clock;

  // Watches `queue`, which outlives this object. Pass a terminal only: the line overwrites itself. `now` is for tests.
  ProgressBar(kernel::EventQueue& queue, std::ostream& terminal, std::function<Clock::time_point()> now = &Clock::now);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  // Step `number` (from 1) of `steps`.
  void begin_step(std::size_t number, std::size_t steps, const std::string& name);
  // Wipes the line out, so that something else can be printed.
  void clear();

 private:
  void watch(Picoseconds now, std::uint64_t fired);
  void show(Picoseconds now, std::uint64_t fired, Clock::time_point wall);

  // Looking at the wall clock costs as much as several events; this often it costs nothing, and is often enough.
  static constexpr std::uint64_t kLookEvery = 4096;  // events
  static constexpr std::chrono::seconds kShowAfter{2};
  static constexpr std::chrono::milliseconds kRefresh{200};

  kernel::EventQueue& queue_;
  std::ostream& terminal_;
  std::function<Clock::time_point()> now_;
  Clock::time_point started_;
  Clock::time_point shown_at_{};
  std::uint64_t fired_when_shown_ = 0;
  std::uint64_t next_look_ = 0;
  std::size_t width_ = 0;  // of what stands on the terminal
  std::string step_;
  Picoseconds step_began_ = 0;
};

}  // namespace podsim::report
