#include "firmware/collectives/reduce_scatter.h"

#include <algorithm>
#include <optional>

namespace podsim::firmware {

namespace {

// Slots that arriving partial results take turns in. With four, the word that a slot is free again travels back while two
// more steps are under way, so that small messages are not held up by it.
constexpr std::uint64_t kSlots = 4;
// A chunk is worth its own issue cost from about here on.
constexpr Bytes kSmallestChunk = 128 * kKiB;
constexpr std::uint64_t kMostChunks = 8;

Opcode opcode(Reduction reduction) {
  switch (reduction) {
    case Reduction::kSum: return Opcode::kAdd;
    case Reduction::kMax: return Opcode::kMax;
    case Reduction::kMin: return Opcode::kMin;
  }
  return Opcode::kAdd;
}

// One axis of the collective: what all of its streams work on.
struct AxisPhase {
  Opcode op = Opcode::kAdd;
  Buffer in;                   // this chip's contributions
  std::vector<Range> bundles{};  // by coordinate: the places in `in` of what each chip ends up with
  Buffer result{};               // this chip's bundle, reduced
  std::uint64_t chunks = 1;
};

// One stream's own memory and semaphores.
struct StreamResources {
  Buffer slots;  // kSlots x slot_elements
  std::uint64_t slot_elements = 0;
  SemaphoreArray<DmaSemaphore> recv;  // by slot, then chunk
  SemaphoreArray<DmaSemaphore> send;  // by slot, then chunk
  DmaSemaphore added;
  RegularSemaphore capacity;  // raised by the next chip for each chunk of a slot that it has freed
};

// Partial results pass this chip one bundle at a time. A closed stream starts with the bundle of the chip just before this
// one in the ring (which has the longest way to go) and ends with this chip's own; an open one starts with the bundle of
// the far end.
class ReduceStream {
 public:
  ReduceStream(Device& chip, const Stream& stream, const AxisPhase& phase, const StreamResources& own)
      : chip_(chip), stream_(stream), phase_(phase), own_(own) {}

  [[nodiscard]] bool closed() const { return stream_.closed; }
  [[nodiscard]] std::uint64_t items() const { return stream_.closed ? stream_.size : stream_.size - stream_.position; }
  [[nodiscard]] bool receives(std::uint64_t item) const {
    return stream_.closed ? item > 0 : stream_.previous.has_value();
  }
  [[nodiscard]] bool sends(std::uint64_t item) const { return item + 1 < items(); }
  // The item's number among those that arrive here; it is also its number among those that the previous chip sends.
  [[nodiscard]] std::uint64_t arrival(std::uint64_t item) const { return stream_.closed ? item - 1 : item; }

  // This stream's part of the item's bundle.
  [[nodiscard]] Range share(std::uint64_t item) const {
    const std::uint64_t position = stream_.closed ? stream_.before(item + 1) : stream_.size - 1 - item;
    return stream_.share(phase_.bundles[stream_.coordinate(position)]);
  }
  [[nodiscard]] Range chunk(std::uint64_t item, std::uint64_t c) const { return share(item).part(c, phase_.chunks); }
  // Where chunk c of an item lies in slot `slot`.
  [[nodiscard]] Buffer slot(std::uint64_t slot, std::uint64_t item, std::uint64_t c) const {
    const std::uint64_t first = slot * own_.slot_elements + (chunk(item, c).first - share(item).first);
    return own_.slots.slice({first, first + chunk(item, c).size()});
  }
  // The place in this chip's result that the stream's last item has.
  [[nodiscard]] Buffer result(std::uint64_t c) const {
    const Range piece = chunk(items() - 1, c);
    const std::uint64_t base = phase_.bundles[stream_.coordinate(stream_.position)].first;
    return phase_.result.slice({piece.first - base, piece.last - base});
  }

  // The whole of the last item, where it was left on an open stream.
  [[nodiscard]] Buffer last_arrival() const {
    const std::uint64_t first = arrival(items() - 1) % kSlots * own_.slot_elements;
    return own_.slots.slice({first, first + share(items() - 1).size()});
  }
  [[nodiscard]] bool ends_with_arrival() const { return receives(items() - 1); }

  Task run() {
    for (std::uint64_t item = 0; item < items(); ++item) {
      for (std::uint64_t c = 0; c < phase_.chunks; ++c) {
        Buffer partial = phase_.in.slice(chunk(item, c));
        if (receives(item)) {
          const std::uint64_t at = arrival(item) % kSlots * phase_.chunks + c;
          const Buffer arrived = slot(arrival(item) % kSlots, item, c);
          co_await chip_.wait(own_.recv[at], arrived.bytes());
          // The two streams of a line both end at this chip; reduce_axis() puts them together.
          if (sends(item) || stream_.closed) {
            const Buffer sum = sends(item) ? arrived : result(c);
            co_await chip_.start_vector(phase_.op, arrived, partial, sum, own_.added);
            partial = sum;
          }
        }
        if (sends(item)) {
          const std::uint64_t to = item % kSlots * phase_.chunks + c;
          if (item >= kSlots) co_await chip_.wait(own_.capacity);
          chip_.start_remote_copy({.src = partial,
                                   .dst = slot(item % kSlots, item, c),
                                   .to = *stream_.next,
                                   .send = own_.send[to],
                                   .recv = own_.recv[to]});
        }
        if (item > 0) co_await retire(item - 1, c);
      }
    }
  }

 private:
  // Waits until a chunk has left, and tells the previous chip that its slot is free, if that chip will need it again.
  Task retire(std::uint64_t item, std::uint64_t c) {
    co_await chip_.wait(own_.send[item % kSlots * phase_.chunks + c], chunk(item, c).size() * element_bytes());
    if (!receives(item)) co_return;
    const std::uint64_t sent_by_previous = stream_.closed ? stream_.size - 1 : stream_.size - stream_.position;
    if (arrival(item) + kSlots < sent_by_previous) chip_.signal(own_.capacity, *stream_.previous);
  }
  [[nodiscard]] Bytes element_bytes() const { return tensor_core::size_of(phase_.in.type); }

  Device& chip_;
  const Stream stream_;
  const AxisPhase& phase_;
  const StreamResources own_;
};

// Upper bound of a bundle's size on axis i: the same on every chip, though bundles may differ by an element.
std::uint64_t largest_bundle(const Group& group, std::uint64_t elements, unsigned i) {
  return elements * group.stride(i) / group.size() + 1;
}

std::uint64_t chunks_for(Bytes share, unsigned wanted) {
  return wanted != 0 ? wanted : std::clamp<std::uint64_t>(share / kSmallestChunk, 1, kMostChunks);
}

Task reduce_axis(Device& chip, Ring ring, Directions directions, AxisPhase phase, std::uint64_t largest,
                 unsigned chunks) {
  Allocator& allocate = chip.allocate();
  std::vector<ReduceStream> running;
  for (const Stream& stream : streams(ring, directions)) {
    StreamResources own;
    own.slot_elements = largest / stream.parts + 1;
    phase.chunks = chunks_for(own.slot_elements * tensor_core::size_of(phase.in.type), chunks);
    const std::uint64_t slots = std::min(kSlots, stream.size - 1);
    own.slots = allocate.hbm(slots * own.slot_elements, phase.in.type);
    own.recv = allocate.dma_semaphores("reduce_recv", slots * phase.chunks);
    own.send = allocate.dma_semaphores("reduce_send", slots * phase.chunks);
    own.added = allocate.dma_semaphores("reduce_added", 1)[0];
    own.capacity = allocate.regular_semaphores("reduce_capacity", 1)[0];
    running.emplace_back(chip, stream, phase, own);
  }
  std::vector<Token> tokens;
  for (ReduceStream& stream : running) tokens.push_back(chip.spawn(stream.run()));
  for (Token& token : tokens) co_await token;
  if (running.front().closed()) co_return;

  // A line: what came from the left and what came from the right, added to this chip's own.
  Buffer sum = phase.in.slice(phase.bundles[ring.position]);
  const DmaSemaphore added = allocate.dma_semaphores("reduce_join", 1)[0];
  for (const ReduceStream& stream : running) {
    if (!stream.ends_with_arrival()) continue;
    co_await chip.start_vector(phase.op, stream.last_arrival(), sum, phase.result, added);
    sum = phase.result;
  }
}

}  // namespace

Task reduce_scatter(Device& chip, Group group, ReduceOptions options, Buffer in, Buffer shard) {
  Allocator& allocate = chip.allocate();
  if (group.axes() == 0) {
    const DmaSemaphore copied = allocate.dma_semaphores("own_shard", 1)[0];
    co_await chip.start_copy(in, shard, copied);
  }
  const std::uint64_t elements = in.elements;
  Range covered = in.all();  // of the elements, by what is left in `in`
  for (unsigned i = group.axes(); i-- > 0;) {
    AxisPhase phase{.op = opcode(options.reduction), .in = in};
    for (std::uint64_t c = 0; c < group.axis_size(i); ++c) {
      const Range bundle = group.bundle(elements, i, c);
      phase.bundles.push_back({bundle.first - covered.first, bundle.last - covered.first});
    }
    const std::uint64_t largest = largest_bundle(group, elements, i);
    const Range mine = phase.bundles[group.coordinate(i)];
    phase.result = i == 0 ? shard : allocate.hbm(largest, in.type).slice({0, mine.size()});
    co_await reduce_axis(chip, group.ring(i), options.directions, phase, largest, options.chunks);
    covered = {covered.first + mine.first, covered.first + mine.last};
    in = phase.result;
  }
}

}  // namespace podsim::firmware
