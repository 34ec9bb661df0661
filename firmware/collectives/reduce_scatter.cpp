#include "firmware/collectives/reduce_scatter.h"

#include <algorithm>

namespace podsim::firmware {

Opcode opcode(Reduction reduction) {
  switch (reduction) {
    case Reduction::kSum: return Opcode::kAdd;
    case Reduction::kMax: return Opcode::kMax;
    case Reduction::kMin: return Opcode::kMin;
  }
  return Opcode::kAdd;
}

namespace {

// A chunk is worth its own issue cost from about here on. Two are enough: one is added while the other is on the link.
constexpr Bytes kSmallestChunk = 128 * kKiB;
constexpr std::uint64_t kMostChunks = 2;
// Slots smaller than this are not worth going round the ring once more for each.
constexpr Bytes kSmallestSlot = 32 * kKiB;

// How a step's data is cut up, and where the slots for it are.
ReduceResources slots_for(Device& chip, const Stream& stream, std::uint64_t share_elements, DType type, Bytes vmem,
                          unsigned wanted_chunks) {
  Allocator& allocate = chip.allocate();
  const Bytes element = tensor_core::size_of(type);
  const Bytes share = share_elements * element;
  const std::uint64_t chunks =
      wanted_chunks != 0 ? wanted_chunks : std::clamp<std::uint64_t>(share / kSmallestChunk, 1, kMostChunks);

  // Slots are best in VMEM: what arrives is added and sent on without a way through HBM, which all links together could
  // fill with reads and writes.
  ReduceResources own;
  const Bytes most = vmem / ReduceStream::kSlots;  // of a chunk
  const bool fits = share <= most * chunks || most >= kSmallestSlot;
  if (fits && share > most * chunks) own.segments = (share + most * chunks - 1) / (most * chunks);
  own.chunks = std::max((chunks + own.segments - 1) / own.segments, std::min<std::uint64_t>(chunks, 2));
  own.slot_elements = (share_elements / own.segments + 1) / own.chunks + 1;
  const std::uint64_t slots = ReduceStream::slots(stream, own.segments, own.chunks);
  own.slots = fits ? allocate.vmem(slots * own.slot_elements, type) : allocate.hbm(slots * own.slot_elements, type);
  own.recv = allocate.dma_semaphores("reduce_recv", slots);
  own.send = allocate.dma_semaphores("reduce_send", slots);
  return own;
}

}  // namespace

ReduceScatter::ReduceScatter(Device& chip, const Layout& layout, const ReduceOptions& options, Buffer in, Buffer shard)
    : chip_(chip), in_(in), shard_(shard), copied_(chip.allocate().dma_semaphores("own_shard", 1)[0]) {
  const Group& group = layout.group();
  Bytes vmem = options.vmem;
  for (unsigned i = group.axes(); i-- > 0;) {
    AxisWork& work = axes_.emplace_back(
        AxisWork{.phase = {.op = opcode(options.reduction), .in = in}, .coordinate = group.coordinate(i)});
    std::uint64_t packed = 0;
    for (std::uint64_t c = 0; c < group.axis_size(i); ++c) {
      Pieces bundle = layout.bundle(i, c);
      const Range place{packed, packed + bundle.size()};
      packed = place.last;
      // The first axis reads the caller's buffer, later ones what the one before has put together, which is packed.
      work.phase.bundles.push_back(i + 1 == group.axes() ? std::move(bundle) : Pieces(place));
    }
    const std::uint64_t mine = work.phase.bundles[work.coordinate].size();
    const std::uint64_t largest = layout.largest_bundle(i);
    work.phase.result = i == 0 ? shard : chip.allocate().hbm(largest, in.type).slice({0, mine});
    // Later axes have less to do: three quarters of the room go to the first, three quarters of the rest to the second.
    const Bytes room = vmem / 4 * 3;
    vmem -= room;
    prepare(work, group.ring(i), options, largest, room);
    in = work.phase.result;
  }
}

void ReduceScatter::prepare(AxisWork& work, const Ring& ring, const ReduceOptions& options, std::uint64_t largest,
                            Bytes vmem) {
  Allocator& allocate = chip_.allocate();
  const DType type = work.phase.in.type;
  const std::vector<Stream> ways = streams(ring, options.directions);
  for (const Stream& stream : ways) {
    const std::uint64_t share = largest / stream.parts + 1;
    ReduceResources own = slots_for(chip_, stream, share, type, vmem / ways.size(), options.chunks);
    if (!stream.closed) own.last = allocate.hbm(share, type);
    const auto semaphores = allocate.dma_semaphores("reduce_added", 2);
    own.added = semaphores[0];
    own.last_recv = semaphores[1];
    own.capacity = allocate.regular_semaphores("reduce_capacity", 1)[0];
    work.streams.emplace_back(chip_, stream, work.phase, own);
  }
}

Task ReduceScatter::run() {
  if (axes_.empty()) co_await chip_.start_copy(in_, shard_, copied_);
  for (AxisWork& work : axes_) co_await run_axis(work);
}

Task ReduceScatter::run_axis(AxisWork& work) {
  std::vector<Token> tokens;
  for (ReduceStream& stream : work.streams) tokens.push_back(chip_.spawn(stream.run()));
  for (Token& token : tokens) co_await token;

  // A line: what came from the left and what came from the right, added to this chip's own.
  Buffer sum = work.phase.in;
  Pieces places = work.phase.bundles[work.coordinate];
  for (ReduceStream& stream : work.streams) {
    if (!stream.brings()) continue;
    co_await stream.join(work.phase.result, places, sum);
    sum = work.phase.result;
    places = Pieces(places.packed());
  }
}

}  // namespace podsim::firmware
