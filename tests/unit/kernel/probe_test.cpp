#include "models/kernel/probe.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace podsim::kernel {
namespace {

TEST(Probe, BuildsNothingWhenNobodyListens) {
  Probe<std::string> probe;
  EXPECT_FALSE(probe.active());
  probe.tell([]() -> std::string {
    ADD_FAILURE() << "built an event for nobody";
    return "";
  });
}

TEST(Probe, TellsEveryListenerInTheOrderOfAttaching) {
  Probe<std::string> probe;
  std::vector<std::string> heard;
  probe.attach([&](const std::string& event) { heard.push_back("a " + event); });
  probe.attach([&](const std::string& event) { heard.push_back("b " + event); });
  EXPECT_TRUE(probe.active());
  int built = 0;
  for (const char* event : {"one", "two"}) {
    probe.tell([&] {
      ++built;
      return std::string(event);
    });
  }
  EXPECT_EQ(heard, (std::vector<std::string>{"a one", "b one", "a two", "b two"}));
  EXPECT_EQ(built, 2);
}

}  // namespace
}  // namespace podsim::kernel
