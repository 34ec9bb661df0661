#include "firmware/collectives/layout.h"

namespace podsim::firmware {

namespace {
// Small parts would be shared out unevenly.
bool in_granules(std::uint64_t elements, unsigned colours) { return elements / colours >= 16 * kColourGranule; }
}  // namespace

Range colour_of(Range shard, unsigned colour, unsigned colours) {
  if (!in_granules(shard.size(), colours)) return shard.part(colour, colours);
  const Range granules = Range{0, shard.size() / kColourGranule}.part(colour, colours);
  const bool last = colour + 1 == colours;
  return {shard.first + granules.first * kColourGranule,
          last ? shard.last : shard.first + granules.last * kColourGranule};
}

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
  const std::uint64_t largest_shard = elements_ / group_.size() + 1;
  const std::uint64_t beyond = in_granules(largest_shard, colours_) ? 2 * kColourGranule : 1;
  return group_.stride(i) * (largest_shard / colours_ + beyond);
}

Range Layout::own() const { return shard(shards_.rank()); }

}  // namespace podsim::firmware
