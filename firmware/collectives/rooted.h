// Scatter and gather: data travels between the root and the members by way of relays. Along the last axis the root
// serves one relay for each coordinate; each relay (and the root) then serves its part of the group along the axis
// before, and so on. With a colour beginning on each axis (torus_collectives.h) all of the root's links carry the same,
// and the time tends to S/(2 D b), where copies straight to the members would crowd the links of the axis that routing
// takes first.
//
// A member's relay is found from its coordinates: on the first axis where it is not on the root's coordinate, its relay
// is the chip that is, and that is otherwise placed as it is.
#pragma once

#include <optional>
#include <vector>

#include "firmware/collectives/layout.h"
#include "firmware/device/device.h"

namespace podsim::firmware {

// This chip's part in a tree of relays.
class RelayTree {
 public:
  RelayTree(const Layout& layout, ChipId root);

  [[nodiscard]] bool is_root() const { return !relay_; }
  // This chip's relay, whether that is the root, and what passes between the two.
  [[nodiscard]] const std::optional<ChipId>& relay() const { return relay_; }
  [[nodiscard]] bool relay_is_root() const { return relay_is_root_; }
  [[nodiscard]] const Pieces& held() const { return held_; }
  // The axis along which this chip and its relay lie; it serves others along those before.
  [[nodiscard]] unsigned level() const { return level_; }

  struct Served {
    ChipId chip;
    Pieces pieces;
  };
  // Those that this chip serves along an axis.
  [[nodiscard]] const std::vector<Served>& served(unsigned axis) const { return served_[axis]; }
  // What they get, piece by piece, both ways along the axis by turns.
  struct Copy {
    ChipId to;
    Range place;
  };
  [[nodiscard]] std::vector<Copy> copies(unsigned axis) const;

 private:
  std::optional<ChipId> relay_;
  bool relay_is_root_ = false;
  Pieces held_;
  unsigned level_;
  std::vector<std::vector<Served>> served_;
};

// One colour of a scatter or gather. Construct all colours before the first one runs; see AllGather.
class Relays {
 public:
  // Each has all elements of the layout, at the same place on every chip: `root_data`, used on the root alone, and
  // `room` for what relays pass on; both may be the same. `own`: this chip's own elements, packed.
  struct Buffers {
    Buffer root_data;
    Buffer room;
    Buffer own;
  };
  Relays(Device& chip, const Layout& layout, ChipId root, const Buffers& buffers);

  // From the root's data to each member's own.
  Task scatter();
  // From each member's own to the root's data.
  Task gather();

 private:
  // Where this chip has what it passes on.
  [[nodiscard]] const Buffer& here() const { return tree_.is_root() ? buffers_.root_data : buffers_.room; }

  Device& chip_;
  RelayTree tree_;
  Range place_;  // of this chip's own in the whole
  Buffers buffers_;
  SemaphoreArray<RegularSemaphore> ready_;  // by axis
  SemaphoreArray<DmaSemaphore> recv_;       // by axis
  DmaSemaphore sent_;
  DmaSemaphore copied_;
};

}  // namespace podsim::firmware
