#include "firmware/collectives/layout.h"

namespace podsim::firmware {

Pieces Layout::bundle(unsigned i, std::uint64_t c) const {
  if (colours_ == 1) return Pieces(group_.bundle(elements_, i, c));
  Pieces pieces;
  const std::uint64_t first = group_.first_of_bundle(i, c);
  for (std::uint64_t rank = first; rank < first + group_.stride(i); ++rank) {
    pieces.append(shard(shards_.rank_of(group_.member(rank))));
  }
  return pieces;
}

std::uint64_t Layout::largest_bundle(unsigned i) const {
  // Cutting a range into parts leaves none larger than its size over their number, and one more.
  if (colours_ == 1) return elements_ * group_.stride(i) / group_.size() + 1;
  return group_.stride(i) * ((elements_ / group_.size() + 1) / colours_ + 1);
}

Range Layout::own() const { return shard(shards_.rank()); }

}  // namespace podsim::firmware
