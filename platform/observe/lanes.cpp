#include "platform/observe/lanes.h"

#include <fmt/format.h>

#include <limits>

namespace podsim::observe {

unsigned LaneSet::open(Picoseconds begin) {
  constexpr Picoseconds kTaken = std::numeric_limits<Picoseconds>::max();
  for (unsigned i = 0; i < tracks_.size(); ++i) {
    if (tracks_[i].free_at > begin) continue;
    tracks_[i].free_at = kTaken;
    return i;
  }
  const auto number = static_cast<unsigned>(tracks_.size());
  const std::string name = number == 0 ? name_ : fmt::format("{} ({})", name_, number + 1);
  tracks_.push_back({timeline_.add_lane({group_, timeline_.intern(name), kind_, rank_ + number}), kTaken});
  return number;
}

LaneSet& LaneBook::lane(GroupId group, Place place, unsigned unit, LaneKind kind, const std::string& name) {
  constexpr unsigned kMostUnits = 1u << 10;
  const auto rank = (static_cast<std::uint32_t>(place) * kMostUnits + unit) * kMostTracks;
  return lanes_.try_emplace({group, place, unit}, timeline_, group, name, kind, rank).first->second;
}

}  // namespace podsim::observe
