// YAML keys of the memories: `hbm`, `vmem`, `host.memory`.
#pragma once

#include "models/memory/hbm_config.h"
#include "models/memory/host_memory_config.h"
#include "models/memory/vmem_config.h"
#include "platform/config/fields.h"

namespace podsim::config {

// A chip's address map keeps 40 bits for the offset in a memory.
inline constexpr ByteSize kLargestMemory{Bytes{1} << 40};

template <class Visitor>
void fields(Visitor& visit, memory::HbmConfig& hbm) {
  visit("capacity", hbm.capacity, "of the chip", required, positive, at_most(kLargestMemory));
  visit("bandwidth", hbm.bandwidth, "peak of all stacks together", required);
  visit("read_latency", hbm.read_latency, "request to first byte, when idle");
  visit("write_latency", hbm.write_latency, "last byte to its being visible");

  visit("stacks", hbm.stacks, "of the chip", at_least(1));
  visit("channels_per_stack", hbm.channels_per_stack, "8 for HBM2, 16 for HBM3", at_least(1));
  visit("pseudo_channels_per_channel", hbm.pseudo_channels_per_channel, "2 for HBM2 and later", at_least(1));
  visit("banks_per_pseudo_channel", hbm.banks_per_pseudo_channel, "a power of two times bank_groups", at_least(1));
  visit("bank_groups", hbm.bank_groups, "of a pseudo-channel", at_least(1));
  visit("row", hbm.row, "row size of a pseudo-channel", power_of_two);
  visit("access", hbm.access, "bytes of one column access", positive);
  visit("interleave", hbm.interleave, "consecutive bytes on one pseudo-channel", power_of_two);

  visit("row_cycle", hbm.row_cycle, "tRC");
  visit("row_precharge", hbm.row_precharge, "tRP");
  visit("row_to_column", hbm.row_to_column, "tRCD");
  visit("read_to_precharge", hbm.read_to_precharge, "tRTP");
  visit("activate_to_activate", hbm.activate_to_activate, "tRRD_S");
  visit("four_activate_window", hbm.four_activate_window, "tFAW");
  visit("row_commands", hbm.row_commands, "activate and precharge on the row command bus of a channel");
  visit("refresh_interval", hbm.refresh_interval, "tREFI", positive);
  visit("refresh_cycle", hbm.refresh_cycle, "tRFC, all banks");
  visit("read_to_write", hbm.read_to_write, "tRTW");
  visit("write_to_read", hbm.write_to_read, "tWTR_L");
  visit("column_write_latency", hbm.column_write_latency, "CWL");
  visit("turnaround_batch", hbm.turnaround_batch, "accesses in one direction before the data bus turns round",
        at_least(1));
  visit("mixing_window", hbm.mixing_window, "reads and writes no further apart than this mix in the queues");

  visit.check(hbm.banks_per_pseudo_channel % hbm.bank_groups == 0, "bank_groups",
              "must divide banks_per_pseudo_channel");
  visit.check(hbm.access <= hbm.interleave, "interleave", "must be at least access");
  visit.check(hbm.interleave <= hbm.row, "interleave", "must be at most row");
  visit.check(hbm.refresh_cycle.ps + hbm.row_cycle.ps < hbm.refresh_interval.ps, "refresh_interval",
              "must be more than refresh_cycle and row_cycle together");
}

template <class Visitor>
void fields(Visitor& visit, memory::VmemConfig& vmem) {
  visit("capacity", vmem.capacity, "of all TensorCores of the chip", required, positive, at_most(kLargestMemory));
  visit("bandwidth", vmem.bandwidth, "of all ports together", required);
  visit("ports", vmem.ports, "accesses served side by side, each at bandwidth / ports", at_least(1));
  visit("latency", vmem.latency, "of an access");
}

template <class Visitor>
void fields(Visitor& visit, memory::HostMemoryConfig& memory) {
  visit("capacity", memory.capacity, "of the host", positive, at_most(kLargestMemory));
  visit("bandwidth", memory.bandwidth, "sustained, reads and writes together");
  visit("read_latency", memory.read_latency, "as seen from the root complex");
  visit("write_latency", memory.write_latency, "until the data is visible");
}

}  // namespace podsim::config
