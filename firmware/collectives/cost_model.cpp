#include "firmware/collectives/cost_model.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <vector>

#include "firmware/collectives/algorithm.h"
#include "firmware/collectives/collective.h"
#include "firmware/collectives/exchange_plan.h"

namespace podsim::firmware {

namespace {

struct AxisShape {
  std::uint64_t size = 1;
  bool wraps = false;
};

class CostModel {
 public:
  CostModel(const CollectiveCall& call, const ici::TorusShape& torus, const Figures& figures)
      : figures_(figures),
        link_time_(figures.link),
        bytes_(call.elements * tensor_core::size_of(call.type)),
        both_ways_(call.directions == Directions::kBothWays) {
    const Group group = largest_group(call, torus);
    members_ = group.size();
    for (unsigned i = 0; i < group.axes(); ++i) axes_.push_back({group.axis_size(i), group.ring(i).wraps});
    if (call.groups == nullptr) return;
    // An edge of a laid ring that passes h links takes h times as long, and shares each of them.
    const HopStretch stretch = call.groups->stretch();
    stretch_percent_ = std::max<std::uint64_t>(100, static_cast<std::uint64_t>(100 * stretch.mean));
  }

  [[nodiscard]] Picoseconds time(CollectiveKind kind, Algorithm algorithm) const {
    switch (algorithm) {
      case Algorithm::kRing: return kind == CollectiveKind::kAllToAll ? ring_all_to_all() : neighbours(kind, 1);
      case Algorithm::kTorus: return neighbours(kind, std::max<std::uint64_t>(1, axes_.size()));
      case Algorithm::kWholeShards: return whole_shards();
      case Algorithm::kDirect: return direct_all_to_all();
      case Algorithm::kRecursiveDoubling: return exchanges(false, false);
      case Algorithm::kSwing: return exchanges(true, false);
      case Algorithm::kRecursiveHalving: return exchanges(false, true);
      case Algorithm::kSwingHalving: return exchanges(true, true);
      case Algorithm::kAuto: break;
    }
    return 0;
  }

 private:
  static Group largest_group(const CollectiveCall& call, const ici::TorusShape& torus) {
    if (call.groups == nullptr) return Group(torus, ChipId{}, call.axes);
    const auto& groups = call.groups->groups();
    const auto largest = std::max_element(groups.begin(), groups.end(),
                                          [](const auto& a, const auto& b) { return a.size() < b.size(); });
    return Group(torus, *largest, largest->members.front());
  }

  [[nodiscard]] Picoseconds step(std::uint64_t distance = 1) const {
    return figures_.step + static_cast<Picoseconds>(distance * stretch_percent_ / 100) * figures_.hop;
  }
  [[nodiscard]] Picoseconds transfer(Bytes bytes) const { return link_time_(bytes * stretch_percent_ / 100); }

  // Reduce-scatter or all-gather of `bytes`, the axes in an order that begins with `first`. A ring that wraps shares a
  // bundle between its two ways; a line sends all of it both ways.
  [[nodiscard]] Picoseconds rings(Bytes bytes, std::size_t first) const {
    Picoseconds time = 0;
    std::uint64_t stride = 1;
    for (std::size_t n = 0; n < axes_.size(); ++n) {
      const AxisShape& axis = axes_[(first + n) % axes_.size()];
      const std::uint64_t ways = axis.wraps && both_ways_ ? 2 : 1;
      time += static_cast<Picoseconds>(axis.size - 1) * (step() + transfer(bytes * stride / members_ / ways));
      stride *= axis.size;
    }
    return time;
  }

  // Algorithms from neighbour to neighbour, in so many colours side by side.
  [[nodiscard]] Picoseconds neighbours(CollectiveKind kind, std::uint64_t colours) const {
    Picoseconds once = 0;
    for (std::uint64_t d = 0; d < colours; ++d) once = std::max(once, rings(bytes_ / colours, d));
    // Each descriptor costs the engine time. A colour of the caller's own shards comes in pieces, one for each; a
    // gather takes those at equal distances together, which on two axes are all of a step's, on three those of one
    // axis.
    const std::uint64_t steps = steps_of_axes() * (both_ways_ ? 2 : 1) * colours;
    const bool in_pieces = colours > 1 && kind != CollectiveKind::kAllReduce && kind != CollectiveKind::kBroadcast;
    const std::uint64_t pieces = kind == CollectiveKind::kAllGather ? pieces_together() * colours : members_ * colours;
    once = std::max(once, issue(in_pieces ? std::max(steps, pieces) : steps));
    // The root's links together, or those of one axis.
    const Picoseconds from_root =
        std::max(transfer(bytes_ / (2 * colours)), issue(in_pieces ? colours * members_ : steps)) + step(diameter());
    switch (kind) {
      case CollectiveKind::kAllReduce: return 2 * once;
      case CollectiveKind::kBroadcast: return from_root + once;
      case CollectiveKind::kScatter:
      case CollectiveKind::kGather: return from_root;
      default: return once;
    }
  }

  [[nodiscard]] Picoseconds whole_shards() const {
    Picoseconds time = 0;
    std::uint64_t stride = 1;
    for (const AxisShape& axis : axes_) {
      const std::uint64_t steps = axis.wraps && both_ways_ ? axis.size / 2 : axis.size - 1;
      time += static_cast<Picoseconds>(steps) * (step() + transfer(bytes_ * stride / members_));
      stride *= axis.size;
    }
    return time;
  }

  [[nodiscard]] Picoseconds ring_all_to_all() const {
    Picoseconds time = 0;
    for (const AxisShape& axis : axes_) {
      time += static_cast<Picoseconds>(axis.size / 2) * step() + transfer(bytes_ * axis.size / (axis.wraps ? 8 : 4));
      time += issue(members_ * axis.size / 4);
    }
    return time;
  }
  [[nodiscard]] Picoseconds direct_all_to_all() const {
    Picoseconds floor = 0;
    Picoseconds barrier = 0;
    for (const AxisShape& axis : axes_) {
      floor = std::max(floor, transfer(bytes_ * axis.size / (axis.wraps ? 8 : 4)));
      barrier += static_cast<Picoseconds>(axis.size) * figures_.hop;
    }
    return barrier + step(diameter()) + std::max(floor, issue(members_));
  }

  // Chips `distance` apart along an axis exchange `bytes`, all at once: a link carries what so many pairs have to say.
  [[nodiscard]] Picoseconds exchange(std::uint64_t distance, std::uint64_t on_a_link, Bytes bytes) const {
    return step(distance) + transfer(bytes * on_a_link);
  }
  [[nodiscard]] Picoseconds folding(const AxisShape& axis) const {
    return std::has_single_bit(axis.size) ? 0 : 2 * exchange(1, 1, bytes_);
  }
  [[nodiscard]] static std::uint64_t distance_of(const AxisShape& axis, std::uint64_t places) {
    return axis.wraps ? std::min(places, axis.size - places) : places;
  }
  // Step s on an axis. Swing's even ranks go one way and its odd ones the other.
  [[nodiscard]] Picoseconds exchange_step(const AxisShape& axis, unsigned s, bool swing, Bytes bytes) const {
    const std::uint64_t places =
        swing ? static_cast<std::uint64_t>(std::abs(swing_distance(s))) % axis.size : std::uint64_t{1} << s;
    const std::uint64_t distance = distance_of(axis, places);
    return exchange(distance, swing ? (distance + 1) / 2 : distance, bytes);
  }
  // All of the data in each step; or, with `halves`, half of what is left, and then the same way back.
  [[nodiscard]] Picoseconds exchanges(bool swing, bool halves) const {
    Picoseconds time = 0;
    unsigned longest = 0;
    for (const AxisShape& axis : axes_) {
      time += folding(axis);
      longest = std::max(longest, steps_of(axis));
    }
    Bytes bytes = bytes_;
    for (unsigned s = 0; s < longest; ++s) {
      for (const AxisShape& axis : axes_) {
        if (s >= steps_of(axis)) continue;
        if (halves) bytes /= 2;
        time += (halves ? 2 : 1) * exchange_step(axis, s, swing, bytes);
      }
    }
    return time;
  }
  [[nodiscard]] static unsigned steps_of(const AxisShape& axis) {
    return static_cast<unsigned>(std::bit_width(axis.size) - 1);
  }

  [[nodiscard]] std::uint64_t steps_of_axes() const {
    std::uint64_t steps = 0;
    for (const AxisShape& axis : axes_) steps += axis.size - 1;
    return steps;
  }
  // Members, but for those that lie at equal distances along the longest axis.
  [[nodiscard]] std::uint64_t pieces_together() const {
    std::uint64_t longest = 1;
    for (const AxisShape& axis : axes_) longest = std::max(longest, axis.size);
    return members_ / longest;
  }
  [[nodiscard]] std::uint64_t diameter() const {
    std::uint64_t hops = 0;
    for (const AxisShape& axis : axes_) hops += axis.wraps ? axis.size / 2 : axis.size - 1;
    return hops;
  }
  [[nodiscard]] Picoseconds issue(std::uint64_t descriptors) const {
    return static_cast<Picoseconds>(descriptors) * figures_.issue;
  }

  const Figures& figures_;
  const SerialisationTime link_time_;
  const Bytes bytes_;
  const bool both_ways_;
  std::uint64_t members_ = 1;
  std::vector<AxisShape> axes_;
  std::uint64_t stretch_percent_ = 100;
};

}  // namespace

Picoseconds estimated_time(const CollectiveCall& call, Algorithm algorithm, const ici::TorusShape& torus,
                           const Figures& figures) {
  return CostModel(call, torus, figures).time(call.kind, algorithm);
}

Algorithm chosen_algorithm(const CollectiveCall& call, const ici::TorusShape& torus, const Figures& figures) {
  if (call.algorithm != Algorithm::kAuto) return call.algorithm;
  const CostModel model(call, torus, figures);
  Algorithm best = Algorithm::kRing;
  Picoseconds least = model.time(call.kind, best);
  for (const AlgorithmInfo& each : algorithms()) {
    if (each.algorithm == Algorithm::kAuto || !each.serves(call.kind)) continue;
    // Who asks for one way round the rings gets rings.
    if (call.directions == Directions::kOneWay && each.algorithm != Algorithm::kTorus) continue;
    const Picoseconds time = model.time(call.kind, each.algorithm);
    if (time >= least) continue;
    best = each.algorithm;
    least = time;
  }
  return best;
}

}  // namespace podsim::firmware
