// A floor under a collective's time: what has to cross a cut through the pod, over the bandwidth of the links that
// cross it. Looks at each chip against the rest, and at each plane between two halves of an axis.
#pragma once

#include <algorithm>
#include <functional>
#include <vector>

#include "firmware/collectives/group.h"
#include "platform/pod/pod.h"

namespace podsim::testing {

using Inside = std::vector<bool>;  // by chip

// Elements of one group's data that must come from outside the cut to the members inside, whatever the algorithm. Of a
// reduced element at least one partial result must come in.
inline std::uint64_t elements_into(const Inside& inside, const firmware::Group& group,
                                   const firmware::CollectiveCall& call) {
  const std::uint64_t n = group.size();
  const auto is_in = [&](std::uint64_t rank) { return inside[index(group.member(rank))]; };
  const auto shard = [&](std::uint64_t rank) { return firmware::Range{0, call.elements}.part(rank, n).size(); };
  std::uint64_t members_in = 0, shards_in = 0;
  for (std::uint64_t rank = 0; rank < n; ++rank) {
    if (!is_in(rank)) continue;
    ++members_in;
    shards_in += shard(rank);
  }
  if (members_in == 0 || members_in == n) return 0;
  const std::uint64_t shards_out = call.elements - shards_in;
  switch (call.kind) {
    case firmware::CollectiveKind::kAllGather: return shards_out;
    case firmware::CollectiveKind::kReduceScatter: return shards_in;
    case firmware::CollectiveKind::kAllReduce: return call.elements;
    case firmware::CollectiveKind::kAllToAll: return shards_in * (n - members_in);
    case firmware::CollectiveKind::kBroadcast: return is_in(call.root) ? 0 : call.elements;
    case firmware::CollectiveKind::kScatter: return is_in(call.root) ? 0 : shards_in;
    case firmware::CollectiveKind::kGather: return is_in(call.root) ? shards_out : 0;
    case firmware::CollectiveKind::kCollectivePermute: return 0;  // has no groups
  }
  return 0;
}

inline std::uint64_t elements_into(const Inside& inside, const pod::Pod& pod, const firmware::CollectiveCall& call) {
  std::uint64_t elements = 0;
  for (const auto& [from, to] : call.pairs) {
    if (!inside[index(from)] && inside[index(to)]) elements += call.elements;
  }
  if (call.kind == firmware::CollectiveKind::kCollectivePermute) return elements;
  for (std::uint32_t i = 0; i < pod.size(); ++i) {
    const auto chip = static_cast<ChipId>(i);
    const firmware::ReplicaGroup* listed = call.groups ? call.groups->find(chip) : nullptr;
    if (call.groups && listed == nullptr) continue;
    const firmware::Group group =
        listed != nullptr ? firmware::Group(pod.torus(), *listed, chip) : firmware::Group(pod.torus(), chip, call.axes);
    if (group.rank() == 0) elements += elements_into(inside, group, call);  // each group once
  }
  return elements;
}

inline Picoseconds time_across(const Inside& inside, const pod::Pod& pod, const firmware::CollectiveCall& call) {
  std::uint64_t rate = 0;
  for (const pod::Pod::Link& link : pod.links()) {
    const ChipId to = pod.torus().neighbour(link.from, link.port).value();
    if (!inside[index(link.from)] && inside[index(to)]) {
      rate += link.module->config().bandwidth_per_direction.bytes_per_second;
    }
  }
  if (rate == 0) return 0;
  const Bytes bytes = elements_into(inside, pod, call) * tensor_core::size_of(call.type);
  return static_cast<Picoseconds>(static_cast<Wide>(bytes) * kPicosecondsPerSecond / rate);
}

// The largest of all the cuts' times.
inline Picoseconds cut_bound(const pod::Pod& pod, const firmware::CollectiveCall& call) {
  Picoseconds bound = 0;
  const auto look_at = [&](const std::function<bool(ChipId)>& is_in) {
    Inside inside(pod.size());
    for (std::uint32_t i = 0; i < pod.size(); ++i) inside[i] = is_in(static_cast<ChipId>(i));
    bound = std::max(bound, time_across(inside, pod, call));
    inside.flip();
    bound = std::max(bound, time_across(inside, pod, call));
  };
  for (std::uint32_t i = 0; i < pod.size(); ++i) look_at([&](ChipId chip) { return index(chip) == i; });
  for (unsigned a = 0; a < pod.torus().axes(); ++a) {
    for (std::uint32_t plane = 1; plane < pod.torus().axis(static_cast<ici::Axis>(a)).size; ++plane) {
      look_at([&](ChipId chip) { return pod.torus().coordinates(chip)[a] < plane; });
    }
  }
  return bound;
}

}  // namespace podsim::testing
