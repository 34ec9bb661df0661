// The chips of one collective: those that differ from each other in the collective's axes only, or a list. A member's
// rank counts them with the first axis fastest, or is its place in the list.
//
// A listed group has one axis, the ring that was laid through it. A *place* counts members along the axes; it is the
// rank, but for a listed group, whose ring goes through the ranks in an order of its own.
#pragma once

#include <functional>
#include <vector>

#include "firmware/collectives/replica_groups.h"
#include "firmware/collectives/ring.h"
#include "firmware/device/buffer.h"
#include "models/ici/torus.h"

namespace podsim::firmware {

class Group {
 public:
  // Axes of one chip take no part. No axes: all of the pod's. `torus` outlives the group.
  Group(const ici::TorusShape& torus, ChipId self, const std::vector<ici::Axis>& axes);
  // `listed` has `self` as a member, and outlives the group.
  Group(const ici::TorusShape& torus, const ReplicaGroup& listed, ChipId self);

  [[nodiscard]] std::uint64_t size() const { return size_; }
  [[nodiscard]] std::uint64_t rank() const { return rank_; }
  [[nodiscard]] std::uint64_t rank_of(ChipId member) const;
  [[nodiscard]] ChipId member(std::uint64_t rank) const;

  // Number of axes that take part, their sizes, and this chip's coordinate on each.
  [[nodiscard]] unsigned axes() const { return static_cast<unsigned>(stride_.size()); }
  [[nodiscard]] std::uint64_t axis_size(unsigned i) const {
    return listed_ != nullptr ? size_ : torus_.get().axis(axes_[i]).size;
  }
  [[nodiscard]] std::uint64_t coordinate(unsigned i) const { return coordinate_of(rank_, i); }
  [[nodiscard]] std::uint64_t coordinate_of(std::uint64_t rank, unsigned i) const { return digit(place_of(rank), i); }
  // Places from one coordinate of axis i to the next: the product of the sizes of the axes before it.
  [[nodiscard]] std::uint64_t stride(unsigned i) const { return stride_[i]; }

  [[nodiscard]] std::uint64_t place() const { return place_of(rank_); }
  [[nodiscard]] std::uint64_t place_of(std::uint64_t rank) const {
    return listed_ != nullptr ? listed_->place_of[rank] : rank;
  }
  [[nodiscard]] std::uint64_t rank_at(std::uint64_t place) const {
    return listed_ != nullptr ? listed_->rank_at[place] : place;
  }
  [[nodiscard]] std::uint64_t digit(std::uint64_t place, unsigned i) const { return place / stride_[i] % axis_size(i); }

  // The same members, with the axes in another order: axis `by` first, those before it last.
  [[nodiscard]] Group rotated(unsigned by) const;

  // The ring of this chip along axis i.
  [[nodiscard]] Ring ring(unsigned i) const;
  // The chips that this one passes data to or gets it from on its rings, each once. On a line the two ends are such a
  // pair only when data goes one way.
  [[nodiscard]] std::vector<ChipId> neighbours(Directions directions = Directions::kBothWays) const;

  // Where in `elements` elements, sharded over the group by rank, lies what the members with coordinate c on axis i
  // hold together, when the axes before i are whole and those after it are as on this chip. Contiguous.
  [[nodiscard]] Range bundle(std::uint64_t elements, unsigned i, std::uint64_t c) const;
  // The first of those members' ranks; there are stride(i) of them, one after the other.
  [[nodiscard]] std::uint64_t first_of_bundle(unsigned i, std::uint64_t c) const;

 private:
  std::reference_wrapper<const ici::TorusShape> torus_;
  ChipId self_;
  const ReplicaGroup* listed_ = nullptr;  // if it has no axes of the torus
  std::vector<ici::Axis> axes_;
  std::vector<std::uint64_t> stride_;
  std::uint64_t size_ = 1;
  std::uint64_t rank_ = 0;
};

}  // namespace podsim::firmware
