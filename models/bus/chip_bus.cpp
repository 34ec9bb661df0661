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
    return target->nb_transport_fw(payload, phase, delay);
  }
  void b_transport(tlm_generic_payload& payload, sc_time& delay) override {
    if (auto* target = bus_.decode(payload.get_address())) {
      target->b_transport(payload, delay);
    } else {
      payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    }
  }
  unsigned transport_dbg(tlm_generic_payload& payload) override {
    auto* target = bus_.decode(payload.get_address());
    return target != nullptr ? target->transport_dbg(payload) : 0;
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
    return bus_.back_[burst->return_port]->nb_transport_bw(payload, phase, delay);
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

tlm::tlm_initiator_socket<64>& ChipBus::next_socket() { return targets[attached_.size()]; }

void ChipBus::attach(Region region, tlm::tlm_base_target_socket_b<64>& target) {
  next_socket().bind(target);
  attached_.push_back({region, false});
}

void ChipBus::attach_network(tlm::tlm_base_target_socket_b<64>& target) {
  next_socket().bind(target);
  attached_.push_back({{}, true});
}

void ChipBus::end_of_elaboration() {
  for (std::size_t i = 0; i < attached_.size(); ++i) {
    Target* const target = targets[i].operator->();
    if (attached_[i].network) {
      network_ = target;
      continue;
    }
    auto& units = units_[static_cast<unsigned>(attached_[i].region)];
    if (units.empty()) first_units_[static_cast<unsigned>(attached_[i].region)] = target;
    units.push_back(target);
  }
  for (const auto& [region, also] : aliases_) {
    first_units_[static_cast<unsigned>(also)] = first_units_[static_cast<unsigned>(region)];
  }
  for (auto& initiator : initiators) back_.push_back(initiator.operator->());
}

ChipBus::Target* ChipBus::decode(Address address) const {
  if (chip_of(address) != self_) return network_;
  const Region region = region_of(address);
  const auto place = static_cast<unsigned>(region);
  if (place >= kRegionCount) return nullptr;
  const unsigned unit = region == Region::kDma || region == Region::kTensorCore ? unit_of(address) : 0;
  if (unit == 0) return first_units_[place];
  return unit < units_[place].size() ? units_[place][unit] : nullptr;
}

}  // namespace podsim::bus
