// Configuration of the PCIe link between a chip and its host.
#pragma once

#include "models/kernel/units.h"

namespace podsim::pcie {

struct PcieConfig {
  // Gen3 x16 fits the 16 GB/s a chip of TPU v4, v5e and v5p ("How to Scale Your Model", jax-ml.github.io/scaling-book);
  // gen4 x16 the 32 GB/s of v6e.
  unsigned generation = 3;  // 1 to 5
  unsigned lanes = 16;      // 1, 2, 4, 8, 12, 16 or 32

  ByteSize max_payload{256};              // MPS: payload of one write or completion
  ByteSize max_read_request{512};         // MRRS
  ByteSize read_completion_boundary{64};  // RCB
  // Whether completions are cut at the RCB, as older root complexes do, or carry a full MPS.
  bool completions_cut_at_boundary = false;
  bool address_64_bit = true;  // four-word request headers; 32-bit addresses need three
  bool ecrc = false;           // end-to-end CRC: four bytes more for each packet

  // From a packet's entry into one end of the link to its exit at the other: both physical and data link layers. No
  // public figure for TPU hosts: chosen so that, with the defaults of root complex and host memory, a small read takes
  // 550 ns, of the order that servers show (Neugebauer et al., SIGCOMM 2018, section on latency).
  Duration latency{150'000};
  // Reads in flight, of up to max_read_request each: read bandwidth <= outstanding_reads x MRRS / round trip.
  unsigned outstanding_reads = 64;
  // Room for posted writes at the far end: write bandwidth <= posted_credits / (2 x latency).
  ByteSize posted_credits{32 * kKiB};
};

}  // namespace podsim::pcie
