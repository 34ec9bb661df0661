// The priced bandwidths against those of public DRAM simulators (tests/reference/hbm_bandwidth.csv), for the mapping
// that HbmConfig describes ("fine"), all-bank refresh, and the timings of tests/reference/hbm_timing.csv. Two of
// HbmConfig's values are fitted to this table, not taken from a data sheet: turnaround_batch (copy) and row_commands
// (random).
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "models/memory/hbm_pricing.h"

namespace podsim::memory {
namespace {

// Percent of peak that the reference measured for a configuration and pattern.
double reference(const std::string& config, const std::string& pattern, const std::string& chunk) {
  std::ifstream file(PODSIM_SOURCE_DIR "/tests/reference/hbm_bandwidth.csv");
  for (std::string line; std::getline(file, line);) {
    std::vector<std::string> fields;
    std::istringstream stream(line);
    for (std::string field; std::getline(stream, field, ',');) fields.push_back(field);
    if (fields.size() == 7 && fields[0] == config && fields[1] == pattern && fields[2] == chunk) {
      return std::stod(fields[6]);
    }
  }
  ADD_FAILURE() << "no row " << config << "," << pattern << "," << chunk;
  return 0;
}

// Column Ramulator2.1_HBM2_2000: 1 ns clock, eight channels, which are HbmConfig's defaults.
HbmConfig hbm2() {
  HbmConfig config;
  config.stacks = 1;
  config.bandwidth = {256'000'000'000};
  return config;
}

// Column Ramulator2.1_HBM3_6400: 0.625 ns clock, sixteen channels.
HbmConfig hbm3() {
  const auto clocks = [](Picoseconds n) { return Duration{n * 625}; };
  HbmConfig config;
  config.stacks = 1;
  config.channels_per_stack = 16;
  config.bandwidth = {820'510'000'000};
  config.row_cycle = clocks(72);
  config.row_precharge = clocks(26);
  config.row_to_column = clocks(31);
  config.read_to_precharge = clocks(9);
  config.activate_to_activate = clocks(4);
  config.four_activate_window = clocks(24);
  config.row_commands = clocks(3);
  config.read_to_write = clocks(20);
  config.column_write_latency = clocks(10);
  config.write_to_read = clocks(10);
  return config;
}

// Column DRAMsim3_HBM2_8Gb_x128: 1 ns clock; its channels are priced as two pseudo-channels of half the width.
HbmConfig dramsim3() {
  HbmConfig config = hbm2();
  config.refresh_cycle = {260'000};
  config.read_to_write = {14'000};
  config.column_write_latency = {4'000};
  return config;
}

HbmConfig with_queue_of_128(HbmConfig config) {
  config.turnaround_batch = 48;  // three eighths of the queue
  return config;
}

double percent_of_peak(const HbmConfig& config, Bytes bytes, Picoseconds time) {
  return 100.0 * static_cast<double>(bytes) * 1e12 / static_cast<double>(time) /
         static_cast<double>(config.bandwidth.bytes_per_second);
}

double stream(const HbmConfig& config) {
  HbmPricing pricing(config);
  Picoseconds time = 0;
  for (Bytes offset = 0; offset < 16 * kMiB; offset += 64 * kKiB) {
    time += pricing.price(offset, 64 * kKiB, false, false);
  }
  return percent_of_peak(config, 16 * kMiB, time);
}

double copy(const HbmConfig& config, Bytes chunk) {
  HbmPricing pricing(config);
  // The destination in another bank, as in the reference ("copyoff"): the next stripe over.
  const Bytes stripe = Bytes{config.stacks} * config.channels_per_stack * config.pseudo_channels_per_channel *
                       config.bank_groups * config.row.bytes;
  Picoseconds time = 0;
  for (Bytes offset = 0; offset < 16 * kMiB; offset += chunk) {
    time += pricing.price(offset, chunk, false, false);
    time += pricing.price(offset + 512 * kMiB + stripe, chunk, true, false);
  }
  return percent_of_peak(config, 32 * kMiB, time);
}

double random_chunks(const HbmConfig& config, Bytes chunk) {
  HbmPricing pricing(config);
  std::mt19937_64 random(1);
  Picoseconds time = 0;
  constexpr Bytes kChunks = 20'000;
  for (Bytes i = 0; i < kChunks; ++i) time += pricing.price(random() % (kGiB / chunk) * chunk, chunk, false, false);
  return percent_of_peak(config, kChunks * chunk, time);
}

struct Row {
  const char* name;
  HbmConfig config;
};
const Row kRows[] = {
    {"Ramulator2.1-HBM2-fine-ab-q64", hbm2()},
    {"Ramulator2.1-HBM3-fine-ab-q64", hbm3()},
    {"Ramulator2.1-HBM2-fine-ab-q128", with_queue_of_128(hbm2())},
    {"Ramulator2.1-HBM3-fine-ab-q128", with_queue_of_128(hbm3())},
    {"DRAMsim3-HBM2def", dramsim3()},
};

TEST(HbmReference, StreamWithinOnePoint) {
  for (const Row& row : kRows) EXPECT_NEAR(stream(row.config), reference(row.name, "seqr", "32"), 1.0) << row.name;
}

TEST(HbmReference, CopyWithinFivePoints) {
  for (const Row& row : kRows) {
    EXPECT_NEAR(copy(row.config, 4096), reference(row.name, "copyoff", "4096"), 5.0) << row.name;
  }
}

// DRAMsim3 leaves out the shared row-command bus, so its random figures are another device's.
TEST(HbmReference, RandomChunksWithinTwoPoints) {
  for (const Row& row : {kRows[0], kRows[1]}) {
    for (const Bytes chunk : {64, 256, 1024, 4096}) {
      EXPECT_NEAR(random_chunks(row.config, chunk), reference(row.name, "rnd", std::to_string(chunk)), 2.0)
          << row.name << " in chunks of " << chunk;
    }
  }
}

}  // namespace
}  // namespace podsim::memory
