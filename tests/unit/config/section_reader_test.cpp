// Reading a struct: values, defaults, and every kind of mistake with its place, key and message.
#include "platform/config/section_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "platform/config/yaml_document.h"
#include "tests/unit/config/example_config.h"

namespace podsim::config {
namespace {

using example::Colour;
using example::Engine;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

Engine read_engine(const std::string& text) { return read<Engine>(parse_yaml(text, "e.yaml")); }

std::string error_of(const std::string& text) {
  try {
    (void)read_engine(text);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(SectionReader, FillsEveryKindOfMember) {
  const Engine engine = read_engine(R"(
clock: 940 MHz
queue: 64
offset: -8
derate: 0.75
enabled: false
label: "a name: with colon"
colour: green
page: 64 KiB
small: 0 B
timeout: 2 us
shape: [4, 4, 8]
wires:
  - {bandwidth: 45 GB/s, latency: 1 us}
  - bandwidth: 100 Gb/s
main_wire: {bandwidth: 1 TB/s}
)");
  EXPECT_EQ(engine.clock.hertz, 940'000'000u);
  EXPECT_EQ(engine.queue, 64u);
  EXPECT_EQ(engine.offset, -8);
  EXPECT_EQ(engine.derate, 0.75);
  EXPECT_FALSE(engine.enabled);
  EXPECT_EQ(engine.label, "a name: with colon");
  EXPECT_EQ(engine.colour, Colour::kGreen);
  EXPECT_EQ(engine.page.bytes, 65'536u);
  EXPECT_EQ(engine.small.bytes, 0u);
  EXPECT_EQ(engine.timeout, Duration{2'000'000});
  EXPECT_THAT(engine.shape, ElementsAre(4u, 4u, 8u));
  ASSERT_EQ(engine.wires.size(), 2u);
  EXPECT_EQ(engine.wires[0].latency.ps, 1'000'000);
  EXPECT_EQ(engine.wires[1].bandwidth.bytes_per_second, 12'500'000'000u);
  EXPECT_EQ(engine.main_wire.bandwidth.bytes_per_second, 1'000'000'000'000u);
}

TEST(SectionReader, DefaultsAreTheStructs) {
  Engine expected;
  expected.clock = Frequency{1'000'000};
  EXPECT_EQ(read_engine("clock: 1 MHz\n"), expected);
  EXPECT_EQ(read_engine("clock: 1 MHz\ntimeout: null\nshape: []\n"), expected);
}

struct Mistake {
  const char* text;
  const char* message;
};

class Mistaken : public ::testing::TestWithParam<Mistake> {};

TEST_P(Mistaken, SaysWhereWhichKeyAndWhatWasExpected) {
  const std::string error = error_of(GetParam().text);
  EXPECT_THAT(error, HasSubstr(GetParam().message));
  EXPECT_EQ(std::count(error.begin(), error.end(), '\n'), 0) << "one mistake, one message: " << error;
}

INSTANTIATE_TEST_SUITE_P(
    Table, Mistaken,
    ::testing::Values(
        Mistake{"queue: 1\n", "e.yaml:1:1: clock: required key is missing"},
        Mistake{"clok: 1 GHz\nclock: 1 GHz\n", "e.yaml:1:1: clok: unknown key; did you mean 'clock'?"},
        Mistake{"clock: 1 GHz\nzzz: 1\n", "e.yaml:2:1: zzz: unknown key; known: clock, queue"},
        Mistake{"clock: 1 GHz\nmain_wire:\n  bandwidth: 1 GB/s\n  latnecy: 1 us\n",
                "e.yaml:4:3: main_wire.latnecy: unknown key; did you mean 'latency'?"},
        Mistake{"clock: 1 GHz\nwires:\n  - latency: 1 us\n", "e.yaml:3:5: wires.0.bandwidth: required key is missing"},
        Mistake{"clock: 1 GHz\nwires: [{bandwidth: 45}]\n",
                "e.yaml:2:21: wires.0.bandwidth: expected a bandwidth such as '45 GB/s', got '45': a unit is required"},
        Mistake{"clock: 940\n", "e.yaml:1:8: clock: expected a frequency such as '940 MHz', got '940'"},
        Mistake{"clock: 11 GHz\n", "e.yaml:1:8: clock: must be at most 10 GHz, got '11 GHz'"},
        Mistake{"clock: {a: 1}\n", "clock: expected a frequency such as '940 MHz', got a section"},
        Mistake{"clock: [1 GHz]\n", "got a list"}, Mistake{"clock:\n", "got nothing"},
        Mistake{"clock: 1 GHz\nqueue: 0\n", "queue: must be at least 1, got '0'"},
        Mistake{"clock: 1 GHz\nqueue: 65\n", "queue: must be at most 64, got '65'"},
        Mistake{"clock: 1 GHz\nqueue: -1\n", "queue: expected a whole number, got '-1': negative"},
        Mistake{"clock: 1 GHz\nqueue: 4.5\n", "queue: expected a whole number, got '4.5'"},
        Mistake{"clock: 1 GHz\nqueue: 4 entries\n", "expected a whole number"},
        Mistake{"clock: 1 GHz\nqueue: 99999999999\n", "outside 0 to 4294967295"},
        Mistake{"clock: 1 GHz\nqueue: 99999999999999999999999\n", "outside 0 to 4294967295"},
        Mistake{"clock: 1 GHz\noffset: -9\n", "offset: must be at least -8, got '-9'"},
        Mistake{"clock: 1 GHz\nderate: 0\n", "derate: must be more than zero, got '0'"},
        Mistake{"clock: 1 GHz\nderate: inf\n", "derate: expected a number, got 'inf'"},
        Mistake{"clock: 1 GHz\nderate: .nan\n", "expected a number"},
        Mistake{"clock: 1 GHz\nderate: 1e999\n", "expected a number"},
        Mistake{"clock: 1 GHz\nenabled: yes\n", "enabled: expected true or false, got 'yes'"},
        Mistake{"clock: 1 GHz\ncolour: gren\n", "expected one of red, green, got 'gren'; did you mean 'green'?"},
        Mistake{"clock: 1 GHz\ncolour: blue\n", "colour: expected one of red, green, got 'blue'"},
        Mistake{"clock: 1 GHz\npage: 3 KiB\n", "page: must be a power of two, got '3 KiB'"},
        Mistake{"clock: 1 GHz\nsmall: 1 KiB\npage: 512 B\n", "e.yaml:2:8: small: must not exceed page"},
        Mistake{"clock: 1 GHz\ntimeout: 0 ns\n", "timeout: must be more than zero"},
        Mistake{"clock: 1 GHz\nshape: 4\n", "shape: expected a list, got '4'"},
        Mistake{"clock: 1 GHz\nshape:\n", "shape: expected a list, got nothing"},
        Mistake{"clock: 1 GHz\nshape: [4, 0]\n", "shape.1: must be more than zero"},
        Mistake{"clock: 1 GHz\nmain_wire: 4\n", "main_wire: expected a section, got '4'"},
        Mistake{"clock: 1 GHz\nlabel: [a]\n", "label: expected text, got a list"}));

TEST(SectionReader, ReportsAllMistakesOfAFile) {
  try {
    (void)read_engine("clock: 1\nqueue: 0\nnonsense: 1\nsmall: 1 KiB\npage: 1 KiB\n");
    FAIL();
  } catch (const ConfigError& error) {
    ASSERT_EQ(error.diagnostics().size(), 3u);
    EXPECT_EQ(error.key(), "clock");
    EXPECT_EQ(error.file(), "e.yaml");
    EXPECT_EQ(error.line(), 1);
    EXPECT_EQ(error.column(), 8);
    EXPECT_EQ(error.diagnostics()[1].key, "queue");
    EXPECT_EQ(error.diagnostics()[2].key, "nonsense");
  }
}

TEST(SectionReader, TheNumberOfMessagesIsBounded) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "unknown" + std::to_string(i) + ": 1\n";
  try {
    (void)read_engine(text);
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_LE(error.diagnostics().size(), 20u);
  }
}

}  // namespace
}  // namespace podsim::config
