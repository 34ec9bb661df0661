#include "platform/report/json_layout.h"

#include <gtest/gtest.h>

#include <sstream>

namespace podsim::report {
namespace {

using Json = nlohmann::ordered_json;

std::string layout(const Json& value) {
  std::ostringstream out;
  write_json(out, value);
  return out.str();
}

TEST(JsonLayout, GivesAMemberALineAndASmallObjectOne) {
  const Json value = {
      {"name", "x"}, {"links", {{{"from", 0}, {"to", 1}}, {{"from", 1}, {"to", 0}}}}, {"none", nullptr}};
  EXPECT_EQ(layout(value),
            "{\n"
            "  \"name\": \"x\",\n"
            "  \"links\": [\n"
            "    {\"from\":0,\"to\":1},\n"
            "    {\"from\":1,\"to\":0}\n"
            "  ],\n"
            "  \"none\": null\n"
            "}");
}

TEST(JsonLayout, ReadsBackToTheSame) {
  Json value = {
      {"empty", Json::array()}, {"text", "a \"quoted\"\nline"}, {"deep", {{"a", {{"b", {{"c", {1, 2.5}}}}}}}}};
  value["long"] = std::vector<std::string>(10, "a sentence of some length, as explanations have them");
  EXPECT_EQ(Json::parse(layout(value)), value);
}

TEST(JsonLayout, ReplacesWhatIsNotUtf8) {
  EXPECT_EQ(Json::parse(layout({{"file", "\xff.yaml"}}))["file"], "\uFFFD.yaml");
}

}  // namespace
}  // namespace podsim::report
