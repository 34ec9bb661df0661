// Shape of a pod's interconnect: a mesh or torus of up to four axes, each with or without wrap-around links, which may
// be twisted. Free of SystemC: firmware knows its place in the pod from it.
//
// Ports: an axis has two, 2*axis towards higher coordinates (plus) and 2*axis+1 towards lower ones (minus).
//
// Or any network, its links listed one by one (link_graph.h): its chips stand on one axis in the order of their
// numbers, and a chip's ports are its own.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/ici/link_graph.h"
#include "models/kernel/ids.h"

namespace podsim::ici {

inline constexpr unsigned kMaxAxes = 4;
inline constexpr unsigned kMaxLinkPorts = 2 * kMaxAxes;

// Index of a torus axis: 0 is x.
enum class Axis : std::uint8_t {};
constexpr unsigned index(Axis axis) { return static_cast<unsigned>(axis); }

// Index of a router's link port.
enum class Port : std::uint8_t {};
constexpr unsigned index(Port port) { return static_cast<unsigned>(port); }
constexpr Port plus_port(Axis axis) { return static_cast<Port>(2 * index(axis)); }
constexpr Port minus_port(Axis axis) { return static_cast<Port>(2 * index(axis) + 1); }
constexpr Axis axis_of(Port port) { return static_cast<Axis>(index(port) / 2); }
constexpr bool is_plus(Port port) { return index(port) % 2 == 0; }
// The port at the other end of an axis's link that leaves by `port`.
constexpr Port opposite(Port port) { return static_cast<Port>(index(port) ^ 1); }

using Coordinates = std::array<std::uint32_t, kMaxAxes>;

struct AxisShape {
  std::string name;        // "x"
  std::uint32_t size = 1;  // chips along the axis
  bool wrap = false;       // the last chip is linked to the first
  // Twisted torus: how far the wrap-around link also leads on each other axis, upwards from the last chip to the first.
  Coordinates wrap_shift{};

  [[nodiscard]] bool shifts() const { return wrap_shift != Coordinates{}; }
  // Whether the links of the axis join its chips to a ring: they wrap, and straight.
  [[nodiscard]] bool is_ring() const { return wrap && !shifts(); }
};

class TorusShape {
 public:
  TorusShape() = default;
  // Throws std::invalid_argument for no axis, more than kMaxAxes, a size of 0, or more chips than an address can name.
  // An axis of one or two chips never wraps: a second link between the same two chips would be no torus link. Only axes
  // that wrap straight may be shifted by the wraps of others.
  explicit TorusShape(std::vector<AxisShape> axes);
  // A pod of listed links.
  explicit TorusShape(LinkGraph links);

  [[nodiscard]] unsigned axes() const { return static_cast<unsigned>(axes_.size()); }
  [[nodiscard]] unsigned link_ports() const { return links_ ? links_->ports() : 2 * axes(); }
  // Null on a mesh or torus.
  [[nodiscard]] const LinkGraph* listed_links() const { return links_.get(); }
  [[nodiscard]] std::uint32_t chips() const { return chips_; }
  [[nodiscard]] const AxisShape& axis(Axis axis) const { return axes_[index(axis)]; }
  [[nodiscard]] std::optional<Axis> find_axis(const std::string& name) const;

  [[nodiscard]] Coordinates coordinates(ChipId chip) const;
  [[nodiscard]] ChipId chip_at(const Coordinates& coordinates) const;
  // The chip that `port` leads to, or none at the edge of a mesh.
  [[nodiscard]] std::optional<ChipId> neighbour(ChipId chip, Port port) const;
  // The port by which the neighbour sees the link that leaves by `port`. There is such a link.
  [[nodiscard]] Port far_port(ChipId chip, Port port) const;
  [[nodiscard]] bool twisted() const { return twisted_; }
  // Links of the shortest way between two chips.
  [[nodiscard]] unsigned distance(ChipId from, ChipId to) const;
  // "(1,2,0)"
  [[nodiscard]] std::string place(ChipId chip) const;

 private:
  std::vector<AxisShape> axes_;
  std::uint32_t chips_ = 0;
  bool twisted_ = false;
  std::shared_ptr<const LinkGraph> links_;  // shared by copies
};

// The twisted torus of n x n x 2n or n x 2n x 2n chips, in any order of axes: the wraps of the short axes also lead by
// n on the long ones (Camara, Moreto, Vallejo, Beivide et al., "Twisted torus topologies for enhanced interconnection
// networks", 2010). Throws std::invalid_argument for other sizes, n below 4, and axes that don't wrap.
[[nodiscard]] TorusShape twist(std::vector<AxisShape> axes);

}  // namespace podsim::ici
