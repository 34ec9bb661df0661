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
  rank_ = rank_of(self);
}

Group::Group(const ici::TorusShape& torus, const ReplicaGroup& listed, ChipId self) : torus_(torus), self_(self) {
  if (listed.axes) {
    *this = Group(torus, self, *listed.axes);
    return;
  }
  listed_ = &listed;
  size_ = listed.size();
  if (size_ > 1) stride_.push_back(1);
  rank_ = rank_of(self);
}

std::uint64_t Group::rank_of(ChipId chip) const {
  if (listed_ != nullptr) {
    const auto& members = listed_->members;
    return static_cast<std::uint64_t>(std::find(members.begin(), members.end(), chip) - members.begin());
  }
  const ici::Coordinates coordinates = torus_.get().coordinates(chip);
  std::uint64_t rank = 0;
  for (unsigned i = 0; i < axes(); ++i) rank += coordinates[ici::index(axes_[i])] * stride_[i];
  return rank;
}

ChipId Group::member(std::uint64_t rank) const {
  if (listed_ != nullptr) return listed_->members[rank];
  ici::Coordinates coordinates = torus_.get().coordinates(self_);
  for (unsigned i = 0; i < axes(); ++i) {
    coordinates[ici::index(axes_[i])] = static_cast<std::uint32_t>(coordinate_of(rank, i));
  }
  return torus_.get().chip_at(coordinates);
}

Group Group::rotated(unsigned by) const {
  if (axes_.empty()) return *this;
  std::vector<ici::Axis> axes = axes_;
  std::rotate(axes.begin(), axes.begin() + by, axes.end());
  return {torus_.get(), self_, axes};
}

Ring Group::ring(unsigned i) const {
  Ring ring;
  // A laid ring is closed, though two chips have but one way between them.
  ring.wraps = listed_ != nullptr ? size_ > 2 : torus_.get().axis(axes_[i]).is_ring();
  ring.position = coordinate(i);
  const std::uint64_t base = place() - ring.position * stride_[i];
  for (std::uint64_t c = 0; c < axis_size(i); ++c) ring.members.push_back(member(rank_at(base + c * stride_[i])));
  return ring;
}

std::vector<ChipId> Group::neighbours(Directions directions) const {
  std::vector<ChipId> neighbours;
  const auto add = [&](const std::optional<ChipId>& chip) {
    if (!chip || std::find(neighbours.begin(), neighbours.end(), *chip) != neighbours.end()) return;
    neighbours.push_back(*chip);
  };
  for (unsigned i = 0; i < axes(); ++i) {
    for (const Stream& stream : streams(ring(i), directions)) {
      add(stream.next);
      add(stream.previous);
    }
  }
  return neighbours;
}

std::uint64_t Group::first_of_bundle(unsigned i, std::uint64_t c) const {
  const std::uint64_t block = stride_[i] * axis_size(i);
  return rank_at(place() / block * block + c * stride_[i]);
}

Range Group::bundle(std::uint64_t elements, unsigned i, std::uint64_t c) const {
  const std::uint64_t first_rank = first_of_bundle(i, c);
  return {Range{0, elements}.part(first_rank, size_).first,
          Range{0, elements}.part(first_rank + stride_[i] - 1, size_).last};
}

}  // namespace podsim::firmware
