#include "models/ici/network_interface.h"

#include <algorithm>
#include <cstring>

#include "models/ici/traffic_map.h"

namespace podsim::ici {

using sc_core::sc_time;

// The two ICI sockets' interfaces. They are an object of their own because the module itself already implements the
// same functions for the bus's payload type.
class NetworkInterface::RouterPorts final : public IciForward, public IciBackward {
 public:
  explicit RouterPorts(NetworkInterface& interface) : interface_(interface) {}

 private:
  tlm::tlm_sync_enum nb_transport_fw(IciPacket& packet, IciPhase& phase, sc_time& delay) override {
    if (phase == IciPhase::kTail) {
      interface_.receive_tail(packet);
      return tlm::TLM_COMPLETED;
    }
    const Picoseconds stored = interface_.receive(packet);
    delay = sc_time::from_value(static_cast<std::uint64_t>(stored - interface_.queue_.now()));
    return tlm::TLM_UPDATED;
  }
  tlm::tlm_sync_enum nb_transport_bw(IciPacket& packet, IciPhase&, sc_time& delay) override {
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    packet.burst->set_response_status(tlm::TLM_OK_RESPONSE);
    interface_.from_bus->nb_transport_bw(*packet.burst, phase, delay);
    return tlm::TLM_COMPLETED;
  }

  NetworkInterface& interface_;
};

// An arrived burst, or posted write, until it is visible.
class NetworkInterface::Landing final : public kernel::TimerBase {
 public:
  explicit Landing(NetworkInterface& interface) : TimerBase(interface.queue_), interface_(interface) {}

  IciPacket* packet = nullptr;
  Landing* next_free = nullptr;

 private:
  void fire() override {
    IciPacket& landed = *packet;
    next_free = interface_.free_landing_;
    interface_.free_landing_ = this;
    interface_.finish(landed);
  }

  NetworkInterface& interface_;
};

NetworkInterface::NetworkInterface(sc_core::sc_module_name name, kernel::EventQueue& queue,
                                   kernel::PayloadPool& payloads, PacketPool& packets, const IciConfig& config,
                                   const Routing& routing, ChipId self, const TrafficMap* traffic)
    : sc_module(name),
      queue_(queue),
      payloads_(payloads),
      packets_(packets),
      config_(config),
      link_time_(config.link.bandwidth_per_direction),
      routing_(routing),
      self_(self),
      traffic_(traffic),
      router_ports_(std::make_unique<RouterPorts>(*this)) {
  from_bus.bind(static_cast<tlm::tlm_fw_transport_if<>&>(*this));
  to_bus.bind(static_cast<tlm::tlm_bw_transport_if<>&>(*this));
  to_router.bind(static_cast<IciBackward&>(*router_ports_));
  from_router.bind(static_cast<IciForward&>(*router_ports_));
}

NetworkInterface::~NetworkInterface() = default;

tlm::tlm_sync_enum NetworkInterface::nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                                     sc_time& delay) {
  const bool bulk = kernel::burst_of(payload) != nullptr && is_memory(region_of(payload.get_address()));
  if (phase != tlm::BEGIN_REQ || !bulk || !payload.is_write()) {
    b_transport(payload, delay);
    return tlm::TLM_COMPLETED;
  }
  send_burst(payload);
  phase = tlm::END_REQ;
  return tlm::TLM_UPDATED;
}

void NetworkInterface::b_transport(tlm::tlm_generic_payload& payload, sc_time& delay) {
  const bool fits = payload.get_data_length() <= sizeof(IciPacket::words) && payload.get_data_length() % 8 == 0;
  if (!payload.is_write() || !fits || payload.get_data_ptr() == nullptr) {
    payload.set_response_status(tlm::TLM_COMMAND_ERROR_RESPONSE);
    return;
  }
  send_posted(payload, queue_.now() + static_cast<Picoseconds>(delay.value()));
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

void NetworkInterface::send_burst(tlm::tlm_generic_payload& payload) {
  const kernel::Burst& burst = *kernel::burst_of(payload);
  const Bytes total = payload.get_data_length();
  const Picoseconds span = burst.last_byte - burst.first_byte;
  // A source faster than the link has each packet's first byte ready in time, so all may queue up at once, without an
  // event each; a slower one (host memory) must not hold the link while its next packet is still to come.
  const bool source_is_faster = span <= link_time_(total);
  const Bytes largest =
      traffic_ != nullptr ? traffic_->piece(self_, chip_of(payload.get_address()), total) : config_.largest_packet();
  for (Bytes offset = 0; offset < total;) {
    const Bytes bytes = std::min(largest, total - offset);
    IciPacket& packet = packets_.acquire();
    payload.acquire();
    packet.burst = &payload;
    packet.offset = offset;
    packet.bytes = bytes;
    packet.address = payload.get_address() + burst.rows.distance(offset);
    // The packet's share of the burst's stream.
    const auto at = [&](Bytes byte) {
      return burst.first_byte + static_cast<Picoseconds>(static_cast<Wide>(span) * byte / total);
    };
    packet.head = source_is_faster ? burst.first_byte : at(offset);
    packet.tail = at(offset + bytes);
    offset += bytes;
    packet.last_of_burst = offset == total;
    statistics_.bytes_sent += bytes;
    inject(packet);
  }
}

void NetworkInterface::send_posted(tlm::tlm_generic_payload& payload, Picoseconds when) {
  IciPacket& packet = packets_.acquire();
  packet.bytes = payload.get_data_length();
  std::memcpy(packet.words.data(), payload.get_data_ptr(), packet.bytes);
  packet.address = payload.get_address();
  packet.head = packet.tail = when;
  ++statistics_.signals_sent;
  inject(packet);
}

void NetworkInterface::inject(IciPacket& packet) {
  packet.source = self_;
  packet.destination = chip_of(packet.address);
  routing_.plan(packet);
  ++statistics_.packets_sent;
  IciPhase phase = IciPhase::kHead;
  sc_time delay = sc_time::from_value(static_cast<std::uint64_t>(packet.head - queue_.now()));
  to_router->nb_transport_fw(packet, phase, delay);
}

Picoseconds NetworkInterface::receive(IciPacket& packet) {
  ++statistics_.packets_received;
  packet.address = on_chip(packet.address, self_);  // where it has come to, it is
  if (packet.burst == nullptr) {
    const Picoseconds complete = packet.tail;
    complete > queue_.now() ? land_at(packet, complete) : finish(packet);
    return complete;
  }
  statistics_.bytes_received += packet.bytes;
  const Picoseconds stored = store(packet);
  // A burst counts when the last of its packets is visible; they may come by different ways.
  kernel::Burst& burst = *kernel::burst_of(*packet.burst);
  if (config_.fidelity == Fidelity::kFlow && packet.source != self_) {
    burst.visible = stored - packet.tail;  // as yet, only how far the memory lags behind
    return stored;
  }
  burst.arrived += packet.bytes;
  burst.visible = std::max(burst.visible, stored);
  if (burst.arrived == packet.burst->get_data_length()) {
    land_at(packet, burst.visible);
  } else {
    packet.burst->release();
    release(packet);
  }
  return stored;
}

void NetworkInterface::receive_tail(IciPacket& packet) {
  const Picoseconds lag = kernel::burst_of(*packet.burst)->visible;
  land_at(packet, packet.tail + lag);
}

Picoseconds NetworkInterface::store(IciPacket& packet) {
  tlm::tlm_generic_payload& write = payloads_.acquire(tlm::TLM_WRITE_COMMAND, packet.address, packet.bytes, false);
  if (unsigned char* data = packet.burst->get_data_ptr()) write.set_data_ptr(data + packet.offset);
  kernel::Burst& timing = *kernel::burst_of(write);
  timing.rows = kernel::burst_of(*packet.burst)->rows.from(packet.offset);
  timing.first_byte = packet.head;
  timing.last_byte = packet.tail;
  timing.transfer = kernel::burst_of(*packet.burst)->transfer;
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_time delay = sc_core::SC_ZERO_TIME;
  to_bus->nb_transport_fw(write, phase, delay);
  Picoseconds stored = packet.tail;
  if (write.is_response_ok()) {
    stored = queue_.now() + static_cast<Picoseconds>(delay.value());
  } else {
    ++statistics_.rejected_writes;
  }
  write.release();
  return stored;
}

void NetworkInterface::land_at(IciPacket& packet, Picoseconds when) {
  if (free_landing_ == nullptr) {
    landings_.push_back(std::make_unique<Landing>(*this));
    free_landing_ = landings_.back().get();
  }
  Landing& landing = *free_landing_;
  free_landing_ = landing.next_free;
  landing.packet = &packet;
  landing.arm_at(when);
}

void NetworkInterface::finish(IciPacket& packet) {
  landed.tell([&] { return BurstLanded{packet, queue_.now()}; });
  if (packet.burst == nullptr) {
    write_registers(packet.address, packet.words.data(), static_cast<unsigned>(packet.bytes / 8));
  } else {
    const Address semaphore = kernel::burst_of(*packet.burst)->notify;
    const std::uint64_t amount = packet.burst->get_data_length();
    if (semaphore != kernel::Burst::kNoSemaphore) write_registers(on_chip(semaphore, self_), &amount, 1);
    packet.burst->release();
  }
  release(packet);
}

void NetworkInterface::write_registers(Address address, const std::uint64_t* words, unsigned count) {
  tlm::tlm_generic_payload& write = payloads_.acquire(tlm::TLM_WRITE_COMMAND, address, count * 8, true);
  std::memcpy(write.get_data_ptr(), words, count * 8);
  sc_time delay = sc_core::SC_ZERO_TIME;
  to_bus->b_transport(write, delay);
  if (!write.is_response_ok()) ++statistics_.rejected_writes;
  write.release();
}

}  // namespace podsim::ici
