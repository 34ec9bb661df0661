#include "firmware/collectives/reduce_scatter.h"

#include <algorithm>

#include "firmware/collectives/segments.h"

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

// All slots of a stream together may be larger than reckoned by this, for want of equal parts.
constexpr Bytes kRounding = kKiB;

// Later axes have less to do: three quarters of the room go to the first, three quarters of the rest to the second.
Bytes part_for_next(Bytes vmem) { return vmem / 4 * 3; }

// How a step's data is cut up, and where the slots for it are.
ReduceResources slots_for(Device& chip, const Stream& stream, std::uint64_t share_elements, DType type, Bytes vmem,
                          unsigned wanted_chunks, const Buffer& room) {
  Allocator& allocate = chip.allocate();
  const Bytes element = tensor_core::size_of(type);
  const Bytes share = share_elements * element;
  // Slots are best in VMEM: what arrives is added and sent on without a way through HBM, which all links together could
  // fill with reads and writes.
  const Segments cut = cut_to_fit(share, chunks_of(share, wanted_chunks), vmem);
  ReduceResources own;
  own.segments = cut.segments;
  own.chunks = cut.chunks;
  own.slot_elements = (share_elements / own.segments + 1) / own.chunks + 1;
  own.slot_count = cut.slots;
  const std::uint64_t slots = std::min(own.slot_count, own.segments * own.chunks * (stream.size - 1));
  if (room.elements >= slots * own.slot_elements) {
    own.slots = room.slice({0, slots * own.slot_elements});
  } else {
    own.slots =
        cut.fits ? allocate.vmem(slots * own.slot_elements, type) : allocate.hbm(slots * own.slot_elements, type);
  }
  own.recv = allocate.dma_semaphores("reduce_recv", slots);
  own.send = allocate.dma_semaphores("reduce_send", slots);
  return own;
}

// Whether the slots of the axis that is gone through first take all of the room that is there for them, and more would
// be better. Then the axes use it in turn, at the price of a hop from one to the next: each chip has to say when it has
// come to an axis.
bool crowded(const Layout& layout, const ReduceOptions& options, DType type) {
  const Group& group = layout.group();
  if (group.axes() < 2) return false;
  const unsigned first = group.axes() - 1;
  const std::vector<Stream> ways = streams(group.ring(first), options.directions);
  const Bytes share = (layout.largest_bundle(first) / ways.front().parts + 1) * tensor_core::size_of(type);
  const Segments cut = cut_to_fit(share, chunks_of(share, options.chunks), part_for_next(options.vmem) / ways.size());
  return cut.segments > 1;
}

}  // namespace

ReduceScatter::ReduceScatter(Device& chip, const Layout& layout, const ReduceOptions& options, Buffer in, Buffer shard)
    : chip_(chip), in_(in), shard_(shard), copied_(chip.allocate().dma_semaphores("own_shard", 1)[0]) {
  const Group& group = layout.group();
  Bytes vmem = options.vmem;
  Buffer room;
  if (crowded(layout, options, in.type)) room = chip.allocate().vmem(vmem / tensor_core::size_of(in.type), in.type);
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
    const Bytes part = part_for_next(vmem);
    vmem -= part;
    prepare(work, group.ring(i), options, largest, part, room);
    in = work.phase.result;
  }
}

void ReduceScatter::prepare(AxisWork& work, const Ring& ring, const ReduceOptions& options, std::uint64_t largest,
                            Bytes vmem, const Buffer& room) {
  Allocator& allocate = chip_.allocate();
  const DType type = work.phase.in.type;
  const std::vector<Stream> ways = streams(ring, options.directions);
  for (unsigned way = 0; way < ways.size(); ++way) {
    const Stream& stream = ways[way];
    const std::uint64_t share = largest / stream.parts + 1;
    const Buffer own_room = room.shard(way, ways.size());
    const Bytes most = room.elements > 0 ? own_room.bytes() - kRounding : vmem / ways.size();
    ReduceResources own = slots_for(chip_, stream, share, type, most, options.chunks, own_room);
    own.slots_shared = room.elements > 0 && axes_.size() > 1;
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
