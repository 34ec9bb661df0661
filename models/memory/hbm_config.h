// Configuration of a chip's HBM: organisation, address mapping, rates, DRAM timings, controllers. The defaults describe
// a chip with two stacks, such as a TPU v5e, with the timings of Ramulator 2.1's HBM2_2000 preset
// (tests/reference/hbm_timing.csv, where the other sets of configs/memory are from as well).
//
// The clock is not given: a column access moves `access` bytes in two clocks (BL4 of HBM2 and BL8 of HBM3 alike), so it
// follows from the bandwidth. Durations are rounded up to whole clocks.
#pragma once

#include <cstdint>
#include <vector>

#include "models/kernel/units.h"

namespace podsim::memory {

// bulk: a burst is priced as a whole (hbm_pricing.h); detailed: every column access goes to its bank (dram/).
enum class HbmLevel : std::uint8_t { kBulk, kDetailed };
enum class HbmRefresh : std::uint8_t { kNone, kAllBank, kPerBank };
// Both serve row hits first, then the oldest. kFrFcfsRowHit also keeps a row open for older hits that wait for it.
enum class HbmScheduler : std::uint8_t { kFrFcfs, kFrFcfsRowHit };

// A part of the address mapping: `bits` of a field, or all that is left of it.
enum class HbmField : std::uint8_t { kStack, kChannel, kPseudoChannel, kBankGroup, kBank, kColumn, kRow };
struct HbmMappingPart {
  HbmField field = HbmField::kRow;
  unsigned bits = 0;  // 0: all that is left
  bool operator==(const HbmMappingPart&) const = default;
};

struct HbmConfig {
  HbmLevel level = HbmLevel::kBulk;
  ByteSize capacity{16 * kGiB};          // TPU v5e (cloud.google.com/tpu/docs/v5e)
  Bandwidth bandwidth{819'000'000'000};  // peak of all stacks together; TPU v5e (the same source)

  // What lies between the chip's bus and the DRAM is not public. Read: a row miss (tRCD + CL + burst, 30 ns) plus
  // 70 ns of controller and on-chip network. Write: data is visible once the controller has it queued.
  Duration read_latency{100'000};
  Duration write_latency{50'000};

  unsigned stacks = 2;
  unsigned channels_per_stack = 8;  // JESD235: 8 for HBM2
  unsigned pseudo_channels_per_channel = 2;
  unsigned banks_per_pseudo_channel = 16;
  unsigned bank_groups = 4;
  ByteSize row{1024};   // per pseudo-channel
  ByteSize access{32};  // one burst of BL4 on 64 bits

  // From the least significant bit up, above the bytes of an access. By default 256 B in a row, then the next channel:
  // coarse enough that a packet of 4 KiB visits few rows. Not public; an estimate.
  std::vector<HbmMappingPart> mapping{{HbmField::kColumn, 3}, {HbmField::kChannel}, {HbmField::kPseudoChannel},
                                      {HbmField::kBankGroup}, {HbmField::kColumn},  {HbmField::kBank},
                                      {HbmField::kRow}};

  Duration row_cycle{48'000};                       // tRC
  Duration row_active{34'000};                      // tRAS
  Duration row_precharge{14'000};                   // tRP
  Duration row_to_column{14'000};                   // tRCDRD
  Duration row_to_column_write{12'000};             // tRCDWR
  Duration read_to_precharge{5'000};                // tRTP
  Duration write_recovery{16'000};                  // tWR
  Duration activate_to_activate{4'000};             // tRRD_S
  Duration activate_to_activate_same_group{4'000};  // tRRD_L
  Duration four_activate_window{15'000};            // tFAW
  unsigned same_group_clocks = 4;                   // tCCD_L; tCCD_S is the two clocks of an access
  Duration column_read_latency{14'000};             // CL
  Duration column_write_latency{5'000};             // CWL
  Duration read_to_write{13'000};                   // tRTW
  Duration write_to_read{8'000};                    // tWTR_L
  Duration write_to_read_other_group{6'000};        // tWTR_S

  // Clocks, in halves, that a command takes on the row-command bus that the pseudo-channels of a channel share.
  // JESD235: two for an activate, one for a precharge; JESD238: one and a half, and a half. Zero: no limit.
  double activate_clocks = 2;
  double precharge_clocks = 1;

  HbmRefresh refresh = HbmRefresh::kAllBank;
  Duration refresh_interval{3'900'000};  // tREFI
  Duration refresh_cycle{350'000};       // tRFC, all banks, 8 Gb
  Duration refresh_cycle_bank{160'000};  // tRFCpb
  Duration refresh_to_activate{8'000};   // tRREFD, after a refresh of another bank
  bool refresh_staggered = false;        // the pseudo-channels of a channel refresh by turns

  // A channel's controller: a queue for reads and one for writes, filled in order from what has arrived.
  HbmScheduler scheduler = HbmScheduler::kFrFcfsRowHit;
  unsigned queue = 64;
  unsigned write_queue = 64;
  // Writes are served from the time the write queue is fuller than `write_high` percent until it is emptier than
  // `write_low`, or when nothing is to be read. Ramulator 2.1's defaults.
  unsigned write_high = 80;
  unsigned write_low = 20;

  // `bulk`: reads and writes no further apart than this mix in the controllers' queues.
  ByteSize mixing_window{256 * kKiB};

  bool operator==(const HbmConfig&) const = default;
};

}  // namespace podsim::memory
