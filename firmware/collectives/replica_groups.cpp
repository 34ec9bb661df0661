#include "firmware/collectives/replica_groups.h"

#include <fmt/format.h>

#include <algorithm>

#include "firmware/collectives/group.h"
#include "firmware/device/errors.h"

namespace podsim::firmware {

namespace {

// The axes along which the members are a part of the torus, ranks counted in their order; none if they are not.
std::optional<std::vector<ici::Axis>> axes_of(const ici::TorusShape& torus, const std::vector<ChipId>& members) {
  if (torus.listed_links() != nullptr) return std::nullopt;  // neighbours in number need not be linked
  std::vector<ici::Axis> axes;
  for (unsigned i = 0; i < torus.axes(); ++i) {
    const bool varies = std::any_of(members.begin(), members.end(), [&](ChipId chip) {
      return torus.coordinates(chip)[i] != torus.coordinates(members[0])[i];
    });
    if (varies) axes.push_back(static_cast<ici::Axis>(i));
  }
  if (axes.empty()) return std::nullopt;
  do {
    const Group group(torus, members[0], axes);
    if (group.size() != members.size()) return std::nullopt;
    bool same = true;
    for (std::uint64_t rank = 0; same && rank < members.size(); ++rank) same = group.member(rank) == members[rank];
    if (same) return axes;
  } while (std::next_permutation(axes.begin(), axes.end()));
  return std::nullopt;
}

HopStretch stretch_of(const ici::TorusShape& torus, const ReplicaGroup& group) {
  const std::uint64_t n = group.size();
  if (group.axes) return {1, 1};  // their rings are links
  HopStretch stretch;
  if (n < 2) return stretch;
  for (std::uint64_t i = 0; i < n; ++i) {
    const unsigned hops = torus.distance(group.members[group.rank_at[i]], group.members[group.rank_at[(i + 1) % n]]);
    stretch.mean += static_cast<double>(hops) / static_cast<double>(n);
    stretch.max = std::max(stretch.max, hops);
  }
  return stretch;
}

}  // namespace

ReplicaGroups::ReplicaGroups(const ici::TorusShape& torus, const std::vector<std::vector<ChipId>>& lists)
    : group_of_(torus.chips(), -1) {
  for (const std::vector<ChipId>& members : lists) {
    if (members.empty()) throw ProgramError("a replica group has no members");
    for (const ChipId chip : members) {
      if (index(chip) >= torus.chips()) {
        throw ProgramError(fmt::format("chip {} is in a replica group; the pod has {}", index(chip), torus.chips()));
      }
      std::int64_t& group = group_of_[index(chip)];
      if (group >= 0) throw ProgramError(fmt::format("chip {} is in the replica groups twice", index(chip)));
      group = static_cast<std::int64_t>(groups_.size());
    }
    ReplicaGroup group;
    group.members = members;
    group.axes = axes_of(torus, members);
    group.rank_at = lay_ring(torus, members);
    group.place_of.resize(members.size());
    for (std::uint64_t place = 0; place < members.size(); ++place) group.place_of[group.rank_at[place]] = place;
    group.stretch = stretch_of(torus, group);
    groups_.push_back(std::move(group));
  }
}

const ReplicaGroup* ReplicaGroups::find(ChipId chip) const {
  const std::int64_t group = group_of_[index(chip)];
  return group < 0 ? nullptr : &groups_[static_cast<std::size_t>(group)];
}

std::uint64_t ReplicaGroups::largest() const {
  std::uint64_t largest = 0;
  for (const ReplicaGroup& group : groups_) largest = std::max(largest, group.size());
  return largest;
}

HopStretch ReplicaGroups::stretch() const {
  HopStretch all;
  double edges = 0;
  for (const ReplicaGroup& group : groups_) {
    if (group.size() < 2) continue;
    all.mean += group.stretch.mean * static_cast<double>(group.size());
    edges += static_cast<double>(group.size());
    all.max = std::max(all.max, group.stretch.max);
  }
  if (edges > 0) all.mean /= edges;
  return all;
}

}  // namespace podsim::firmware
