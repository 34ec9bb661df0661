#include "platform/report/count_bar.h"

#include <fmt/format.h>

#include <algorithm>

namespace podsim::report {

namespace {

constexpr std::size_t kWidth = 20;  // of the bar

std::string seconds_text(double seconds) {
  if (seconds < 100) return fmt::format("{:.0f} s", seconds);
  if (seconds < 6000) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

}  // namespace

CountBar::CountBar(std::ostream& terminal, std::string noun, std::size_t total, std::function<Clock::time_point()> now)
    : terminal_(terminal), noun_(std::move(noun)), total_(total), now_(std::move(now)), started_(now_()) {}

std::string CountBar::text(std::size_t done, std::size_t failed) const {
  const double passed = std::chrono::duration<double>(now_() - started_).count();
  const std::size_t filled = total_ > 0 ? kWidth * done / total_ : kWidth;
  std::string text = fmt::format("[{:<{}}] {} of {} {}", std::string(filled, '#'), kWidth, done, total_, noun_);
  if (failed > 0) text += fmt::format(", {} failed", failed);
  text += fmt::format(", {}", seconds_text(passed));
  if (done > 0 && done < total_) {
    text +=
        fmt::format(", {} left", seconds_text(passed * static_cast<double>(total_ - done) / static_cast<double>(done)));
  }
  return text;
}

void CountBar::show(std::size_t done, std::size_t failed) {
  const std::string line = text(done, failed);
  terminal_ << fmt::format("\r{:<{}}", line, width_) << std::flush;
  width_ = std::max(width_, line.size());
}

void CountBar::clear() {
  if (width_ == 0) return;
  terminal_ << '\r' << std::string(width_, ' ') << '\r' << std::flush;
  width_ = 0;
}

}  // namespace podsim::report
