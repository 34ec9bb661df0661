#include "models/bus/chip_bus.h"

#include "models/kernel/burst.h"

namespace podsim::bus {

using sc_core::sc_time;
using tlm::tlm_generic_payload;

// The forward path of one initiator: decode, and remember in the burst where the answer has to go.
class ChipBus::InitiatorSide final : public tlm::tlm_fw_transport_if<> {
 public:
  InitiatorSide(const ChipBus& bus, std::uint32_t port) : bus_(bus), port_(port) {}

 private:
  tlm::tlm_sync_enum nb_transport_fw(tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_time& delay) override {
    auto* target = bus_.decode(payload.get_address());
    if (target == nullptr) {
      payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
      return tlm::TLM_COMPLETED;
    }
    if (kernel::Burst* burst = kernel::burst_of(payload)) burst->return_port = port_;
    return (*target)->nb_transport_fw(payload, phase, delay);
  }
  void b_transport(tlm_generic_payload& payload, sc_time& delay) override {
    if (auto* target = bus_.decode(payload.get_address())) {
      (*target)->b_transport(payload, delay);
    } else {
      payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    }
  }
  unsigned transport_dbg(tlm_generic_payload& payload) override {
    auto* target = bus_.decode(payload.get_address());
    return target != nullptr ? (*target)->transport_dbg(payload) : 0;
  }
  bool get_direct_mem_ptr(tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }

  const ChipBus& bus_;
  const std::uint32_t port_;
};

// The backward path of all targets.
class ChipBus::TargetSide final : public tlm::tlm_bw_transport_if<> {
 public:
  explicit TargetSide(ChipBus& bus) : bus_(bus) {}

 private:
  tlm::tlm_sync_enum nb_transport_bw(tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_time& delay) override {
    const kernel::Burst* burst = kernel::burst_of(payload);
    if (burst == nullptr) {
      SC_REPORT_ERROR("chip_bus", "a payload that is answered later needs a Burst extension");
      return tlm::TLM_COMPLETED;
    }
    return bus_.initiators[burst->return_port]->nb_transport_bw(payload, phase, delay);
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

  ChipBus& bus_;
};

ChipBus::ChipBus(sc_core::sc_module_name name, ChipId self, unsigned initiator_count, unsigned target_count)
    : sc_module(name),
      initiators("initiators", initiator_count),
      targets("targets", target_count),
      self_(self),
      target_side_(std::make_unique<TargetSide>(*this)) {
  for (unsigned i = 0; i < initiator_count; ++i) {
    initiator_sides_.push_back(std::make_unique<InitiatorSide>(*this, i));
    initiators[i].bind(*initiator_sides_.back());
  }
  for (auto& socket : targets) socket.bind(*target_side_);
}

ChipBus::~ChipBus() = default;

tlm::tlm_initiator_socket<64>& ChipBus::next_socket() { return targets[attached_++]; }

void ChipBus::attach(Region region, tlm::tlm_base_target_socket_b<64>& target) {
  auto& socket = next_socket();
  socket.bind(target);
  units_[static_cast<unsigned>(region)].push_back(&socket);
}

void ChipBus::attach_network(tlm::tlm_base_target_socket_b<64>& target) {
  network_ = &next_socket();
  network_->bind(target);
}

tlm::tlm_initiator_socket<64>* ChipBus::decode(Address address) const {
  if (chip_of(address) != self_) return network_;
  const auto region = static_cast<unsigned>(region_of(address));
  if (region >= kRegionCount) return nullptr;
  const auto& units = units_[region];
  const bool has_units =
      region == static_cast<unsigned>(Region::kDma) || region == static_cast<unsigned>(Region::kTensorCore);
  const unsigned unit = has_units ? unit_of(address) : 0;
  return unit < units.size() ? units[unit] : nullptr;
}

}  // namespace podsim::bus
