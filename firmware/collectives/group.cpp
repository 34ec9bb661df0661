#include "firmware/collectives/group.h"

#include <algorithm>

namespace podsim::firmware {

Group::Group(const ici::TorusShape& torus, ChipId self, const std::vector<ici::Axis>& axes)
    : torus_(torus), self_(self) {
  const auto join = [&](ici::Axis axis) {
    if (torus.axis(axis).size == 1) return;
    axes_.push_back(axis);
    stride_.push_back(size_);
    size_ *= torus.axis(axis).size;
  };
  for (const ici::Axis axis : axes) join(axis);
  if (axes.empty()) {
    for (unsigned i = 0; i < torus.axes(); ++i) join(static_cast<ici::Axis>(i));
  }
}

std::uint64_t Group::rank_of(ChipId chip) const {
  const ici::Coordinates coordinates = torus_.coordinates(chip);
  std::uint64_t rank = 0;
  for (unsigned i = 0; i < axes(); ++i) rank += coordinates[ici::index(axes_[i])] * stride_[i];
  return rank;
}

ChipId Group::member(std::uint64_t rank) const {
  ici::Coordinates coordinates = torus_.coordinates(self_);
  for (unsigned i = 0; i < axes(); ++i) {
    coordinates[ici::index(axes_[i])] = static_cast<std::uint32_t>(coordinate_of(rank, i));
  }
  return torus_.chip_at(coordinates);
}

Ring Group::ring(unsigned i) const {
  Ring ring;
  ring.wraps = torus_.axis(axes_[i]).wrap;
  ring.position = coordinate(i);
  const std::uint64_t base = rank() - ring.position * stride_[i];
  for (std::uint64_t c = 0; c < axis_size(i); ++c) ring.members.push_back(member(base + c * stride_[i]));
  return ring;
}

std::vector<ChipId> Group::neighbours() const {
  std::vector<ChipId> neighbours;
  for (unsigned i = 0; i < axes(); ++i) {
    const Ring ring = this->ring(i);
    const std::uint64_t n = ring.members.size();
    for (const std::uint64_t place : {(ring.position + 1) % n, (ring.position + n - 1) % n}) {
      const ChipId chip = ring.members[place];
      if (std::find(neighbours.begin(), neighbours.end(), chip) == neighbours.end()) neighbours.push_back(chip);
    }
  }
  return neighbours;
}

Range Group::bundle(std::uint64_t elements, unsigned i, std::uint64_t c) const {
  const std::uint64_t block = stride_[i] * axis_size(i);
  const std::uint64_t first_rank = rank() / block * block + c * stride_[i];
  return {Range{0, elements}.part(first_rank, size_).first,
          Range{0, elements}.part(first_rank + stride_[i] - 1, size_).last};
}

}  // namespace podsim::firmware
