// A line on a terminal that tells how many of a number of things are done, and how long the rest will take.
#pragma once

#include <chrono>
#include <functional>
#include <ostream>
#include <string>

namespace podsim::report {

class CountBar {
 public:
  using Clock = std::chrono::steady_clock;

  // Pass a terminal only: the line overwrites itself. `now` is for tests.
  CountBar(std::ostream& terminal, std::string noun, std::size_t total,
           std::function<Clock::time_point()> now = &Clock::now);
  ~CountBar() { clear(); }
  CountBar(const CountBar&) = delete;
  CountBar& operator=(const CountBar&) = delete;

  // So many are done, `failed` of them without success.
  void show(std::size_t done, std::size_t failed);
  // Wipes the line out, so that something else can be printed.
  void clear();

  // "[#####     ] 10 of 20 points, 1 failed, 3 s, 3 s left". What is left is judged by those done since the beginning.
  [[nodiscard]] std::string text(std::size_t done, std::size_t failed) const;

 private:
  std::ostream& terminal_;
  std::string noun_;
  std::size_t total_;
  std::function<Clock::time_point()> now_;
  Clock::time_point started_;
  std::size_t width_ = 0;  // of what stands on the terminal
};

}  // namespace podsim::report
