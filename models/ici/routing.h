// Routing: which links a packet takes. What is decided once, at its source, travels in the packet: a number of links
// for each axis, or that it takes a detour (detour_routing.h).
//
// Packets travel axis by axis (x before y before z). Deadlock freedom: there is no cycle between axes; within a wrapped
// axis the dateline breaks the cycle (Dally and Seitz, 1987): a packet that comes to the wrap-around link by another
// link of the axis is on virtual channel 0 before and on 1 from there on. So nothing waits on channel 1 for the wrap-
// around link, and on channel 0 nothing crosses it but what starts there. Packets that never come to the wrap-around
// link, or start at it, may have either channel for the whole of the axis, and take that which the others leave free.
// This holds on a twisted torus as well: a shortest way crosses an axis's wrap at most once.
#pragma once

#include "models/ici/balanced_ways.h"
#include "models/ici/packet.h"
#include "models/ici/torus.h"

namespace podsim::ici {

// A router's decision for one packet.
struct Hop {
  static constexpr std::uint8_t kLocal = 0xff;  // the packet has arrived
  std::uint8_t port = kLocal;
  std::uint8_t channel = 0;  // virtual channel at the other end of the link
};

// The packet leaves by link port `port`: one link less to travel.
inline void take_link(IciPacket& packet, std::uint8_t port) {
  std::int16_t& left = packet.hops_left[port / 2];
  left = static_cast<std::int16_t>(left + (port % 2 == 0 ? -1 : 1));
}

class Routing {
 public:
  virtual ~Routing() = default;
  // At the source: sets the packet's route.
  virtual void plan(IciPacket& packet) const = 0;
  // At each router; `in_port` is the link port that the packet came by, or Hop::kLocal at its source.
  [[nodiscard]] virtual Hop next(const Coordinates& here, std::uint8_t in_port, const IciPacket& packet) const = 0;
};

// Axis by axis, as many links on each as the plan says.
class AxisOrderRouting : public Routing {
 public:
  [[nodiscard]] Hop next(const Coordinates& here, std::uint8_t in_port, const IciPacket& packet) const final;

 protected:
  // With fewer than two virtual channels there is no dateline.
  AxisOrderRouting(const TorusShape& shape, unsigned virtual_channels)
      : shape_(shape), dateline_(virtual_channels >= 2) {}

  const TorusShape& shape_;

 private:
  static std::uint8_t first_channel(std::uint32_t position, std::uint32_t links, std::uint32_t size);

  const bool dateline_;
};

// The shorter way round each axis. An axis of even size has two shortest ways to the chip opposite: sources of even
// coordinate sum take the one up, the others the one down, so that both directions carry the same load. Not for twisted
// tori.
class DimensionOrderRouting final : public AxisOrderRouting {
 public:
  DimensionOrderRouting(const TorusShape& shape, unsigned virtual_channels)
      : AxisOrderRouting(shape, virtual_channels) {}
  void plan(IciPacket& packet) const override;
};

// A shortest way between two chips, on any torus, chosen so that all links carry the same load when all chips do the
// same (balanced_ways.h). Two chips always use the same way, so that what one sends to the other arrives in the order
// in which it was sent.
class MinimalBalancedRouting final : public AxisOrderRouting {
 public:
  MinimalBalancedRouting(const TorusShape& shape, unsigned virtual_channels)
      : AxisOrderRouting(shape, virtual_channels), ways_(shape) {}
  void plan(IciPacket& packet) const override;

 private:
  const BalancedWays ways_;
};

}  // namespace podsim::ici
