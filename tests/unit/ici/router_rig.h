// Routers and links in any shape, with a stub in the place of each network interface, so that a test says to the
// picosecond when a packet's bytes are there and sees when they come out.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "models/ici/link.h"
#include "models/ici/packet_pool.h"
#include "models/ici/router.h"
#include "tests/support/simulation.h"

namespace podsim::testing {

inline Picoseconds stamp() { return static_cast<Picoseconds>(sc_core::sc_time_stamp().value()); }

// bytes / bandwidth in picoseconds, rounded up: written out here, so that it does not come from the model.
inline Picoseconds link_time(const ici::LinkConfig& link, Bytes payload) {
  const Wide scaled = static_cast<Wide>(payload + link.packet_header.bytes) * kPicosecondsPerSecond;
  const std::uint64_t rate = link.bandwidth_per_direction.bytes_per_second;
  return static_cast<Picoseconds>((scaled + rate - 1) / rate);
}

// Stands for a network interface: takes what is ejected, and keeps it for `storing` after its last byte.
class StubInterface final : public sc_core::sc_module, private ici::IciForward, private ici::IciBackward {
 public:
  struct Arrival {
    std::uint64_t number;  // as given to inject()
    ChipId source;
    Picoseconds when;  // of the call
    Picoseconds head;
    Picoseconds tail;
  };
  struct Answer {
    std::uint64_t number;
    ici::IciPhase phase;
    std::uint8_t channel;  // of a credit
    Picoseconds when;      // annotated delay included
  };

  ici::IciInitiator to_router{"to_router"};
  ici::IciTarget from_router{"from_router"};
  std::vector<Arrival> arrivals;
  std::vector<Answer> answers;  // on the backward path of to_router
  Picoseconds storing = 0;

  explicit StubInterface(sc_core::sc_module_name name) : sc_module(name) {
    to_router.bind(static_cast<ici::IciBackward&>(*this));
    from_router.bind(static_cast<ici::IciForward&>(*this));
  }
  ~StubInterface() override = default;

  // Hands a packet on; returns the link's or router's answer, the annotated delay made absolute.
  Picoseconds send(ici::IciPacket& packet) {
    ici::IciPhase phase = ici::IciPhase::kHead;
    sc_core::sc_time delay = sc_core::sc_time::from_value(static_cast<std::uint64_t>(packet.head - stamp()));
    to_router->nb_transport_fw(packet, phase, delay);
    return stamp() + static_cast<Picoseconds>(delay.value());
  }
  // Frees a buffer upstream, as a router does.
  void give_credit(ici::IciPacket& packet, Picoseconds when) {
    ici::IciPhase phase = ici::IciPhase::kCredit;
    sc_core::sc_time delay = sc_core::sc_time::from_value(static_cast<std::uint64_t>(when - stamp()));
    from_router->nb_transport_bw(packet, phase, delay);
  }

 private:
  tlm::tlm_sync_enum nb_transport_fw(ici::IciPacket& packet, ici::IciPhase& phase, sc_core::sc_time& delay) override {
    EXPECT_EQ(phase, ici::IciPhase::kHead);
    arrivals.push_back({packet.offset, packet.source, stamp(), packet.head, packet.tail});
    delay = sc_core::sc_time::from_value(static_cast<std::uint64_t>(packet.tail + storing - stamp()));
    release(packet);
    return tlm::TLM_UPDATED;
  }
  tlm::tlm_sync_enum nb_transport_bw(ici::IciPacket& packet, ici::IciPhase& phase, sc_core::sc_time& delay) override {
    answers.push_back({packet.offset, phase, packet.freed_channel, stamp() + static_cast<Picoseconds>(delay.value())});
    return tlm::TLM_COMPLETED;
  }
};

class RouterRig {
 public:
  RouterRig(kernel::EventQueue& queue, ici::TorusShape torus, const ici::IciConfig& config)
      : shape(std::move(torus)), routing(shape, config.router.virtual_channels) {
    for (std::uint32_t i = 0; i < shape.chips(); ++i) {
      const auto chip = static_cast<ChipId>(i);
      interfaces.push_back(std::make_unique<StubInterface>(fmt::format("interface_{}", i).c_str()));
      routers.push_back(std::make_unique<ici::Router>(fmt::format("router_{}", i).c_str(), queue, config.router,
                                                      ici::RouterMode{config.router.credits, 0}, routing,
                                                      shape.link_ports(), shape.coordinates(chip)));
      interfaces[i]->to_router.bind(routers[i]->inject);
      routers[i]->eject.bind(interfaces[i]->from_router);
    }
    for (std::uint32_t i = 0; i < shape.chips(); ++i) {
      for (unsigned port = 0; port < shape.link_ports(); ++port) {
        const auto to = shape.neighbour(static_cast<ChipId>(i), static_cast<ici::Port>(port));
        if (!to) continue;
        links.push_back(std::make_unique<ici::IciLink>(fmt::format("link_{}_{}", i, port).c_str(), config.link));
        routers[i]->links_out[port].bind(links.back()->in);
        links.back()->out.bind(routers[index(*to)]->links_in[port ^ 1]);
      }
    }
  }

  // A packet whose first byte is there at `head` and whose last at `tail`. `number` comes back in Arrival.
  void inject(std::uint32_t from, std::uint32_t to, Bytes bytes, std::uint64_t number, Picoseconds head = 0,
              Picoseconds tail = 0, bool last_of_burst = false) {
    ici::IciPacket& packet = packets.acquire();
    packet.source = static_cast<ChipId>(from);
    packet.destination = static_cast<ChipId>(to);
    packet.bytes = bytes;
    packet.offset = number;
    packet.head = head;
    packet.tail = std::max(head, tail);
    packet.last_of_burst = last_of_burst;
    routing.plan(packet);
    interfaces[from]->send(packet);
  }

  [[nodiscard]] std::vector<StubInterface::Arrival>& arrivals(std::uint32_t chip) { return interfaces[chip]->arrivals; }
  [[nodiscard]] std::vector<std::uint64_t> order(std::uint32_t chip) {
    std::vector<std::uint64_t> numbers;
    for (const auto& arrival : arrivals(chip)) numbers.push_back(arrival.number);
    return numbers;
  }
  [[nodiscard]] bool idle() const {
    return std::all_of(routers.begin(), routers.end(), [](const auto& router) { return router->idle(); });
  }

  const ici::TorusShape shape;
  const ici::DimensionOrderRouting routing;
  ici::PacketPool packets;
  std::vector<std::unique_ptr<StubInterface>> interfaces;
  std::vector<std::unique_ptr<ici::Router>> routers;
  std::vector<std::unique_ptr<ici::IciLink>> links;
};

}  // namespace podsim::testing
