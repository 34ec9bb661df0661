// A chip's internal bus: decodes addresses and carries transactions from any initiator (scalar core, DMA engines,
// TensorCores, network interface, PCIe) to the block that answers. It adds no time and no contention of its own: the
// blocks at its ends have the bandwidths that matter.
//
// An address of another chip goes to the network interface. Where nothing answers, TLM_ADDRESS_ERROR_RESPONSE.
#pragma once

#include <array>
#include <memory>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/kernel/address_map.h"

namespace podsim::bus {

class ChipBus final : public sc_core::sc_module {
 public:
  // Bound by initiators, by index. Which index is whose is the chip's affair.
  sc_core::sc_vector<tlm::tlm_target_socket<64>> initiators;
  // Bound to targets with attach() and attach_network().
  sc_core::sc_vector<tlm::tlm_initiator_socket<64>> targets;

  // `targets`: sockets that attach() will use up, the network included.
  ChipBus(sc_core::sc_module_name name, ChipId self, unsigned initiators, unsigned targets);
  ~ChipBus() override;

  // `target` answers for the region, or for one unit's register window of it (DMA engine or TensorCore number `unit`).
  // Call in the order of the units.
  void attach(Region region, tlm::tlm_base_target_socket_b<64>& target);
  // The target that answers for `region` answers for `also` as well.
  void attach_also(Region region, Region also) { aliases_.emplace_back(region, also); }
  // `target` answers for all addresses of other chips.
  void attach_network(tlm::tlm_base_target_socket_b<64>& target);

 private:
  class InitiatorSide;
  class TargetSide;
  using Target = tlm::tlm_fw_transport_if<>;
  using Initiator = tlm::tlm_bw_transport_if<>;

  void end_of_elaboration() override;
  tlm::tlm_initiator_socket<64>& next_socket();
  // Who answers at `address`, or null.
  [[nodiscard]] Target* decode(Address address) const;

  const ChipId self_;
  // What the sockets are bound to, looked up once: a burst passes here several times, and in a pod of thousands of
  // chips every object on its way is a cache miss.
  Target* network_ = nullptr;
  std::array<Target*, kRegionCount> first_units_{};  // by region; most have one unit
  std::vector<Target*> units_[kRegionCount];         // by region, then unit
  std::vector<Initiator*> back_;                     // by initiator

  std::vector<std::unique_ptr<InitiatorSide>> initiator_sides_;
  std::unique_ptr<TargetSide> target_side_;
  struct Attached {
    Region region;
    bool network;
  };
  std::vector<Attached> attached_;  // by target socket
  std::vector<std::pair<Region, Region>> aliases_;
};

}  // namespace podsim::bus
