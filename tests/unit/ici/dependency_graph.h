// Proof that a routing can't deadlock: Dally and Seitz's (1987), by brute force. Walk every packet from every chip to
// every other, note which buffer (link and virtual channel) it holds while it waits for which next one, and look for a
// cycle in this graph of dependencies.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <vector>

#include "models/ici/routing.h"

namespace podsim::ici {

inline ChipId chip(std::uint32_t i) { return static_cast<ChipId>(i); }

inline TorusShape shape_of(const std::vector<unsigned>& sizes, bool wrap) {
  const char* const names[] = {"x", "y", "z", "w"};
  std::vector<AxisShape> axes;
  for (std::size_t i = 0; i < sizes.size(); ++i) axes.push_back({names[i], sizes[i], wrap});
  return TorusShape(axes);
}

// A buffer that a packet can hold: the input at the far end of a link.
struct Buffer {
  std::uint32_t chip;  // where the link starts
  unsigned port;
  unsigned channel;
  auto operator<=>(const Buffer&) const = default;
};

// The buffers that a packet holds one after the other, as routers would move it.
inline std::vector<Buffer> walk(const TorusShape& shape, const Routing& routing, ChipId from, ChipId to) {
  IciPacket packet;
  packet.source = from;
  packet.destination = to;
  routing.plan(packet);
  std::vector<Buffer> way;
  ChipId here = from;
  std::uint8_t in_port = Hop::kLocal;
  for (;;) {
    const Hop hop = routing.next(shape.coordinates(here), in_port, packet);
    if (hop.port == Hop::kLocal) break;
    way.push_back({index(here), hop.port, hop.channel});
    const auto next = shape.neighbour(here, static_cast<Port>(hop.port));
    if (!next || way.size() > shape.chips()) {
      ADD_FAILURE() << "no way from " << shape.place(from) << " to " << shape.place(to);
      return way;
    }
    in_port = static_cast<std::uint8_t>(index(shape.far_port(here, static_cast<Port>(hop.port))));
    here = *next;
    packet.channel = hop.channel;
    take_link(packet, hop.port);
  }
  EXPECT_EQ(here, to);
  return way;
}

using Dependencies = std::map<Buffer, std::set<Buffer>>;

inline Dependencies dependencies(const TorusShape& shape, const Routing& routing) {
  Dependencies graph;
  for (std::uint32_t from = 0; from < shape.chips(); ++from) {
    for (std::uint32_t to = 0; to < shape.chips(); ++to) {
      const std::vector<Buffer> way = walk(shape, routing, chip(from), chip(to));
      for (std::size_t i = 1; i < way.size(); ++i) graph[way[i - 1]].insert(way[i]);
    }
  }
  return graph;
}

// Depth-first search for a node that is its own ancestor.
inline bool has_cycle(const Dependencies& graph) {
  enum class Mark { kOpen, kDone };
  std::map<Buffer, Mark> marks;
  const auto visit = [&](const auto& self, const Buffer& buffer) -> bool {
    const auto [mark, fresh] = marks.emplace(buffer, Mark::kOpen);
    if (!fresh) return mark->second == Mark::kOpen;
    if (const auto next = graph.find(buffer); next != graph.end()) {
      for (const Buffer& each : next->second) {
        if (self(self, each)) return true;
      }
    }
    marks[buffer] = Mark::kDone;
    return false;
  };
  for (const auto& [buffer, next] : graph) {
    if (visit(visit, buffer)) return true;
  }
  return false;
}

}  // namespace podsim::ici
