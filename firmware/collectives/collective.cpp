#include "firmware/collectives/collective.h"

#include "firmware/collectives/all_gather.h"
#include "firmware/collectives/all_to_all.h"
#include "firmware/collectives/barrier.h"
#include "firmware/collectives/collective_permute.h"
#include "firmware/collectives/reduce_scatter.h"

namespace podsim::firmware {

CallSizes call_sizes(const CollectiveCall& call, const ici::TorusShape& torus, ChipId chip) {
  const Group group(torus, chip, call.axes);
  const std::uint64_t shard = Range{0, call.elements}.part(group.rank(), group.size()).size();
  switch (call.kind) {
    case CollectiveKind::kAllGather: return {shard, call.elements};
    case CollectiveKind::kReduceScatter: return {call.elements, shard};
    case CollectiveKind::kAllToAll: return {call.elements, shard * group.size()};
    case CollectiveKind::kAllReduce:
    case CollectiveKind::kCollectivePermute: break;
  }
  return {call.elements, call.elements};
}

Task run_collective(Device& chip, CollectiveCall call, Buffer in, Buffer out) {
  if (call.kind == CollectiveKind::kCollectivePermute) {
    co_await collective_permute(chip, call.pairs, in, out);
    co_return;
  }
  const Group group(chip.torus(), chip.id(), call.axes);
  const ReduceOptions reduce{call.directions, call.reduction, call.chunks};
  co_await barrier(chip, group.neighbours(), call.collective_id,
                   chip.allocate().regular_semaphores("barrier_second_round", 1)[0]);
  switch (call.kind) {
    case CollectiveKind::kAllGather: co_await all_gather(chip, group, call.directions, in, out); break;
    case CollectiveKind::kReduceScatter: co_await reduce_scatter(chip, group, reduce, in, out); break;
    case CollectiveKind::kAllReduce: {
      const Buffer shard = out.shard(group.rank(), group.size());
      co_await reduce_scatter(chip, group, reduce, in, shard);
      co_await all_gather(chip, group, call.directions, shard, out);
      break;
    }
    case CollectiveKind::kAllToAll: co_await all_to_all(chip, group, call.directions, in, out); break;
    case CollectiveKind::kCollectivePermute: break;
  }
}

}  // namespace podsim::firmware
