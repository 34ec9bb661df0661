// YAML keys of the way between chip and host: `pcie`, and of `host` the sections `root_complex`, `switches`, `staging`.
#pragma once

#include <algorithm>
#include <array>

#include "models/pcie/host_staging_config.h"
#include "models/pcie/pcie_config.h"
#include "models/pcie/pcie_switch_config.h"
#include "models/pcie/root_complex_config.h"
#include "platform/config/fields.h"

namespace podsim::config {

template <class Visitor>
void fields(Visitor& visit, pcie::PcieConfig& pcie) {
  constexpr std::array kWidths{1u, 2u, 4u, 8u, 12u, 16u, 32u};
  constexpr ByteSize kLargestPacket{4096};
  visit("generation", pcie.generation, "of the standard", required, at_least(1), at_most(5));
  visit("lanes", pcie.lanes, "of the link", required);
  visit("max_payload", pcie.max_payload, "MPS: payload of one write or completion", power_of_two,
        at_least(ByteSize{128}), at_most(kLargestPacket));
  visit("max_read_request", pcie.max_read_request, "MRRS", power_of_two, at_least(ByteSize{128}),
        at_most(kLargestPacket));
  visit("read_completion_boundary", pcie.read_completion_boundary, "RCB", power_of_two, at_least(ByteSize{64}),
        at_most(kLargestPacket));
  visit("completions_cut_at_boundary", pcie.completions_cut_at_boundary, "at the RCB, rather than at a full MPS");
  visit("address_64_bit", pcie.address_64_bit, "four-word request headers");
  visit("ecrc", pcie.ecrc, "end-to-end CRC: four bytes more for each packet");
  visit("latency", pcie.latency, "of the link, one way", positive);
  visit("outstanding_reads", pcie.outstanding_reads, "in flight, of up to max_read_request each", at_least(1));
  visit("posted_credits", pcie.posted_credits, "room for posted writes at the far end", positive);
  visit.check(std::find(kWidths.begin(), kWidths.end(), pcie.lanes) != kWidths.end(), "lanes",
              "must be 1, 2, 4, 8, 12, 16 or 32");
}

template <class Visitor>
void fields(Visitor& visit, pcie::RootComplexConfig& root_complex) {
  visit("bandwidth_per_direction", root_complex.bandwidth_per_direction, "shared by the chips of the host");
  visit("latency", root_complex.latency, "one way through it");
}

template <class Visitor>
void fields(Visitor& visit, pcie::PcieSwitchConfig& switches) {
  visit("chips", switches.chips, "to a switch; 0: no switches");
  visit("bandwidth_per_direction", switches.bandwidth_per_direction, "of a switch's way up, shared by its chips",
        positive);
  visit("latency", switches.latency, "one way through a switch");
}

template <class Visitor>
void fields(Visitor& visit, pcie::HostStagingConfig& staging) {
  visit("copy_bandwidth", staging.copy_bandwidth, "of the host's CPU, between pinned and pageable buffers", positive);
  visit("copy_latency", staging.copy_latency, "before the copy of a piece starts");
}

}  // namespace podsim::config
