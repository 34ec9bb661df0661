// A chip's network interface: turns writes to other chips' addresses into packets, and packets into writes on this
// chip.
//
//   from_bus   writes by the DMA engines and the scalar core whose address names another chip
//   to_router  packets out          from_router  packets in
//   to_bus     writes into this chip's memories and semaphores
//
// A write to another chip's memory (with a Burst extension) is answered TLM_UPDATED/END_REQ, and BEGIN_RESP follows
// when its last byte has left the chip. When all of a burst is visible in the target memory, the semaphore that it
// names counts its bytes. A write to another chip's registers (a remote semaphore signal) is posted: it is complete as
// soon as it has been taken. Remote memory can't be read: ICI is push-only.
#pragma once

#include <memory>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/ici/ici_config.h"
#include "models/ici/packet_pool.h"
#include "models/ici/routing.h"
#include "models/kernel/event_queue.h"
#include "models/kernel/payload_pool.h"
#include "models/kernel/probe.h"

namespace podsim::ici {

class TrafficMap;

struct NetworkInterfaceStatistics {
  Bytes bytes_sent = 0;
  Bytes bytes_received = 0;
  std::uint64_t packets_sent = 0;
  std::uint64_t packets_received = 0;
  std::uint64_t signals_sent = 0;     // posted register writes
  std::uint64_t rejected_writes = 0;  // incoming writes to an address that nothing answers at
};

struct BurstLanded {        // for observers
  const IciPacket& packet;  // the burst's last to arrive, or a posted write
  Picoseconds when;         // visible, semaphore counted
};

class NetworkInterface final : public sc_core::sc_module,
                               private tlm::tlm_fw_transport_if<>,
                               private tlm::tlm_bw_transport_if<> {
 public:
  tlm::tlm_target_socket<64> from_bus{"from_bus"};
  tlm::tlm_initiator_socket<64> to_bus{"to_bus"};
  IciInitiator to_router{"to_router"};
  IciTarget from_router{"from_router"};
  kernel::Probe<BurstLanded> landed;

  // `routing` outlives the interface, and so does `traffic`, which sizes the pieces of burst fidelity; null: packets as
  // the configuration says.
  NetworkInterface(sc_core::sc_module_name name, kernel::EventQueue& queue, kernel::PayloadPool& payloads,
                   PacketPool& packets, const IciConfig& config, const Routing& routing, ChipId self,
                   const TrafficMap* traffic = nullptr);
  ~NetworkInterface() override;

  [[nodiscard]] const NetworkInterfaceStatistics& statistics() const { return statistics_; }
  void reset_statistics() { statistics_ = {}; }

 private:
  class RouterPorts;
  class Landing;

  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
  bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
  unsigned transport_dbg(tlm::tlm_generic_payload&) override { return 0; }
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&) override {
    return tlm::TLM_COMPLETED;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

  void send_burst(tlm::tlm_generic_payload& payload);
  void send_posted(tlm::tlm_generic_payload& payload, Picoseconds when);
  void inject(IciPacket& packet);

  // Stores an arriving packet; returns the time at which it is stored.
  Picoseconds receive(IciPacket& packet);
  // Flow fidelity: it is known when the last byte of a packet that receive() has stored comes.
  void receive_tail(IciPacket& packet);
  // Writes a bulk packet to memory; returns the time at which it is visible.
  Picoseconds store(IciPacket& packet);
  void land_at(IciPacket& packet, Picoseconds when);
  void finish(IciPacket& packet);
  void write_registers(Address address, const std::uint64_t* words, unsigned count);

  kernel::EventQueue& queue_;
  kernel::PayloadPool& payloads_;
  PacketPool& packets_;
  const IciConfig config_;
  const SerialisationTime link_time_;
  const Routing& routing_;
  const ChipId self_;
  const TrafficMap* const traffic_;
  std::unique_ptr<RouterPorts> router_ports_;
  std::vector<std::unique_ptr<Landing>> landings_;  // pool
  Landing* free_landing_ = nullptr;
  NetworkInterfaceStatistics statistics_;
};

}  // namespace podsim::ici
