#include "platform/chip/chip.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "models/ici/flow_network.h"

namespace podsim::chip {

namespace {

// Transfers of all engines are numbered in one space: chip, engine, count.
std::uint64_t first_transfer(ChipId chip, unsigned engine) {
  return (std::uint64_t{index(chip)} << 40) | (std::uint64_t{engine} << 36);
}

unsigned initiators(const pod::PodConfig& config) {
  return 1 + config.chip.dma.engines + config.chip.tensor_cores + 1 + 1;
}
ici::RouterMode router_mode(const ici::IciConfig& ici) {
  const SerialisationTime link_time(ici.link.bandwidth_per_direction);
  const bool pieces = ici.fidelity == ici::Fidelity::kBurst;
  return {ici.counts_credits(), pieces ? std::max<Picoseconds>(link_time(ici.packet.bytes), 1) : 0};
}
// Burst and flow fidelity look at vector commands as coarsely as at copies: within a burst, data streams
// (kernel/burst.h), so that its size matters only to who comes first at the memories.
tensor_core::TensorCoreConfig tensor_core_config(const pod::ChipConfig& chip) {
  constexpr ByteSize kCoarse{kMiB};
  tensor_core::TensorCoreConfig config = chip.tensor_core;
  if (chip.ici.fidelity != ici::Fidelity::kPacket) config.vector_burst = std::max(config.vector_burst, kCoarse);
  return config;
}
// The network interface asks for the links' speed to tell whether a source keeps up with them. It must with each of
// them, however fast; behind a slower one its data waits in the router.
ici::IciConfig with_fastest_link(ici::IciConfig ici, Bandwidth fastest) {
  ici.link.bandwidth_per_direction = fastest;
  return ici;
}
unsigned targets(const pod::PodConfig& config) {
  return 3 + config.chip.dma.engines + config.chip.tensor_cores + 1 + 1;
}

}  // namespace

Chip::Chip(sc_core::sc_module_name name, ChipId id, const pod::PodConfig& config, const Surroundings& around)
    : sc_module(name),
      queue(around.conductor),
      bus("bus", id, initiators(config), targets(config)),
      scalar_core("scalar_core", queue, around.payloads, config.chip.scalar_core),
      hbm("hbm", config.chip.hbm),
      vmem("vmem", config.chip.vmem),
      semaphores("semaphores", queue, config.chip.semaphores),
      pcie("pcie", config.chip.pcie),
      network_interface("network_interface", queue, around.payloads, around.packets,
                        with_fastest_link(config.chip.ici, around.fastest_link), around.routing, id, around.traffic),
      router("router", queue, config.chip.ici.router, router_mode(config.chip.ici), around.routing,
             around.torus.link_ports(), around.torus.coordinates(id)),
      id_(id) {
  unsigned initiator = 0;
  const auto next_initiator = [&]() -> auto& { return bus.initiators[initiator++]; };

  scalar_core.bus.bind(next_initiator());
  bus.attach(Region::kHbm, hbm.socket);
  bus.attach(Region::kVmem, vmem.socket);
  bus.attach(Region::kSemaphores, semaphores.registers);
  for (unsigned i = 0; i < config.chip.dma.engines; ++i) {
    dma_engines.push_back(std::make_unique<dma::DmaEngine>(fmt::format("dma_{}", i).c_str(), queue, around.payloads,
                                                           config.chip.dma, id, first_transfer(id, i), around.with_data,
                                                           around.remote_bursts));
    dma_engines.back()->pace_host_copies(pcie.overhead().write_bandwidth(config.chip.dma.largest_host_burst()));
    bus.attach(Region::kDma, dma_engines.back()->registers);
    dma_engines.back()->bus.bind(next_initiator());
  }
  for (unsigned i = 0; i < config.chip.tensor_cores; ++i) {
    tensor_cores.push_back(std::make_unique<tensor_core::TensorCore>(fmt::format("tensor_core_{}", i).c_str(), queue,
                                                                     around.payloads, tensor_core_config(config.chip),
                                                                     around.with_data));
    bus.attach(Region::kTensorCore, tensor_cores.back()->registers);
    tensor_cores.back()->memory.bind(next_initiator());
  }
  bus.attach(Region::kHost, pcie.bus);
  bus.attach_also(Region::kHost, Region::kPageable);
  bus.attach_network(network_interface.from_bus);
  network_interface.to_bus.bind(next_initiator());
  if (around.flows != nullptr) {
    network_interface.to_router.bind(around.flows->from_interfaces[index(id)]);
    around.flows->to_interfaces[index(id)].bind(network_interface.from_router);
    around.flows->to_routers[index(id)].bind(router.inject);
    router.eject.bind(around.flows->from_routers[index(id)]);
  } else {
    network_interface.to_router.bind(router.inject);
    router.eject.bind(network_interface.from_router);
  }
  debug_.bind(*this);
  debug_.bind(next_initiator());
}

Chip::~Chip() = default;

void Chip::read_memory(Address address, std::span<unsigned char> data) {
  debug_access(tlm::TLM_READ_COMMAND, address, data.data(), data.size());
}

void Chip::write_memory(Address address, std::span<const unsigned char> data) {
  // transport_dbg reads from, and never writes to, a write command's data.
  debug_access(tlm::TLM_WRITE_COMMAND, address, const_cast<unsigned char*>(data.data()), data.size());
}

void Chip::debug_access(tlm::tlm_command command, Address address, unsigned char* data, std::size_t bytes) {
  constexpr std::size_t kMost = std::size_t{1} << 30;  // a payload's length has 32 bits
  for (std::size_t done = 0; done < bytes;) {
    const auto piece = static_cast<unsigned>(std::min(kMost, bytes - done));
    tlm::tlm_generic_payload payload;
    payload.set_command(command);
    payload.set_address(address + done);
    payload.set_data_ptr(data + done);
    payload.set_data_length(piece);
    payload.set_streaming_width(piece);
    if (debug_->transport_dbg(payload) != piece) {
      throw std::out_of_range(fmt::format("no memory at {}", describe(address + done)));
    }
    done += piece;
  }
}

}  // namespace podsim::chip
