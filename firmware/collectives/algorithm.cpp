#include "firmware/collectives/algorithm.h"

#include <array>

namespace podsim::firmware {

namespace {

template <class... Kinds>
constexpr std::uint32_t kinds(Kinds... each) {
  return ((std::uint32_t{1} << static_cast<unsigned>(each)) | ...);
}

using Kind = CollectiveKind;

constexpr std::array kAlgorithms{
    AlgorithmInfo{Algorithm::kAuto, "auto", "chooses one of the others by size and shape, and says which",
                  ~std::uint32_t{0} & ~kinds(Kind::kCollectivePermute)},
    AlgorithmInfo{Algorithm::kRing, "ring", "axis by axis round the rings, neighbour to neighbour, both ways",
                  kinds(Kind::kAllGather, Kind::kReduceScatter, Kind::kAllReduce, Kind::kAllToAll, Kind::kBroadcast,
                        Kind::kScatter, Kind::kGather)},
    AlgorithmInfo{Algorithm::kTorus, "torus",
                  "a part of the data begins with each axis, so that all links are busy at once",
                  kinds(Kind::kAllGather, Kind::kReduceScatter, Kind::kAllReduce, Kind::kBroadcast, Kind::kScatter,
                        Kind::kGather)},
    AlgorithmInfo{Algorithm::kWholeShards, "whole_shards",
                  "axis by axis, whole shards half of the way round each way: half of the ring's steps",
                  kinds(Kind::kAllGather)},
    AlgorithmInfo{Algorithm::kDirect, "direct",
                  "each chip's copies straight to all the others; the routers do the rest", kinds(Kind::kAllToAll)},
    AlgorithmInfo{Algorithm::kRecursiveDoubling, "recursive_doubling",
                  "all of the data, with the chip 1, 2, 4 ... away: log2 k steps an axis, for small messages",
                  kinds(Kind::kAllReduce)},
    AlgorithmInfo{Algorithm::kRecursiveHalving, "recursive_halving",
                  "halves of halves, out and back (Rabenseifner): 2 log2 k steps an axis, for medium messages",
                  kinds(Kind::kAllReduce)},
    AlgorithmInfo{
        Algorithm::kSwing, "swing",
        "all of the data, with the chip 1, 1, 3, 5, 11 ... away by turns up and down: log2 k steps an axis, short ways",
        kinds(Kind::kAllReduce)},
    AlgorithmInfo{Algorithm::kSwingHalving, "swing_halving",
                  "recursive halving with Swing's peers: 2 log2 k steps an axis, short ways", kinds(Kind::kAllReduce)},
};

}  // namespace

std::span<const AlgorithmInfo> algorithms() { return kAlgorithms; }

const AlgorithmInfo& info(Algorithm algorithm) {
  for (const AlgorithmInfo& each : kAlgorithms) {
    if (each.algorithm == algorithm) return each;
  }
  return kAlgorithms[0];
}

const AlgorithmInfo* find_algorithm(std::string_view name) {
  for (const AlgorithmInfo& each : kAlgorithms) {
    if (each.name == name) return &each;
  }
  return nullptr;
}

std::string_view collective_name(CollectiveKind kind) {
  switch (kind) {
    case Kind::kAllGather: return "all_gather";
    case Kind::kReduceScatter: return "reduce_scatter";
    case Kind::kAllReduce: return "all_reduce";
    case Kind::kAllToAll: return "all_to_all";
    case Kind::kCollectivePermute: return "collective_permute";
    case Kind::kBroadcast: return "broadcast";
    case Kind::kScatter: return "scatter";
    case Kind::kGather: return "gather";
  }
  return "?";
}

}  // namespace podsim::firmware
