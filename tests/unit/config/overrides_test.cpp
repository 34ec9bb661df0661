// --set: what it changes, and what it says when it can't.
#include "platform/config/overrides.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "platform/config/section_reader.h"
#include "platform/config/yaml_document.h"
#include "tests/unit/config/example_config.h"

namespace podsim::config {
namespace {

using example::Engine;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr const char* kBase = R"(
clock: 1 GHz
shape: [4, 4]
wires: [{bandwidth: 1 GB/s}, {bandwidth: 2 GB/s}]
)";

Engine read_with(const std::vector<std::string>& sets) {
  ConfigNode root = parse_yaml(kBase, "e.yaml");
  apply_sets(root, sets);
  return read<Engine>(root);
}

std::string error_of(const std::string& set) {
  try {
    (void)read_with({set});
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Set, ChangesAndAddsKeys) {
  const Engine engine = read_with({"clock=940 MHz", "main_wire.bandwidth=90 GB/s", "main_wire.latency=1 us",
                                   "shape=[2, 8]", "wires.1.bandwidth=3 GB/s", "label=a=b", "queue=1", "queue=2"});
  EXPECT_EQ(engine.clock.hertz, 940'000'000u);
  EXPECT_EQ(engine.main_wire.bandwidth.bytes_per_second, 90'000'000'000u);
  EXPECT_EQ(engine.main_wire.latency.ps, 1'000'000);
  EXPECT_THAT(engine.shape, ElementsAre(2u, 8u));
  EXPECT_EQ(engine.wires[0].bandwidth.bytes_per_second, 1'000'000'000u);
  EXPECT_EQ(engine.wires[1].bandwidth.bytes_per_second, 3'000'000'000u);
  EXPECT_EQ(engine.label, "a=b");
  EXPECT_EQ(engine.queue, 2u);
}

struct Mistake {
  const char* set;
  const char* message;
};

class SetRefused : public ::testing::TestWithParam<Mistake> {};

TEST_P(SetRefused, PointsAtTheArgument) {
  const std::string error = error_of(GetParam().set);
  EXPECT_THAT(error, HasSubstr("--set " + std::string(GetParam().set)));
  EXPECT_THAT(error, HasSubstr(GetParam().message));
}

INSTANTIATE_TEST_SUITE_P(
    Table, SetRefused,
    ::testing::Values(Mistake{"clok=1 GHz", "--set clok=1 GHz: clok: unknown key; did you mean 'clock'?"},
                      Mistake{"main_wyre.bandwidth=1 GB/s", "main_wyre: unknown key; did you mean 'main_wire'?"},
                      Mistake{"wires.0.latnecy=1 us", "wires.0.latnecy: unknown key; did you mean 'latency'?"},
                      Mistake{"clock=940", "--set clock=940: clock: expected a frequency such as '940 MHz', got '940'"},
                      Mistake{"clock", "expected key=value"}, Mistake{"=1", "expected key=value"},
                      Mistake{"clock=", "clock: a value is missing behind '='"},
                      Mistake{"clock.deep=1", "clock: is a plain value ('1 GHz')"},
                      Mistake{".clock=1", "a key between the dots is missing"},
                      Mistake{"clock.=1", "a key between the dots is missing"},
                      Mistake{"a..b=1", "a key between the dots is missing"},
                      Mistake{"wires.2.bandwidth=1 GB/s", "wires: a list of 2, has no element '2'"},
                      Mistake{"wires.x.bandwidth=1 GB/s", "wires: a list of 2, has no element 'x'"},
                      Mistake{"wires.-1.bandwidth=1 GB/s", "has no element '-1'"},
                      Mistake{"shape=[1, 2", "shape: not valid YAML"}, Mistake{"shape=a: b: c", "not valid YAML"},
                      Mistake{"label=\x01", "not a text file in UTF-8"},
                      Mistake{"queue=[1]", "expected a whole number, got a list"}));

TEST(Set, AnUnsetOptionalTakesNull) { EXPECT_EQ(read_with({"timeout=null"}).timeout, std::nullopt); }

TEST(Set, DeepPathsAreBounded) {
  std::string path = "a";
  for (int i = 0; i < 10'000; ++i) path += ".a";
  EXPECT_THAT(error_of(path + "=1"), HasSubstr("nested more than"));
}

}  // namespace
}  // namespace podsim::config
