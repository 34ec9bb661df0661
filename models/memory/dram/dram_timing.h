// DRAM timing constraints in ticks of half a clock, from command to command, as public simulators have them: which
// command may follow which, how long after, on the same bank, bank group or pseudo-channel.
#pragma once

#include <cstdint>

#include "models/memory/hbm_config.h"

namespace podsim::memory {

// Half clocks. HBM3 has commands that take an odd number of them.
using DramTick = std::int64_t;
inline constexpr DramTick kNever = INT64_MAX;
inline constexpr DramTick kClock = 2;

// Picoseconds and ticks, exactly: `access` bytes take two clocks on each pseudo-channel at the peak bandwidth.
class DramClock {
 public:
  explicit DramClock(const HbmConfig& config);

  // Of a duration, whole clocks, rounded up. A clock's fiftieth does not count, for durations that were clocks once.
  [[nodiscard]] DramTick clocks(Duration span) const;
  // The first tick at or after a time.
  [[nodiscard]] DramTick tick(Picoseconds time) const;
  [[nodiscard]] Picoseconds time(DramTick tick) const;

 private:
  // A tick is numerator_ / denominator_ picoseconds.
  Wide numerator_ = 1;
  Wide denominator_ = 1;
};

struct DramTiming {
  explicit DramTiming(const HbmConfig& config);

  DramClock clock;
  DramTick burst = 2 * kClock;
  DramTick same_group;  // column to column, same bank group
  DramTick activate_to_read, activate_to_write, activate_to_precharge, activate_to_activate;  // of one bank
  DramTick precharge_to_activate;
  DramTick read_to_precharge, write_to_precharge;
  DramTick activate_to_other, activate_to_same_group, four_activates;
  DramTick read_to_write, write_to_read, write_to_read_same_group;
  DramTick read_data, write_data;                // command to the end of its data
  DramTick activate_command, precharge_command;  // on the row-command bus; 0: no such bus
  DramTick refresh_interval, refresh, refresh_bank, refresh_to_activate;
};

}  // namespace podsim::memory
