#include "firmware/collectives/all_gather.h"

#include <algorithm>

namespace podsim::firmware {

namespace {

// One stream's way along one axis. `bundles`, by coordinate, are the places in `out` of what each chip contributes; this
// chip's own contribution is read from `own`.
Task gather_stream(Device& chip, Stream stream, Buffer own, Buffer out, std::vector<Range> bundles,
                   DmaSemaphore send, SemaphoreArray<DmaSemaphore> recv) {
  const auto bundle = [&](std::uint64_t back) {
    return out.slice(stream.share(bundles[stream.coordinate(stream.before(back))]));
  };
  const std::uint64_t steps = stream.size - 1;
  const std::uint64_t receives = stream.closed ? steps : stream.position;
  const std::uint64_t sends = stream.closed ? steps : (stream.next ? stream.position + 1 : 0);

  for (std::uint64_t step = 0; step < std::max(sends, receives); ++step) {
    RemoteCopy hop;
    if (step < sends) {
      const Buffer from = step == 0 ? own.slice(stream.share(own.all())) : bundle(step);
      hop = chip.start_remote_copy(
          {.src = from, .dst = bundle(step), .to = *stream.next, .send = send, .recv = recv[step]});
    }
    // The neighbour's bundle may differ from ours by an element, so wait for its size, not for that of our own copy.
    if (step < receives) co_await chip.wait(recv[step], bundle(step + 1).bytes());
    if (step < sends) co_await hop.wait_send();
  }
}

}  // namespace

Task all_gather(Device& chip, Group group, Directions directions, Buffer shard, Buffer out) {
  Allocator& allocate = chip.allocate();
  const Buffer place = out.shard(group.rank(), group.size());
  const DmaSemaphore placed = allocate.dma_semaphores("own_shard", 1)[0];
  const bool in_place = shard.address == place.address;
  LocalCopy placing;

  for (unsigned i = 0; i < group.axes(); ++i) {
    std::vector<Range> bundles;
    for (std::uint64_t c = 0; c < group.axis_size(i); ++c) bundles.push_back(group.bundle(out.elements, i, c));
    // The first axis sends from `shard` itself, later ones from `out`.
    const Buffer own = i == 0 ? shard : out.slice(bundles[group.coordinate(i)]);
    std::vector<Token> tokens;
    for (const Stream& stream : streams(group.ring(i), directions)) {
      const DmaSemaphore send = allocate.dma_semaphores("gather_send", 1)[0];
      const auto recv = allocate.dma_semaphores("gather_recv", stream.size - 1);
      tokens.push_back(chip.spawn(gather_stream(chip, stream, own, out, bundles, send, recv)));
    }
    // Behind the first sends, which the neighbours wait for.
    if (i == 0 && !in_place) placing = chip.start_copy(shard, place, placed);
    for (Token& token : tokens) co_await token;
    if (i == 0 && !in_place) co_await placing;
  }
  if (group.axes() == 0 && !in_place) co_await chip.start_copy(shard, place, placed);
}

}  // namespace podsim::firmware
