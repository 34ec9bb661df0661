// What a collective call says: the contract between the members of its group. Each member makes the same call.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "firmware/device/buffer.h"
#include "models/ici/torus.h"

namespace podsim::firmware {

enum class CollectiveKind : std::uint8_t {
  kAllGather,
  kReduceScatter,
  kAllReduce,
  kAllToAll,
  kCollectivePermute,
};

enum class Reduction : std::uint8_t { kSum, kMax, kMin };

// Which ways round its rings a collective sends.
enum class Directions : std::uint8_t { kOneWay, kBothWays };

struct CollectiveCall {
  CollectiveKind kind = CollectiveKind::kAllReduce;
  // The group is the chips that differ in these axes only. Axes are worked through in this order, and the first is the
  // fastest in the ranks. Empty: all axes of the pod. Not used by a permute, which spans the pod.
  std::vector<ici::Axis> axes;
  DType type = DType::kF32;
  Reduction reduction = Reduction::kSum;
  Directions directions = Directions::kBothWays;
  // Elements of the whole: of an all-gather's result, a reduce-scatter's input, an all-reduce's buffer, what each chip
  // sends in an all-to-all or a permute.
  std::uint64_t elements = 0;
  std::vector<std::pair<ChipId, ChipId>> pairs;  // permute: source, target
  // Pieces that a reduce-scatter step is cut into, so that the addition of one overlaps the transfer of the next. 0: chosen
  // by size.
  unsigned chunks = 0;
  std::uint32_t collective_id = 0;  // whose barrier semaphore to use
};

}  // namespace podsim::firmware
