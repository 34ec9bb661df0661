// What travels over the inter-chip interconnect, and the TLM-2.0 protocol that carries it.
//
// ICI is not memory-mapped between routers, so it has protocol types of its own, as TLM-2.0 provides: an IciPacket
// payload with four phases.
//   forward   kHead    the packet's first byte reaches the receiver after the annotated delay
//   forward   kTail    so does its last byte; at flow fidelity only, where it is not known when the first one comes
//   backward  kCredit  buffer space of channel `freed_channel` is free again after the annotated delay
//   backward  kSent    the packet's last byte has left the chip that injected it (injection port only)
#pragma once

#include <array>
#include <cstdint>
#include <tlm>

#include "models/ici/torus.h"
#include "models/kernel/address_map.h"
#include "models/kernel/ids.h"
#include "models/kernel/units.h"

namespace podsim::ici {

enum class IciPhase : std::uint8_t { kHead, kTail, kCredit, kSent };

class PacketPool;

// What every router looks at comes first: it is one cache line.
struct alignas(64) IciPacket {
  // The stream at the router's input where the packet is: absolute times of its first and its last byte.
  Picoseconds head = 0;
  Picoseconds tail = 0;
  Bytes bytes = 0;                            // payload
  tlm::tlm_generic_payload* burst = nullptr;  // bulk data: the DMA's write, held until the packet has landed
  IciPacket* next = nullptr;                  // link of the one queue that the packet is in

  // Route, decided at the source: links left to travel on each axis, negative towards lower coordinates.
  std::array<std::int16_t, kMaxAxes> hops_left{};
  bool detours = false;  // ... or goes by the routers' tables, round dead links
  // Virtual channel of the buffer that holds it, and of the next one.
  std::uint8_t channel = 0;
  std::uint8_t next_channel = 0;
  std::uint8_t freed_channel = 0;  // argument of kCredit
  std::uint8_t out_port = 0;       // of the router that it is on its way to, where its head is waited for
  bool last_of_burst = false;

  // Owners: whoever stores a packet beyond a call holds a reference.
  std::uint32_t references = 0;
  PacketPool* pool = nullptr;

  // Destination and contents.
  ChipId source{};
  ChipId destination{};
  Address address = 0;                   // global, on the destination chip
  Bytes offset = 0;                      // where in the burst this packet starts
  std::array<std::uint64_t, 8> words{};  // a posted register write's data, when there is no burst
};

struct IciProtocol {
  using tlm_payload_type = IciPacket;
  using tlm_phase_type = IciPhase;
};

inline constexpr unsigned kSocketWidth = 64;  // nominal: timing comes from the link, not from the socket
using IciInitiator = tlm::tlm_initiator_socket<kSocketWidth, IciProtocol, 1, sc_core::SC_ZERO_OR_MORE_BOUND>;
using IciTarget = tlm::tlm_target_socket<kSocketWidth, IciProtocol, 1, sc_core::SC_ZERO_OR_MORE_BOUND>;

// What a socket is bound to.
using IciTransport = tlm::tlm_fw_transport_if<IciProtocol>;
using IciAnswer = tlm::tlm_bw_transport_if<IciProtocol>;

// The parts of the TLM interfaces that this protocol does not use: it has no blocking transport, no direct memory and
// no debug access. Ports derive from these and add the one call they have.
struct IciForward : tlm::tlm_fw_transport_if<IciProtocol> {
  void b_transport(IciPacket&, sc_core::sc_time&) override {
    SC_REPORT_ERROR("ici", "ICI links carry packets by nb_transport only");
  }
  bool get_direct_mem_ptr(IciPacket&, tlm::tlm_dmi&) override { return false; }
  unsigned transport_dbg(IciPacket&) override { return 0; }
};
struct IciBackward : tlm::tlm_bw_transport_if<IciProtocol> {
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
};

}  // namespace podsim::ici
