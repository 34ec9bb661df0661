// Property: whatever is done to the text of a file, reading it gives a struct or a ConfigError; never a crash, another
// exception, or an endless loop.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "platform/config/effective_config.h"
#include "platform/config/overrides.h"
#include "platform/config/section_reader.h"
#include "platform/config/yaml_document.h"
#include "tests/unit/config/example_config.h"

namespace podsim::config {
namespace {

constexpr std::string_view kSeed = R"(# an engine
clock: 940 MHz
queue: 64
offset: -8
derate: 0.75
enabled: false
label: "a name: with colon"
colour: green
page: &page 64 KiB
small: 0 B
timeout: 2 us
shape: [4, 4, 8]
wires:
  - {bandwidth: 45 GB/s, latency: 1 us}
  - bandwidth: 100 Gb/s
    latency: &latency 1.5e-3 us
main_wire:
  bandwidth: 1 TB/s
  latency: *latency
)";

constexpr std::string_view kPieces[] = {":",
                                        ": ",
                                        "\n",
                                        "  ",
                                        "- ",
                                        "[",
                                        "]",
                                        "{",
                                        "}",
                                        "&a ",
                                        "*a",
                                        "!!",
                                        "|",
                                        ">",
                                        "'",
                                        "\"",
                                        "#",
                                        "%",
                                        "@",
                                        "`",
                                        "\t",
                                        "? ",
                                        "---\n",
                                        "...\n",
                                        "<<: ",
                                        "\xff",
                                        "\xc3\xa9",
                                        "1e999",
                                        "-",
                                        "nan",
                                        "18446744073709551616",
                                        " GB/s",
                                        "null",
                                        "~",
                                        ",",
                                        "\r\n",
                                        "\\",
                                        "%YAML 1.2\n"};

// Applies a few random edits.
std::string mutate(std::string text, std::mt19937_64& random) {
  for (std::uint64_t edits = 1 + random() % 4; edits > 0; --edits) {
    const std::size_t at = text.empty() ? 0 : random() % text.size();
    const std::size_t length = std::min<std::size_t>(random() % 12, text.size() - at);
    switch (random() % 6) {
      case 0: text.erase(at, length); break;
      case 1: text.insert(at, std::string(kPieces[random() % std::size(kPieces)])); break;
      case 2: text.insert(random() % (text.size() + 1), text.substr(at, length)); break;
      case 3:
        if (!text.empty()) text[at] = static_cast<char>(random() % 256);
        break;
      case 4: text.resize(at); break;
      default:
        for (std::uint64_t i = random() % 300; i > 0; --i) text.insert(at, kPieces[random() % std::size(kPieces)]);
    }
  }
  return text;
}

TEST(YamlMutation, EndsInAStructOrAConfigError) {
  std::mt19937_64 random(20'240'607);
  int accepted = 0, refused = 0;
  for (int i = 0; i < 20'000; ++i) {
    const std::string text = mutate(std::string(kSeed), random);
    try {
      const auto engine = read<example::Engine>(parse_yaml(text, "m.yaml"));
      // What was accepted can be written and read again.
      EXPECT_EQ(read<example::Engine>(parse_yaml(to_yaml(effective_keys(engine)), "again.yaml")), engine) << text;
      ++accepted;
    } catch (const ConfigError& error) {
      EXPECT_FALSE(std::string(error.what()).empty());
      ++refused;
    } catch (const std::exception& error) {
      FAIL() << "another exception: " << error.what() << "\nfrom:\n" << text;
    }
  }
  EXPECT_GT(accepted, 500);
  EXPECT_GT(refused, 5'000);
}

TEST(SetMutation, EndsInADocumentOrAConfigError) {
  std::mt19937_64 random(7);
  const std::vector<std::string> seeds{"wires.0.bandwidth=45 GB/s", "shape=[1, 2]", "main_wire={bandwidth: 1 GB/s}",
                                       "label=x"};
  for (int i = 0; i < 20'000; ++i) {
    ConfigNode root = parse_yaml(std::string(kSeed), "m.yaml");
    try {
      apply_set(root, mutate(seeds[random() % seeds.size()], random));
      (void)read<example::Engine>(root);
    } catch (const ConfigError&) {
    }
  }
}

}  // namespace
}  // namespace podsim::config
