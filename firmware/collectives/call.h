// What a collective call says: the contract between the members of its group. Each member makes the same call.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "firmware/device/buffer.h"
#include "models/ici/torus.h"

namespace podsim::firmware {

class ReplicaGroups;

enum class CollectiveKind : std::uint8_t {
  kAllGather,
  kReduceScatter,
  kAllReduce,
  kAllToAll,
  kCollectivePermute,
  kBroadcast,
  kScatter,
  kGather,
};
inline constexpr unsigned kCollectiveKinds = 8;

enum class Reduction : std::uint8_t { kSum, kMax, kMin };

// Which ways round its rings a collective sends.
enum class Directions : std::uint8_t { kOneWay, kBothWays };

// How it is carried out; algorithm.h says which serves what.
enum class Algorithm : std::uint8_t {
  kAuto,  // by size and shape
  kRing,
  kTorus,
  kWholeShards,
  kDirect,
  kRecursiveDoubling,
  kRecursiveHalving,
  kSwing,
  kSwingHalving,
};

struct CollectiveCall {
  CollectiveKind kind = CollectiveKind::kAllReduce;
  Algorithm algorithm = Algorithm::kAuto;
  // The group is the chips that differ in these axes only. Axes are worked through in this order, and the first is the
  // fastest in the ranks. Empty: all axes of the pod. Not used by a permute, which spans the pod.
  std::vector<ici::Axis> axes;
  // Or groups chip by chip. Chips in none of them have nothing to do.
  std::shared_ptr<const ReplicaGroups> groups;
  DType type = DType::kF32;
  Reduction reduction = Reduction::kSum;
  Directions directions = Directions::kBothWays;
  // Elements of the whole: of an all-gather's or gather's result, a reduce-scatter's or scatter's input, an
  // all-reduce's or broadcast's buffer, what each chip sends in an all-to-all or a permute.
  std::uint64_t elements = 0;
  std::vector<std::pair<ChipId, ChipId>> pairs;  // permute: source, target
  std::uint64_t root = 0;                        // broadcast, scatter, gather: rank in each group
  // Pieces that a reduce-scatter step is cut into, so that the addition of one overlaps the transfer of the next. 0:
  // chosen by size.
  unsigned chunks = 0;
  unsigned window = 0;              // direct all-to-all: copies on their way out of a chip at a time; 0: all
  std::uint64_t seed = 0;           // direct all-to-all: of a random order of copies on each chip; 0: one for all
  std::uint32_t collective_id = 0;  // whose barrier semaphore to use
  std::string written_at;           // "run.yaml:12" if the program is a list of steps; else empty
  bool members_only = false;        // a chip in none of the groups must not make the call
};

}  // namespace podsim::firmware
