#include "firmware/collectives/collective.h"

#include <fmt/format.h>

#include <algorithm>

#include "firmware/collectives/algorithm.h"
#include "firmware/collectives/all_to_all.h"
#include "firmware/collectives/barrier.h"
#include "firmware/collectives/collective_permute.h"
#include "firmware/collectives/cost_model.h"
#include "firmware/collectives/direct_all_to_all.h"
#include "firmware/collectives/exchange.h"
#include "firmware/collectives/torus_collectives.h"
#include "firmware/device/errors.h"

namespace podsim::firmware {

std::optional<Group> group_of(const CollectiveCall& call, const ici::TorusShape& torus, ChipId chip) {
  if (call.groups == nullptr) return Group(torus, chip, call.axes);
  const ReplicaGroup* const listed = call.groups->find(chip);
  if (listed == nullptr) return std::nullopt;
  return Group(torus, *listed, chip);
}

std::uint64_t group_size(const CollectiveCall& call, const ici::TorusShape& torus) {
  return call.groups != nullptr ? call.groups->largest() : Group(torus, ChipId{}, call.axes).size();
}

CallSizes call_sizes(const CollectiveCall& call, const ici::TorusShape& torus, ChipId chip) {
  const std::optional<Group> group = group_of(call, torus, chip);
  if (!group) return {0, 0};
  const std::uint64_t all = call.elements;
  const std::uint64_t shard = Range{0, all}.part(group->rank(), group->size()).size();
  const std::uint64_t root_only = group->rank() == call.root ? all : 0;
  switch (call.kind) {
    case CollectiveKind::kAllGather: return {shard, all};
    case CollectiveKind::kReduceScatter: return {all, shard};
    case CollectiveKind::kAllToAll: return {all, shard * group->size()};
    case CollectiveKind::kBroadcast: return {root_only, all};
    case CollectiveKind::kScatter: return {root_only, shard};
    case CollectiveKind::kGather: return {shard, root_only};
    case CollectiveKind::kAllReduce:
    case CollectiveKind::kCollectivePermute: break;
  }
  return {all, all};
}

namespace {

// Room for arriving data: what a collective takes of the VMEM that is free, so that another one behind it finds some
// too.
Bytes vmem_share(Device& chip) { return chip.allocate().vmem_free() / 4 * 3; }

ExchangePlan exchange_plan(Algorithm algorithm, const Group& group, std::uint64_t elements) {
  if (algorithm == Algorithm::kSwing) return plan_swing(group, elements);
  if (algorithm == Algorithm::kSwingHalving) return plan_swing_halving(group, elements);
  if (algorithm == Algorithm::kRecursiveHalving) return plan_recursive_halving(group, elements);
  return plan_recursive_doubling(group, elements);
}

// Algorithms that pass data from neighbour to neighbour only.
Task neighbour_collective(Device& chip, const CollectiveCall& call, Group group, Buffer in, Buffer out) {
  co_await barrier(chip, group.neighbours(call.directions), call.collective_id,
                   chip.allocate().regular_semaphores("barrier_second_round", 1)[0]);
  const bool torus = call.algorithm == Algorithm::kTorus;
  const unsigned colours = torus ? std::max(1u, group.axes()) : 1;
  // The program, each colour, and each colour's two streams.
  const unsigned contexts = torus ? 1 + 3 * colours : 3;
  if (contexts > chip.allocate().resources().contexts) {
    throw ProgramError(fmt::format("algorithm '{}' needs {} contexts of the scalar core, which has {}",
                                   name(call.algorithm), contexts, chip.allocate().resources().contexts));
  }
  const ReduceOptions reduce{call.directions, call.reduction, call.chunks, vmem_share(chip)};
  GatherOptions shares{.directions = call.directions, .chunks = call.chunks};
  if (call.algorithm == Algorithm::kWholeShards) shares.shares = GatherShares::kWhole;

  const Layout layout(group, call.elements);
  switch (call.kind) {
    case CollectiveKind::kAllGather: {
      if (torus) {
        co_await torus_all_gather(chip, group, shares, in, out);
      } else {
        AllGather ring(chip, layout, shares, in, out);
        co_await ring.run();
      }
      break;
    }
    case CollectiveKind::kReduceScatter: {
      if (torus) {
        co_await torus_reduce_scatter(chip, group, reduce, in, out);
      } else {
        ReduceScatter ring(chip, layout, reduce, in, out);
        co_await ring.run();
      }
      break;
    }
    case CollectiveKind::kAllReduce: {
      if (torus) {
        co_await torus_all_reduce(chip, group, reduce, in, out);
      } else {
        AllReduce ring(chip, group, reduce, in, out);
        co_await ring.run();
      }
      break;
    }
    case CollectiveKind::kAllToAll: co_await all_to_all(chip, group, call.directions, in, out); break;
    case CollectiveKind::kBroadcast:
      co_await broadcast(chip, group, colours, call.root, call.directions, in, out);
      break;
    case CollectiveKind::kScatter: co_await scatter(chip, group, colours, call.root, in, out, call.elements); break;
    case CollectiveKind::kGather: co_await gather(chip, group, colours, call.root, in, out, call.elements); break;
    case CollectiveKind::kCollectivePermute: break;
  }
}

Task carry_out(Device& chip, CollectiveCall call, Buffer in, Buffer out) {
  if (call.kind == CollectiveKind::kCollectivePermute) {
    co_await collective_permute(chip, call.pairs, in, out);
    co_return;
  }
  if (!info(call.algorithm).serves(call.kind)) {
    throw ProgramError(
        fmt::format("algorithm '{}' does not serve {}", name(call.algorithm), collective_name(call.kind)));
  }
  const std::optional<Group> member = group_of(call, chip.torus(), chip.id());
  if (!member) co_return;
  const Group& group = *member;
  if (call.root >= group.size()) {
    throw ProgramError(
        fmt::format("{}: root {} of a group of {}", collective_name(call.kind), call.root, group.size()));
  }
  if (const Picoseconds launch = chip.allocate().resources().figures.collective_launch; launch > 0) {
    co_await chip.delay(launch);
  }
  call.algorithm = chosen_algorithm(call, chip.torus(), chip.allocate().resources().figures);
  switch (call.algorithm) {
    case Algorithm::kAuto: break;
    case Algorithm::kDirect: co_await direct_all_to_all(chip, group, {call.window, call.seed}, in, out); break;
    case Algorithm::kRecursiveDoubling:
    case Algorithm::kRecursiveHalving:
    case Algorithm::kSwing:
    case Algorithm::kSwingHalving:
      co_await exchange_all_reduce(chip, exchange_plan(call.algorithm, group, call.elements), call.reduction,
                                   vmem_share(chip), in, out);
      break;
    case Algorithm::kRing:
    case Algorithm::kTorus:
    case Algorithm::kWholeShards: co_await neighbour_collective(chip, call, group, in, out); break;
  }
}

Task carry_out_announced(Device& chip, CollectiveCall call, Buffer in, Buffer out) {
  co_await carry_out(chip, call, in, out);
  chip.retire(call);
}

}  // namespace

Task run_collective(Device& chip, CollectiveCall call, Buffer in, Buffer out, Where where) {
  chip.announce(call, where);
  co_await carry_out(chip, call, in, out);
  chip.retire(call);
}

Token start_collective(Device& chip, const CollectiveCall& call, Buffer in, Buffer out, Where where, std::string name) {
  chip.announce(call, where);
  return chip.spawn(carry_out_announced(chip, call, in, out), std::move(name), where);
}

}  // namespace podsim::firmware
