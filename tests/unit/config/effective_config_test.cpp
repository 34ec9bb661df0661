// Listing a struct with units, and writing it as YAML that reads back to the same struct.
#include "platform/config/effective_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "platform/config/section_reader.h"
#include "platform/config/yaml_document.h"
#include "tests/unit/config/example_config.h"

namespace podsim::config {
namespace {

using example::Engine;
using ::testing::HasSubstr;

Engine full_engine() {
  Engine engine;
  engine.clock = {940'000'000};
  engine.label = "a \"name\": with # signs, [brackets], \\, \n a line break, \x01 and an é";
  engine.colour = example::Colour::kGreen;
  engine.timeout = Duration{1'500};
  engine.shape = {4, 4, 8};
  engine.wires = {{{45'000'000'000}, {1'000'000}}, {{1}, {7}}};
  engine.derate = 0.1;
  return engine;
}

TEST(EffectiveConfig, ListsValuesWithUnitsHelpAndRules) {
  const auto keys = effective_keys(full_engine());
  const auto key = [&](std::string_view path) {
    return *std::find_if(keys.begin(), keys.end(), [&](const EffectiveKey& each) { return each.path == path; });
  };
  EXPECT_EQ(key("clock").value, "940 MHz");
  EXPECT_EQ(key("clock").help, "of the engine");
  EXPECT_EQ(key("clock").expected, "a frequency such as '940 MHz', required, at most 10 GHz");
  EXPECT_EQ(key("timeout").value, "1.5 ns");
  EXPECT_EQ(key("shape").value, "[4, 4, 8]");
  EXPECT_EQ(key("wires.0.bandwidth").value, "45 GB/s");
  EXPECT_EQ(key("main_wire.latency").value, "0 ps");
  EXPECT_EQ(key("colour").value, "green");
  EXPECT_EQ(key("enabled").value, "true");
}

TEST(EffectiveConfig, YamlReadsBackToTheSameStruct) {
  for (const Engine& engine : {Engine{}, full_engine()}) {
    const std::string yaml = to_yaml(effective_keys(engine));
    EXPECT_EQ(read<Engine>(parse_yaml(yaml, "dump.yaml")), engine) << yaml;
  }
}

}  // namespace
}  // namespace podsim::config
