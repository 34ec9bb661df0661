// The bar with a clock of the test's own: silent for two seconds, then a line that overwrites itself, gone at the end.
#include "platform/report/progress_bar.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "tests/support/simulation.h"

namespace podsim::report {
namespace {

using ::testing::HasSubstr;

class ProgressBarTest : public testing::Simulation {
 protected:
  // Fires `count` events a nanosecond apart.
  void fire(int count) {
    left_ = count;
    timer_.arm_in(kPicosecondsPerNanosecond);
    run();
  }

  ProgressBar::Clock::time_point wall{};
  std::ostringstream terminal;

 private:
  void again() {
    if (--left_ > 0) timer_.arm_in(kPicosecondsPerNanosecond);
  }
  int left_ = 0;
  kernel::Timer<ProgressBarTest> timer_{queue, this, &ProgressBarTest::again};
};

TEST_F(ProgressBarTest, SaysNothingInTheFirstTwoSeconds) {
  ProgressBar bar(queue, terminal, [this] { return wall; });
  bar.begin_step(1, 1, "all_reduce");
  wall += std::chrono::milliseconds(1999);
  fire(10'000);
  EXPECT_EQ(terminal.str(), "");
}

TEST_F(ProgressBarTest, ShowsStepTimeAndRateAfterwards) {
  ProgressBar bar(queue, terminal, [this] { return wall; });
  bar.begin_step(2, 5, "all_reduce");
  wall += std::chrono::seconds(4);
  fire(10'000);
  EXPECT_THAT(terminal.str(), HasSubstr("\rstep 2 of 5: all_reduce, "));
  EXPECT_THAT(terminal.str(), HasSubstr(" simulated, "));
  EXPECT_THAT(terminal.str(), HasSubstr("events/s, 4 s"));
}

TEST_F(ProgressBarTest, LooksAtTheClockRarely) {
  int looks = 0;
  ProgressBar bar(queue, terminal, [&] {
    ++looks;
    return wall;
  });
  fire(100'000);
  EXPECT_LE(looks, 30);
}

TEST_F(ProgressBarTest, WipesItselfOut) {
  {
    ProgressBar bar(queue, terminal, [this] { return wall; });
    bar.begin_step(1, 1, "x");
    wall += std::chrono::seconds(3);
    fire(10'000);
  }
  const std::string text = terminal.str();
  ASSERT_FALSE(text.empty());
  const std::size_t start = text.rfind('\r', text.size() - 2);
  EXPECT_EQ(text.back(), '\r');
  EXPECT_EQ(text.find_first_not_of(' ', start + 1), text.size() - 1);
  const std::size_t size = text.size();
  fire(10'000);  // nobody watches any more
  EXPECT_EQ(terminal.str().size(), size);
}

}  // namespace
}  // namespace podsim::report
