// `podsim schema` as a user calls it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/system/cli_support.h"

namespace podsim {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

class CliSchema : public testing::Cli {};

TEST_F(CliSchema, PrintsOneKind) {
  const auto result = podsim("schema run");
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json schema = json::parse(result.out);
  EXPECT_EQ(schema["$schema"], "http://json-schema.org/draft-07/schema#");
  EXPECT_EQ(schema["required"], json({"steps"}));
  const json& step = schema["properties"]["steps"]["items"]["properties"];
  EXPECT_EQ(step["repeat"]["minimum"], 1);
  EXPECT_EQ(step["repeat"]["default"], 1);
  EXPECT_THAT(step["type"]["enum"].dump(), HasSubstr("\"bf16\""));
  EXPECT_EQ(step["sequence"]["items"]["$ref"], "#/properties/steps/items");
  EXPECT_THAT(schema["properties"]["pod"]["examples"].dump(), HasSubstr("\"tpu-v5e-4x4\""));
}

TEST_F(CliSchema, PrintsAllKinds) {
  const json schemas = json::parse(podsim("schema").out);
  for (const char* kind : {"chip", "memory", "pod", "run", "study", "validation"})
    EXPECT_TRUE(schemas.contains(kind)) << kind;
}

TEST_F(CliSchema, ListsKinds) {
  const auto result = podsim("schema --list");
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, HasSubstr("configs/pods/*.yaml"));
}

TEST_F(CliSchema, RefusesAnUnknownKind) {
  const auto result = podsim("schema runn");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.err, HasSubstr("did you mean 'run'?"));
}

}  // namespace
}  // namespace podsim
