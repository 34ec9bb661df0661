// The chips of one collective: those that differ from each other in the collective's axes only. A member's rank counts them
// with the first axis fastest.
#pragma once

#include <vector>

#include "firmware/collectives/ring.h"
#include "firmware/device/buffer.h"
#include "models/ici/torus.h"

namespace podsim::firmware {

class Group {
 public:
  // Axes of one chip take no part. No axes: all of the pod's. `torus` outlives the group.
  Group(const ici::TorusShape& torus, ChipId self, const std::vector<ici::Axis>& axes);

  [[nodiscard]] std::uint64_t size() const { return size_; }
  [[nodiscard]] std::uint64_t rank() const { return rank_of(self_); }
  [[nodiscard]] std::uint64_t rank_of(ChipId member) const;
  [[nodiscard]] ChipId member(std::uint64_t rank) const;

  // Number of axes that take part, their sizes, and this chip's coordinate on each.
  [[nodiscard]] unsigned axes() const { return static_cast<unsigned>(axes_.size()); }
  [[nodiscard]] std::uint64_t axis_size(unsigned i) const { return torus_.axis(axes_[i]).size; }
  [[nodiscard]] std::uint64_t coordinate(unsigned i) const { return coordinate_of(rank(), i); }
  [[nodiscard]] std::uint64_t coordinate_of(std::uint64_t rank, unsigned i) const {
    return rank / stride_[i] % axis_size(i);
  }
  // Ranks from one coordinate of axis i to the next: the product of the sizes of the axes before it.
  [[nodiscard]] std::uint64_t stride(unsigned i) const { return stride_[i]; }

  // The ring of this chip along axis i.
  [[nodiscard]] Ring ring(unsigned i) const;
  // This chip's neighbours on all its rings, each once.
  [[nodiscard]] std::vector<ChipId> neighbours() const;

  // Where in `elements` elements, sharded over the group by rank, lies what the members with coordinate c on axis i hold
  // together, when the axes before i are whole and those after it are as on this chip. Contiguous.
  [[nodiscard]] Range bundle(std::uint64_t elements, unsigned i, std::uint64_t c) const;

 private:
  const ici::TorusShape& torus_;
  ChipId self_;
  std::vector<ici::Axis> axes_;
  std::vector<std::uint64_t> stride_;
  std::uint64_t size_ = 1;
};

}  // namespace podsim::firmware
