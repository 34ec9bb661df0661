// Groups given chip by chip, as XLA's replica groups are: [[0,2],[1,3]]. A member's rank is its place in the list.
// Where a list is a part of the torus along some axes, in the order of its ranks, the collective uses the rings of
// those axes. Any other group gets one ring, laid through the torus so that neighbours on it are near each other:
// nearest neighbour first, then 2-opt (Croes 1958) until no exchange of two edges makes it shorter. Nothing in it is
// random.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "models/ici/torus.h"

namespace podsim::firmware {

// How far a ring's edges reach: 1 is a link. An edge of h hops uses h links, so a ring of mean stretch h has 1/h of the
// bandwidth that its links could give.
struct HopStretch {
  double mean = 0;
  unsigned max = 0;
};

struct ReplicaGroup {
  std::vector<ChipId> members;                 // by rank
  std::vector<std::uint64_t> rank_at;          // by place on the ring
  std::vector<std::uint64_t> place_of;         // by rank
  std::optional<std::vector<ici::Axis>> axes;  // in whose order the ranks count, if there are such
  HopStretch stretch;                          // of the ring, or of the rings along `axes`

  [[nodiscard]] std::uint64_t size() const { return members.size(); }
};

class ReplicaGroups {
 public:
  // Throws ProgramError if a list is empty, or a chip is in two of them or not in the pod. Chips in none take no part.
  ReplicaGroups(const ici::TorusShape& torus, const std::vector<std::vector<ChipId>>& lists);

  [[nodiscard]] const std::vector<ReplicaGroup>& groups() const { return groups_; }
  // Null if the chip is in none.
  [[nodiscard]] const ReplicaGroup* find(ChipId chip) const;
  // Size of the largest group.
  [[nodiscard]] std::uint64_t largest() const;
  // Over the edges of all groups.
  [[nodiscard]] HopStretch stretch() const;

 private:
  std::vector<ReplicaGroup> groups_;
  std::vector<std::int64_t> group_of_;  // by chip; -1: none
};

// The order of ranks in which a short ring passes through the members.
[[nodiscard]] std::vector<std::uint64_t> lay_ring(const ici::TorusShape& torus, const std::vector<ChipId>& members);

}  // namespace podsim::firmware
