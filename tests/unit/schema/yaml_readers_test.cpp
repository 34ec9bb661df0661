// Property: whatever is done to a shipped file, its reader takes it or throws a ConfigError; never a crash, another
// exception, or an endless loop. A few thousand edits of the same kinds that scripts/fuzz finds by the million, and
// what that has found.
#include <gtest/gtest.h>

#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "platform/config/config_error.h"
#include "platform/config/yaml_document.h"
#include "platform/schema/kinds.h"
#include "tests/support/yaml_files.h"

namespace podsim::schema {
namespace {

namespace fs = std::filesystem;

const fs::path kRoot = PODSIM_SOURCE_DIR;

constexpr std::string_view kPieces[] = {": ",
                                        "\n",
                                        "  ",
                                        "- ",
                                        "[",
                                        "]",
                                        "{",
                                        "}",
                                        ", ",
                                        "&a ",
                                        "*a",
                                        "~",
                                        "-",
                                        "0",
                                        "-1",
                                        "1",
                                        "65536",
                                        "1e300",
                                        " B",
                                        " GB/s",
                                        " us",
                                        "true",
                                        "x",
                                        "axes",
                                        "all_to_all",
                                        "matmul",
                                        "4294967295",
                                        "18446744073709551615",
                                        "9999999999999999 TB",
                                        "groups: [[0]]",
                                        "shift: [1]",
                                        "dim: 7",
                                        "size: 0 B"};

std::string mutate(std::string text, std::mt19937_64& random) {
  for (std::uint64_t edits = 1 + random() % 3; edits > 0; --edits) {
    const std::size_t at = text.empty() ? 0 : random() % text.size();
    const std::size_t length = std::min<std::size_t>(random() % 16, text.size() - at);
    const std::string piece(kPieces[random() % std::size(kPieces)]);
    switch (random() % 5) {
      case 0: text.erase(at, length); break;
      case 1: text.insert(at, piece); break;
      case 2: text.replace(at, length, piece); break;
      case 3: text.insert(random() % (text.size() + 1), text.substr(at, length)); break;
      default: {  // a number becomes another one
        const std::size_t digit = text.find_first_of("0123456789", at);
        if (digit != std::string::npos) text.replace(digit, 1, piece);
      }
    }
  }
  return text;
}

std::string text_of(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

std::vector<std::string> kind_names() {
  std::vector<std::string> names;
  for (const Kind& kind : kinds()) names.emplace_back(kind.name);
  return names;
}

class Readers : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Kinds, Readers, ::testing::ValuesIn(kind_names()),
                         [](const auto& each) { return each.param; });

TEST_P(Readers, EndInAFileOrAConfigError) {
  const std::string kind = GetParam();
  const int edits = kind == "validation" ? 200 : 1000;  // a file of cases takes long to read
  std::vector<std::string> seeds;
  for (const fs::path& file : testing::files_of(kind, kRoot)) seeds.push_back(text_of(file));
  std::mt19937_64 random(20'261'130);
  int taken = 0, refused = 0;
  for (int i = 0; i < edits; ++i) {
    const std::string text = mutate(seeds[static_cast<std::size_t>(i) % seeds.size()], random);
    try {
      testing::read_as(kind, config::parse_yaml(text, "edited.yaml"), kRoot);
      ++taken;
    } catch (const config::ConfigError& error) {
      EXPECT_FALSE(std::string(error.what()).empty());
      ++refused;
    } catch (const std::exception& error) {
      FAIL() << "another exception: " << error.what() << "\nfrom:\n" << text;
    }
  }
  EXPECT_GT(taken, 10);
  EXPECT_GT(refused, 40);
}

}  // namespace
}  // namespace podsim::schema
