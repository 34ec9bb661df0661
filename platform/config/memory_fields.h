// YAML keys of the memories: `hbm`, `vmem`, `host.memory`.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "models/memory/dram/address_map.h"
#include "models/memory/hbm_config.h"
#include "models/memory/host_memory_config.h"
#include "models/memory/vmem_config.h"
#include "platform/config/fields.h"
#include "platform/config/scalar_parsers.h"

namespace podsim::config {

// A chip's address map keeps 40 bits for the offset in a memory.
inline constexpr ByteSize kLargestMemory{Bytes{1} << 40};

constexpr auto names(EnumTag<memory::HbmLevel>) {
  using memory::HbmLevel;
  return EnumNames<HbmLevel, 2>{{{"bulk", HbmLevel::kBulk}, {"detailed", HbmLevel::kDetailed}}};
}
constexpr auto names(EnumTag<memory::HbmRefresh>) {
  using memory::HbmRefresh;
  return EnumNames<HbmRefresh, 3>{
      {{"none", HbmRefresh::kNone}, {"all_bank", HbmRefresh::kAllBank}, {"per_bank", HbmRefresh::kPerBank}}};
}
constexpr auto names(EnumTag<memory::HbmScheduler>) {
  using memory::HbmScheduler;
  return EnumNames<HbmScheduler, 2>{
      {{"fr_fcfs", HbmScheduler::kFrFcfs}, {"fr_fcfs_row_hit", HbmScheduler::kFrFcfsRowHit}}};
}
constexpr auto names(EnumTag<memory::HbmField>) {
  using memory::HbmField;
  return EnumNames<HbmField, 7>{{{"stack", HbmField::kStack},
                                 {"channel", HbmField::kChannel},
                                 {"pseudo_channel", HbmField::kPseudoChannel},
                                 {"bank_group", HbmField::kBankGroup},
                                 {"bank", HbmField::kBank},
                                 {"column", HbmField::kColumn},
                                 {"row", HbmField::kRow}}};
}

// A part of the address mapping is "bank_group", all that is left of a field, or "column/8", a digit of eight values.
template <>
struct ScalarText<memory::HbmMappingPart> {
  static constexpr std::string_view kExpected =
      "a field of the address such as 'channel', or a part of one, 'column/8'";
  static constexpr std::string_view kPattern = "^[a-z_]+(/[0-9]+)?$";

  static Parsed<memory::HbmMappingPart> parse(std::string_view text) {
    const std::size_t slash = text.find('/');
    auto field = parse_scalar<memory::HbmField>(text.substr(0, slash));
    if (!field.value) return {std::nullopt, std::move(field.error)};
    if (slash == text.npos) return {memory::HbmMappingPart{*field.value, 0}, {}};
    const auto values = parse_unsigned(text.substr(slash + 1), std::uint64_t{1} << 40);
    if (!values.value || *values.value < 2 || !std::has_single_bit(*values.value)) {
      return {std::nullopt, fmt::format("expected a power of two behind '/', got '{}'", text.substr(0, 60))};
    }
    return {memory::HbmMappingPart{*field.value, static_cast<unsigned>(std::countr_zero(*values.value))}, {}};
  }
  static std::string text(memory::HbmMappingPart part) {
    const std::string_view field = enum_name(part.field);
    return part.bits == 0 ? std::string(field) : fmt::format("{}/{}", field, std::uint64_t{1} << part.bits);
  }
};

// What configs/memory/*.yaml set: the DRAM's organisation and timings, and its controllers.
template <class Visitor>
void dram_fields(Visitor& visit, memory::HbmConfig& hbm) {
  visit("channels_per_stack", hbm.channels_per_stack, "8 for HBM2, 16 for HBM3", at_least(1), at_most(256));
  visit("pseudo_channels_per_channel", hbm.pseudo_channels_per_channel, "2 for HBM2 and later", at_least(1),
        at_most(8));
  visit("banks_per_pseudo_channel", hbm.banks_per_pseudo_channel, "of all bank groups", at_least(1), at_most(1024));
  visit("bank_groups", hbm.bank_groups, "of a pseudo-channel", at_least(1));
  visit("row", hbm.row, "row size of a pseudo-channel", power_of_two);
  visit("access", hbm.access, "bytes of one column access, which takes two clocks", power_of_two);
  visit("mapping", hbm.mapping, "fields of the address, from the least significant up");

  visit("row_cycle", hbm.row_cycle, "tRC");
  visit("row_active", hbm.row_active, "tRAS");
  visit("row_precharge", hbm.row_precharge, "tRP");
  visit("row_to_column", hbm.row_to_column, "tRCDRD");
  visit("row_to_column_write", hbm.row_to_column_write, "tRCDWR");
  visit("read_to_precharge", hbm.read_to_precharge, "tRTP");
  visit("write_recovery", hbm.write_recovery, "tWR");
  visit("activate_to_activate", hbm.activate_to_activate, "tRRD_S");
  visit("activate_to_activate_same_group", hbm.activate_to_activate_same_group, "tRRD_L");
  visit("four_activate_window", hbm.four_activate_window, "tFAW");
  visit("same_group_clocks", hbm.same_group_clocks, "tCCD_L, in clocks", at_least(1));
  visit("column_read_latency", hbm.column_read_latency, "CL");
  visit("column_write_latency", hbm.column_write_latency, "CWL");
  visit("read_to_write", hbm.read_to_write, "tRTW");
  visit("write_to_read", hbm.write_to_read, "tWTR_L");
  visit("write_to_read_other_group", hbm.write_to_read_other_group, "tWTR_S");
  visit("activate_clocks", hbm.activate_clocks, "of an activate on the row-command bus of a channel", at_least(0.0),
        at_most(16.0));
  visit("precharge_clocks", hbm.precharge_clocks, "of a precharge on the row-command bus of a channel", at_least(0.0),
        at_most(16.0));
  visit("refresh", hbm.refresh, "which banks refresh together");
  visit("refresh_interval", hbm.refresh_interval, "tREFI", positive);
  visit("refresh_cycle", hbm.refresh_cycle, "tRFC, all banks");
  visit("refresh_cycle_bank", hbm.refresh_cycle_bank, "tRFCpb, one bank");
  visit("refresh_to_activate", hbm.refresh_to_activate, "tRREFD, to a bank that does not refresh");
  visit("refresh_staggered", hbm.refresh_staggered, "the pseudo-channels of a channel refresh by turns");
  visit("scheduler", hbm.scheduler, "fr_fcfs_row_hit: keeps rows open for older hits");
  visit("queue", hbm.queue, "reads that a channel's controller looks at", at_least(1), at_most(4096));
  visit("write_queue", hbm.write_queue, "writes that it holds", at_least(1), at_most(4096));
  visit("write_high", hbm.write_high, "percent of write_queue from which writes are served", at_most(100));
  visit("write_low", hbm.write_low, "percent of write_queue down to which they are", at_most(100));
  visit("mixing_window", hbm.mixing_window, "reads and writes no further apart than this mix in the queues");

  visit.check(hbm.bank_groups > 0 && hbm.banks_per_pseudo_channel % hbm.bank_groups == 0, "bank_groups",
              "must divide banks_per_pseudo_channel");
  visit.check(hbm.access <= hbm.row, "access", "must be at most row");
  visit.check(hbm.write_low <= hbm.write_high, "write_low", "must be at most write_high");
  visit.check(
      hbm.refresh == memory::HbmRefresh::kNone || hbm.refresh_cycle.ps + hbm.row_cycle.ps < hbm.refresh_interval.ps,
      "refresh_interval", "must be more than refresh_cycle and row_cycle together");
}

template <class Visitor>
void fields(Visitor& visit, memory::HbmConfig& hbm) {
  visit.note("timings", "the set in configs/memory that the DRAM's keys have their defaults from", form<std::string>);
  visit("level", hbm.level, "bulk: bursts are priced as a whole; detailed: every column access goes to its bank");
  visit("capacity", hbm.capacity, "of the chip", required, positive, at_most(kLargestMemory));
  visit("bandwidth", hbm.bandwidth, "peak of all stacks together", required, positive);
  visit("read_latency", hbm.read_latency, "request to first byte, when idle");
  visit("write_latency", hbm.write_latency, "last byte to its being visible");
  visit("stacks", hbm.stacks, "of the chip", at_least(1), at_most(64));
  dram_fields(visit, hbm);
  visit.check(*memory::mapping_fault(hbm) == '\0', "mapping", memory::mapping_fault(hbm));
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
