#include "platform/config/suggestion.h"

#include <gtest/gtest.h>

namespace podsim::config {
namespace {

TEST(EditDistance, CountsEdits) {
  EXPECT_EQ(edit_distance("", ""), 0u);
  EXPECT_EQ(edit_distance("abc", ""), 3u);
  EXPECT_EQ(edit_distance("", "ab"), 2u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
  EXPECT_EQ(edit_distance("latnecy", "latency"), 1u);  // neighbours swapped
  EXPECT_EQ(edit_distance("ca", "abc"), 3u);           // optimal string alignment, not the unrestricted distance
}

TEST(Nearest, FindsSlipsAndNothingElse) {
  const std::vector<std::string> keys{"bandwidth_per_direction", "hop_latency", "packet_header"};
  EXPECT_EQ(nearest("bandwith_per_direction", keys), "bandwidth_per_direction");
  EXPECT_EQ(nearest("hop-latency", keys), "hop_latency");
  EXPECT_EQ(nearest("HOP_LATENCY", keys), "hop_latency");
  EXPECT_EQ(nearest("direct", keys), std::nullopt);
  EXPECT_EQ(nearest("", keys), std::nullopt);
  EXPECT_EQ(nearest(std::string(10'000, 'h'), keys), std::nullopt);
}

TEST(Nearest, FindsTheOnlyKeyThatTheWordIsPartOf) {
  const std::vector<std::string> keys{"bandwidth_per_direction", "hop_latency", "packet_header", "packet_size"};
  EXPECT_EQ(nearest("bandwith", keys), "bandwidth_per_direction");
  EXPECT_EQ(nearest("latency", keys), "hop_latency");
  EXPECT_EQ(nearest("per_direction", keys), "bandwidth_per_direction");
  EXPECT_EQ(nearest("packet", keys), std::nullopt) << "two have it";
  EXPECT_EQ(nearest("hop", keys), std::nullopt) << "too short to tell";
}

TEST(Suggestion, ListsWhatIsKnownWhenNothingIsNear) {
  EXPECT_EQ(suggestion("clok", {"clock", "lanes"}), "; did you mean 'clock'?");
  EXPECT_EQ(suggestion("zzz", {"clock", "lanes"}), "; known: clock, lanes");
  EXPECT_EQ(suggestion("zzz", {}), "");
}

}  // namespace
}  // namespace podsim::config
