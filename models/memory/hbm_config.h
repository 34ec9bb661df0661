// Configuration of a chip's HBM: organisation, rates and DRAM timings. The defaults describe a chip with two HBM2E
// stacks, such as a TPU v5e.
//
// DRAM timings are those of Ramulator 2.1's HBM2_2000 preset at a clock of 1 ns (tests/reference/hbm_timing.csv); with
// them, and the batch below, the priced bandwidths match those measured by running public simulators
// (tests/reference/hbm_bandwidth.csv).
#pragma once

#include "models/kernel/units.h"

namespace podsim::memory {

struct HbmConfig {
  ByteSize capacity{16 * kGiB};          // TPU v5e (cloud.google.com/tpu/docs/v5e)
  Bandwidth bandwidth{819'000'000'000};  // peak of all stacks together; TPU v5e (the same source)

  // What lies between the chip's bus and the DRAM is not public. Read: a row miss (tRCD + CL + burst, 30 ns) plus
  // 70 ns of controller and on-chip network. Write: data is visible once the controller has it queued.
  Duration read_latency{100'000};
  Duration write_latency{50'000};

  // Organisation. Consecutive addresses go round all pseudo-channels and bank groups, `interleave` bytes at a time,
  // then along the rows: the mapping that public simulators call channel-lowest ("fine" in hbm_bandwidth.csv).
  unsigned stacks = 2;
  unsigned channels_per_stack = 8;  // JESD235: 8 for HBM2
  unsigned pseudo_channels_per_channel = 2;
  unsigned banks_per_pseudo_channel = 16;
  unsigned bank_groups = 4;
  ByteSize row{1024};       // per pseudo-channel
  ByteSize access{32};      // one burst of BL4 on 64 bits
  ByteSize interleave{32};  // a power of two, at least `access`

  Duration row_cycle{48'000};             // tRC
  Duration row_precharge{14'000};         // tRP
  Duration row_to_column{14'000};         // tRCD
  Duration read_to_precharge{5'000};      // tRTP
  Duration activate_to_activate{4'000};   // tRRD_S
  Duration four_activate_window{15'000};  // tFAW
  // Activate (two clocks) and precharge (one) on the row command bus that the pseudo-channels of a channel share; fits
  // the random-access rows of hbm_bandwidth.csv.
  Duration row_commands{3'000};

  Duration refresh_interval{3'900'000};  // tREFI
  Duration refresh_cycle{350'000};       // tRFC, all banks, 8 Gb

  Duration read_to_write{13'000};        // tRTW
  Duration write_to_read{8'000};         // tWTR_L
  Duration column_write_latency{5'000};  // CWL
  // Accesses that a pseudo-channel's controller moves in one direction before it turns the data bus round, when reads
  // and writes wait together: three eighths of a 64-entry queue fits the copy rows of hbm_bandwidth.csv at both queue
  // depths.
  unsigned turnaround_batch = 24;
  // Reads and writes no further apart than this mix in the controllers' queues.
  ByteSize mixing_window{256 * kKiB};
};

}  // namespace podsim::memory
