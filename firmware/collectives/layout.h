// Which elements of a buffer each member of a group has in the end, and so which of them travel together along an axis.
//
// Plainly, the elements are shared out by rank. A *colour* is one of several parts that a collective's data is cut into
// so that all axes are busy at once: colour d goes through the axes in an order of its own, beginning with axis d. An
// all-reduce may give each colour a stretch of the buffer to share out as it likes. Where the members' shards are the
// caller's, each colour has a part of every shard, and what it sends together along an axis lies in pieces.
#pragma once

#include "firmware/collectives/group.h"
#include "firmware/collectives/pieces.h"

namespace podsim::firmware {

// Colour `colour` of `colours` of a member's elements. Large parts begin at multiples of kColourGranule elements, so
// that copies and memory accesses keep whole bursts of HBM, whatever the number of colours.
inline constexpr std::uint64_t kColourGranule = 128;
[[nodiscard]] Range colour_of(Range shard, unsigned colour, unsigned colours);

class Layout {
 public:
  // `elements` elements, shared out by rank.
  Layout(Group group, std::uint64_t elements) : group_(group), shards_(std::move(group)), elements_(elements) {}
  // Colour `colour` of `colours` of every shard of `group`, its axes in an order of its own.
  Layout(const Group& group, std::uint64_t elements, unsigned colour, unsigned colours)
      : group_(group.rotated(colour)), shards_(group), elements_(elements), colour_(colour), colours_(colours) {}

  // The order of axes to go through, and the ring along each.
  [[nodiscard]] const Group& group() const { return group_; }

  // What the members with coordinate c on axis i have together, when the axes before i are whole and those after it are
  // as on this chip. Of two bundles along axis i, the lower coordinate's comes first in the bundle of axis i+1 that
  // holds both.
  [[nodiscard]] Pieces bundle(unsigned i, std::uint64_t c) const;
  // No bundle of axis i has more elements, on any chip.
  [[nodiscard]] std::uint64_t largest_bundle(unsigned i) const;
  // What this chip has alone.
  [[nodiscard]] Range own() const;

 private:
  [[nodiscard]] Range shard(std::uint64_t rank) const {
    return colour_of(Range{0, elements_}.part(rank, shards_.size()), colour_, colours_);
  }

  Group group_;
  Group shards_;  // whose ranks say where a member's shard lies
  std::uint64_t elements_;
  unsigned colour_ = 0;
  unsigned colours_ = 1;
};

}  // namespace podsim::firmware
