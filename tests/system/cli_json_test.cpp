// The JSON that programs read: its fields, its bytes, and how it is written.
#include <gmock/gmock.h>

#include <regex>

#include "tests/system/cli_support.h"

namespace podsim::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Json = nlohmann::ordered_json;

constexpr const char* kGather = "bench all_gather --pod tpu-v5e-4x4 --axes x -b 64KiB -e 64KiB ";

std::string without_wall_time(const std::string& text) {
  return std::regex_replace(text, std::regex("\"wall_s\": [0-9.e+-]+"), "\"wall_s\": 0");
}

std::vector<std::string> keys(const Json& json) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : json.items()) keys.push_back(key);
  return keys;
}

TEST_F(Cli, JsonStepHasItsFieldsInOrder) {
  const Json json = Json::parse(podsim(std::string(kGather) + "--json -").out);
  const Json& step = json["results"][0];
  EXPECT_THAT(keys(step), ElementsAre("name", "outcome", "explanation", "details", "size_bytes", "count", "type",
                                      "reduction", "group_size", "algorithm", "hop_stretch", "time_ps", "time_us",
                                      "cycles", "algbw_GBps", "busbw_GBps", "wrong", "kernel", "events", "wall_s",
                                      "beside", "tokens", "links", "blocks", "hosts"));
  EXPECT_THAT(keys(step["links"][0]),
              ElementsAre("from", "to", "axis", "direction", "busy_fraction", "bytes", "packets"));
  EXPECT_EQ(step["links"].size(), 48u);
  EXPECT_EQ(step["blocks"].size(), 16u);
  EXPECT_EQ(step["hosts"].size(), 2u);
}

TEST_F(Cli, JsonFiguresAgreeWithEachOther) {
  const Json json = Json::parse(podsim(std::string(kGather) + "--json -").out);
  const auto time = json["time_ps"].get<double>();
  EXPECT_DOUBLE_EQ(json["time_us"].get<double>(), time / 1e6);
  EXPECT_DOUBLE_EQ(json["algbw_GBps"].get<double>(), 65536 * 1e3 / time);
  EXPECT_DOUBLE_EQ(json["busbw_GBps"].get<double>(), 65536 * 1e3 / time * 3 / 4);  // (n-1)/n, n = 4
  EXPECT_EQ(json["group_size"], 4);
  EXPECT_EQ(json["wrong"], 0);
  // Every chip of a line of four ends with the other three's shards; neighbours only ever send on.
  for (const Json& block : json["blocks"]) {
    EXPECT_GE(block["network_interface"]["bytes_received"].get<std::uint64_t>(), 65536u * 3 / 4);
  }
  for (const Json& link : json["links"]) {
    const auto busy = link["busy_fraction"].get<double>();
    EXPECT_LE(busy, 1.0);
    // 45 GB/s = 0.045 B/ps, without headers in this preset.
    EXPECT_NEAR(busy * time * 0.045, link["bytes"].get<double>(), 2.0 + 0.001 * link["bytes"].get<double>());
    if (link["axis"] == "y") {
      EXPECT_EQ(link["bytes"], 0);
    }
  }
}

TEST_F(Cli, JsonOfOneStepHasItsFieldsOnTopAndOfTwoNot) {
  const Json one = Json::parse(podsim(std::string(kGather) + "--json -").out);
  EXPECT_EQ(one["time_ps"], one["results"][0]["time_ps"]);
  EXPECT_EQ(one["links"], one["results"][0]["links"]);
  const Json two = Json::parse(podsim("bench all_gather --pod tpu-v5e-2x2 -b 1KiB -e 2KiB --json -").out);
  EXPECT_EQ(two["results"].size(), 2u);
  EXPECT_FALSE(two.contains("time_ps"));
  EXPECT_EQ(two["pod"]["chips"], 4);
}

TEST_F(Cli, JsonOfUncheckedDataSaysNull) {
  const Json json = Json::parse(podsim(std::string(kGather) + "--data none --json -").out);
  EXPECT_TRUE(json["wrong"].is_null());
  EXPECT_EQ(json["data"], "none");
}

TEST_F(Cli, TwoRunsGiveTheSameBytesButForWallTime) {
  ASSERT_EQ(podsim("run quickstart --json a.json").exit_code, 0);
  ASSERT_EQ(podsim("run quickstart --json b.json").exit_code, 0);
  const std::string a = without_wall_time(read(path("a.json")));
  EXPECT_EQ(a, without_wall_time(read(path("b.json"))));
  EXPECT_THAT(a, HasSubstr("\"wall_s\": 0,"));
}

TEST_F(Cli, JsonReplacesAFileAndLeavesNoOther) {
  write("r.json", "old");
  ASSERT_EQ(podsim(std::string(kGather) + "--json r.json").exit_code, 0);
  EXPECT_EQ(Json::parse(read(path("r.json")))["outcome"], "completed");
  EXPECT_EQ(files(), 3u);  // and what the test itself writes
}

TEST_F(Cli, JsonThatDoesNotFitOnTheDiskIsAnError) {
  const CommandResult result = podsim(std::string(kGather) + "--json /dev/full");
  EXPECT_EQ(result.exit_code, 74);
  EXPECT_THAT(result.err, HasSubstr("can't write /dev/full"));
}

TEST_F(Cli, JsonFileThatIsALinkStaysOne) {
  write("real.json", "old");
  std::filesystem::create_symlink("real.json", path("link.json"));
  ASSERT_EQ(podsim(std::string(kGather) + "--json link.json").exit_code, 0);
  EXPECT_TRUE(std::filesystem::is_symlink(path("link.json")));
  EXPECT_EQ(Json::parse(read(path("real.json")))["command"], "bench");
}

}  // namespace
}  // namespace podsim::testing
