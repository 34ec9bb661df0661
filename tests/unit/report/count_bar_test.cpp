// The bar's text, against a clock that is set by hand.
#include "platform/report/count_bar.h"

#include <gtest/gtest.h>

#include <sstream>

namespace podsim::report {
namespace {

TEST(CountBar, TellsWhatIsLeftFromWhatIsDone) {
  std::ostringstream terminal;
  CountBar::Clock::time_point now{};
  CountBar bar(terminal, "points", 20, [&] { return now; });
  now += std::chrono::seconds(30);
  EXPECT_EQ(bar.text(0, 0), "[                    ] 0 of 20 points, 30 s");
  EXPECT_EQ(bar.text(5, 1), "[#####               ] 5 of 20 points, 1 failed, 30 s, 90 s left");
  EXPECT_EQ(bar.text(20, 0), "[####################] 20 of 20 points, 30 s");
  now += std::chrono::hours(5);
  EXPECT_EQ(bar.text(10, 0), "[##########          ] 10 of 20 points, 5.0 h, 5.0 h left");
}

TEST(CountBar, WipesItselfOut) {
  std::ostringstream terminal;
  {
    CountBar bar(terminal, "runs", 2);
    bar.show(1, 0);
  }
  EXPECT_EQ(terminal.str().back(), '\r');
  EXPECT_EQ(terminal.str().find('\n'), std::string::npos);
}

}  // namespace
}  // namespace podsim::report
