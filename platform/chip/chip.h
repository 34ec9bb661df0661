// A chip: its blocks, bound together over the chip's bus.
//
//   initiators on the bus: scalar core, DMA engines, TensorCores, network interface (arriving packets), debug access
//   targets on the bus:    HBM, VMEM, semaphores, DMA and TensorCore registers, PCIe endpoint (the host's memory),
//                          network interface (every other chip)
#pragma once

#include <memory>
#include <span>
#include <systemc>
#include <vector>

#include "models/bus/chip_bus.h"
#include "models/dma/dma_engine.h"
#include "models/ici/network_interface.h"
#include "models/ici/router.h"
#include "models/memory/hbm.h"
#include "models/memory/vmem.h"
#include "models/pcie/pcie_endpoint.h"
#include "models/scalar_core/scalar_core.h"
#include "models/semaphore/semaphore_bank.h"
#include "models/tensor_core/tensor_core.h"
#include "platform/pod/pod_config.h"

namespace podsim::ici {
class FlowNetwork;
class TrafficMap;
}  // namespace podsim::ici

namespace podsim::chip {

// What the chips of a pod share. All of it outlives the chips.
struct Surroundings {
  kernel::Conductor& conductor;
  kernel::PayloadPool& payloads;
  ici::PacketPool& packets;
  const ici::TorusShape& torus;
  const ici::Routing& routing;
  Bandwidth fastest_link;           // of all in the pod
  dma::BurstPolicy* remote_bursts;  // null: fixed by dma.burst
  const ici::TrafficMap* traffic;   // null but at burst fidelity
  ici::FlowNetwork* flows;          // null: routers carry everything
  bool with_data;                   // data: real
};

class Chip final : public sc_core::sc_module, private tlm::tlm_bw_transport_if<> {
 public:
  Chip(sc_core::sc_module_name name, ChipId id, const pod::PodConfig& config, const Surroundings& around);
  ~Chip() override;

  [[nodiscard]] ChipId id() const { return id_; }

  // Reads and writes this chip's memory without time. Throw std::out_of_range where there is no memory.
  void read_memory(Address address, std::span<unsigned char> data);
  void write_memory(Address address, std::span<const unsigned char> data);

  kernel::EventQueue queue;

  // The blocks. The pod binds routers to links and PCIe endpoints to hosts.
  bus::ChipBus bus;
  scalar_core::ScalarCore scalar_core;
  std::vector<std::unique_ptr<tensor_core::TensorCore>> tensor_cores;
  memory::Hbm hbm;
  memory::Vmem vmem;
  semaphore::SemaphoreBank semaphores;
  std::vector<std::unique_ptr<dma::DmaEngine>> dma_engines;
  pcie::PcieEndpoint pcie;
  ici::NetworkInterface network_interface;
  ici::Router router;

 private:
  void debug_access(tlm::tlm_command command, Address address, unsigned char* data, std::size_t bytes);
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&) override {
    return tlm::TLM_COMPLETED;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

  const ChipId id_;
  tlm::tlm_initiator_socket<64> debug_{"debug"};
};

}  // namespace podsim::chip
