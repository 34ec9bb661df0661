// Link overheads against every row of the public pcie-model's table, and against hand-counted bytes.
#include "models/pcie/pcie_overhead.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace podsim::pcie {
namespace {

// The table's GB/s have four decimals; what is left is its rounding and ours (whole bytes a second).
constexpr double kHalfLastDigit = 0.000051;

double gb_per_second(Bandwidth bandwidth) { return static_cast<double>(bandwidth.bytes_per_second) / 1e9; }

TEST(PcieOverhead, MatchesEveryRowOfThePcieModel) {
  std::ifstream file(PODSIM_SOURCE_DIR "/tests/reference/pcie_bandwidth.csv");
  int rows = 0;
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("gen") || line.starts_with("gen,")) continue;  // comments and the head
    std::vector<std::string> field;
    std::istringstream stream(line);
    for (std::string value; std::getline(stream, value, ',');) field.push_back(value);
    ASSERT_EQ(field.size(), 19u) << line;

    PcieConfig config;
    config.generation = static_cast<unsigned>(std::stoul(field[0].substr(3)));
    config.lanes = static_cast<unsigned>(std::stoul(field[1].substr(1)));
    config.address_64_bit = field[2] == "64";
    config.ecrc = field[3] == "1";
    config.max_payload = {std::stoull(field[4])};
    config.max_read_request = {std::stoull(field[5])};
    config.read_completion_boundary = {std::stoull(field[6])};
    config.completions_cut_at_boundary = field[7] == "True";
    const Bytes size = std::stoull(field[8]);

    const PcieOverhead overhead(config);
    EXPECT_NEAR(gb_per_second(overhead.raw_bandwidth()), std::stod(field[9]), kHalfLastDigit) << line;
    EXPECT_NEAR(gb_per_second(overhead.packet_bandwidth()), std::stod(field[10]), kHalfLastDigit) << line;
    EXPECT_NEAR(gb_per_second(overhead.write_bandwidth(size)), std::stod(field[11]), kHalfLastDigit) << line;
    EXPECT_NEAR(gb_per_second(overhead.read_bandwidth(size)), std::stod(field[12]), kHalfLastDigit) << line;
    EXPECT_NEAR(gb_per_second(overhead.read_write_bandwidth_each(size)), std::stod(field[13]), kHalfLastDigit) << line;
    ++rows;
  }
  EXPECT_EQ(rows, 432);
}

TEST(PcieOverhead, CountsHeadersByPacket) {
  const PcieOverhead overhead({.max_payload = {256}, .max_read_request = {512}});
  EXPECT_EQ(overhead.write_on_wire(1), 1 + 24u);
  EXPECT_EQ(overhead.write_on_wire(256), 256 + 24u);
  EXPECT_EQ(overhead.write_on_wire(257), 257 + 2 * 24u);
  EXPECT_EQ(overhead.requests_on_wire(512), 24u);
  EXPECT_EQ(overhead.requests_on_wire(513), 48u);
  EXPECT_EQ(overhead.completions_on_wire(512), 512 + 2 * 20u);
}

TEST(PcieOverhead, ShortAddressesAndDigestsChangeTheHeaders) {
  const PcieOverhead short_addresses({.address_64_bit = false});
  EXPECT_EQ(short_addresses.write_on_wire(64), 64 + 20u);
  EXPECT_EQ(short_addresses.completions_on_wire(64), 64 + 20u);
  const PcieOverhead digests({.ecrc = true});
  EXPECT_EQ(digests.write_on_wire(64), 64 + 28u);
  EXPECT_EQ(digests.completions_on_wire(64), 64 + 24u);
}

TEST(PcieOverhead, NamesTheKeyThatMakesNoSense) {
  const auto complaint = [](const PcieConfig& config) -> std::string {
    try {
      PcieOverhead overhead(config);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(complaint({.generation = 9}), "pcie: generation must be 1 to 5, is 9");
  EXPECT_EQ(complaint({.lanes = 3}), "pcie: lanes must be 1, 2, 4, 8, 12, 16 or 32, is 3");
  EXPECT_EQ(complaint({.max_payload = {100}}),
            "pcie: max_payload must be a power of two from 128 to 4096 bytes, is 100");
}

}  // namespace
}  // namespace podsim::pcie
