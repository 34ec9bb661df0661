#include "platform/report/progress_bar.h"

#include <fmt/format.h>

#include <algorithm>

#include "platform/report/number_text.h"

namespace podsim::report {

ProgressBar::ProgressBar(kernel::EventQueue& queue, std::ostream& terminal, std::function<Clock::time_point()> now)
    : queue_(queue), terminal_(terminal), now_(std::move(now)), started_(now_()) {
  queue_.set_watcher(
      [](void* context, Picoseconds at, std::uint64_t fired) { static_cast<ProgressBar*>(context)->watch(at, fired); },
      this);
}

ProgressBar::~ProgressBar() {
  queue_.set_watcher(nullptr, nullptr);
  clear();
}

void ProgressBar::begin_step(std::size_t number, std::size_t steps, const std::string& name) {
  step_ = fmt::format("step {} of {}: {}", number, steps, name);
  step_began_ = queue_.now();
}

void ProgressBar::clear() {
  if (width_ == 0) return;
  terminal_ << '\r' << std::string(width_, ' ') << '\r' << std::flush;
  width_ = 0;
}

void ProgressBar::watch(Picoseconds now, std::uint64_t fired) {
  if (fired < next_look_) return;
  next_look_ = fired + kLookEvery;
  const Clock::time_point wall = now_();
  if (wall - started_ < kShowAfter || wall - shown_at_ < kRefresh) return;
  show(now, fired, wall);
}

void ProgressBar::show(Picoseconds now, std::uint64_t fired, Clock::time_point wall) {
  const bool first = shown_at_ == Clock::time_point{};
  const std::chrono::duration<double> since = wall - (first ? started_ : shown_at_);
  const double rate = static_cast<double>(fired - fired_when_shown_) / std::max(since.count(), 1e-9);
  shown_at_ = wall;
  fired_when_shown_ = fired;
  const std::string line =
      fmt::format("{}, {} simulated, {}, {:.0f} s", step_, time_text(now - step_began_), decimal_text(rate, "events/s"),
                  std::chrono::duration<double>(wall - started_).count());
  terminal_ << fmt::format("\r{:<{}}", line, width_) << std::flush;
  width_ = std::max(width_, line.size());
}

}  // namespace podsim::report
