// What share of its peak an HBM reaches under a pattern of requests, at either level of detail: how the model is held
// against measurements of others (tests/reference/hbm_bandwidth.csv, hbm_dramsys.csv) and one level against the other.
// Free of the SystemC kernel.
//
//   HbmTrial trial{.config = config, .pattern = HbmPattern::kRandomRead, .chunk = 1024, .requests = 65'536};
//   double percent = percent_of_peak(trial);                 // per-bank model
//   trial.level = HbmLevel::kBulk;
//   double priced = percent_of_peak(trial);                  // the price of the same requests in bulk
//
// The patterns are those of hbm_bandwidth.csv. Requests are issued in order as long as `outstanding` bytes are not
// exceeded; a request's accesses go to their channels' FIFOs.
#pragma once

#include <cstdint>

#include "models/memory/hbm_config.h"
#include "models/memory/hbm_patterns.h"

namespace podsim::memory {

struct HbmTrial {
  HbmConfig config;  // its `level` is of no account here
  HbmPattern pattern = HbmPattern::kStreamRead;
  Bytes chunk = 4096;  // bytes of a request
  std::uint64_t requests = 65'536;
  HbmLevel level = HbmLevel::kDetailed;
  Bytes outstanding = 256 * kKiB;
};

// Bytes moved over the time from the first request to the end of the last, in percent of config.bandwidth. Throws
// std::invalid_argument, naming the key, when the configuration makes no sense.
[[nodiscard]] double percent_of_peak(const HbmTrial& trial);

}  // namespace podsim::memory
