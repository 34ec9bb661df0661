#include "firmware/collectives/all_to_all.h"

#include <algorithm>

namespace podsim::firmware {

namespace {

// Slots that bundles on their way to others take turns in.
constexpr std::uint64_t kSlots = 3;

// Where the blocks lie before and after one axis has been worked through. A block is named by a rank whose coordinates
// are, on the axes done, those of the chip that it comes from, and on the others those of the chip that it goes to.
struct BlockLayout {
  enum class Kind : std::uint8_t { kInput, kBetween, kOutput };
  Kind kind = Kind::kInput;
  Buffer buffer;
  std::uint64_t stride = 0;  // kBetween: room for the largest block

  // `bytes_of`: the rank whose share of the input says how large the block is: where it is going in the end.
  [[nodiscard]] Buffer block(std::uint64_t name, std::uint64_t destination, const Group& group,
                             std::uint64_t elements) const {
    const Range share = Range{0, elements}.part(destination, group.size());
    std::uint64_t first = share.first;
    if (kind == Kind::kBetween) first = name * stride;
    if (kind == Kind::kOutput) first = name * share.size();
    return buffer.slice({first, first + share.size()});
  }
};

// One axis of the collective.
class AxisExchange {
 public:
  AxisExchange(const Group& group, unsigned axis, std::uint64_t elements, const BlockLayout& from,
               const BlockLayout& to)
      : group_(group), axis_(axis), elements_(elements), from_(from), to_(to) {}

  // Blocks that go to one coordinate of the axis.
  [[nodiscard]] std::uint64_t blocks() const { return group_.size() / group_.axis_size(axis_); }
  [[nodiscard]] DType type() const { return from_.buffer.type; }

  // Block b of those that chip coordinate `from` has for coordinate `to`: on chip `from`, and on chip `to`.
  [[nodiscard]] Buffer source(std::uint64_t to, std::uint64_t b) const {
    return from_.block(name(to, b), destination(to, b), group_, elements_);
  }
  [[nodiscard]] Buffer target(std::uint64_t from, std::uint64_t to, std::uint64_t b) const {
    return to_.block(name(from, b), destination(to, b), group_, elements_);
  }
  [[nodiscard]] std::uint64_t size(std::uint64_t to, std::uint64_t b) const {
    return Range{0, elements_}.part(destination(to, b), group_.size()).size();
  }

 private:
  // The b-th rank that has coordinate c on the axis.
  [[nodiscard]] std::uint64_t name(std::uint64_t c, std::uint64_t b) const {
    const std::uint64_t stride = group_.stride(axis_);
    return group_.rank_at(b / stride * stride * group_.axis_size(axis_) + c * stride + b % stride);
  }
  // Where such a block goes in the end: on the axes done it is there already, on this one it goes to `to`.
  [[nodiscard]] std::uint64_t destination(std::uint64_t to, std::uint64_t b) const {
    const std::uint64_t stride = group_.stride(axis_);
    return name(to, b) / stride * stride + group_.rank() % stride;
  }

  const Group& group_;
  const unsigned axis_;
  const std::uint64_t elements_;
  const BlockLayout from_;
  const BlockLayout to_;
};

struct StreamResources {
  Buffer slots;
  std::uint64_t slot_blocks = 0;  // blocks in a slot
  std::uint64_t block_elements = 0;
  SemaphoreArray<DmaSemaphore> send;  // by step
  SemaphoreArray<DmaSemaphore> recv;  // by step
  RegularSemaphore capacity;          // the next chip has emptied a slot
};

// In step s a chip passes on what the chip s places before it has sent out.
class ExchangeStream {
 public:
  // `reach`: how many places a block travels at most; `halved`: blocks that go that far are shared by both streams.
  ExchangeStream(Device& chip, const Stream& stream, const AxisExchange& exchange, std::uint64_t reach, bool halved,
                 const StreamResources& own)
      : chip_(chip), stream_(stream), exchange_(exchange), reach_(reach), halved_(halved), own_(own) {}

  Task run() {
    const std::uint64_t steps = std::max(sends(), receives());
    for (std::uint64_t step = 0; step < steps; ++step) {
      if (step < sends()) {
        // What goes beyond the next chip lies in one of its slots until it has been passed on.
        if (distances(step) > 1 && step >= kSlots) co_await chip_.wait(own_.capacity);
        send(step);
      }
      if (step < receives()) co_await chip_.wait(own_.recv[step], bytes(step + 1, 0));
      if (step < sends()) {
        co_await chip_.wait(own_.send[step], bytes(step, 1));
        if (step > 0 && slot_needed_again(step - 1)) chip_.signal(own_.capacity, *stream_.previous);
      }
    }
  }

 private:
  [[nodiscard]] std::uint64_t sends() const {
    return stream_.closed ? reach_ : (stream_.next ? stream_.position + 1 : 0);
  }
  [[nodiscard]] std::uint64_t receives() const { return stream_.closed ? reach_ : stream_.position; }
  // How many chips beyond this one the blocks of step s still go to.
  [[nodiscard]] std::uint64_t distances(std::uint64_t step) const {
    return stream_.closed ? reach_ - step : stream_.size - 1 - stream_.position;
  }
  // Whether the previous chip will fill, in a later step, the slot that it filled in step `arrival`.
  [[nodiscard]] bool slot_needed_again(std::uint64_t arrival) const {
    const std::uint64_t later = arrival + kSlots;
    return later < receives() && (stream_.closed ? reach_ - later : stream_.size - stream_.position) > 1;
  }
  [[nodiscard]] std::uint64_t coordinate(std::uint64_t position) const {
    return stream_.coordinate(position % stream_.size);
  }
  [[nodiscard]] bool shared(std::uint64_t step, std::uint64_t distance) const {
    return halved_ && step + distance == reach_;
  }
  [[nodiscard]] Buffer part(Buffer block, std::uint64_t step, std::uint64_t distance) const {
    return shared(step, distance) ? block.slice(stream_.share(block.all())) : block;
  }
  // Bytes of a step's bundle whose blocks go `from_distance` places or more beyond this chip.
  [[nodiscard]] Bytes bytes(std::uint64_t step, std::uint64_t from_distance) const {
    std::uint64_t elements = 0;
    const std::uint64_t last = stream_.closed ? reach_ - step : stream_.size - 1 - stream_.position;
    for (std::uint64_t distance = from_distance; distance <= last; ++distance) {
      for (std::uint64_t b = 0; b < exchange_.blocks(); ++b) {
        const Range block{0, exchange_.size(coordinate(stream_.position + distance), b)};
        elements += (shared(step, distance) ? stream_.share(block) : block).size();
      }
    }
    return elements * tensor_core::size_of(exchange_.type());
  }
  // Block b of the bundle in a slot, for the chip `distance` places beyond the slot's owner.
  [[nodiscard]] Buffer in_slot(std::uint64_t slot, std::uint64_t distance, std::uint64_t b,
                               std::uint64_t elements) const {
    const std::uint64_t place = slot * own_.slot_blocks + (distance - 1) * exchange_.blocks() + b;
    return own_.slots.slice({place * own_.block_elements, place * own_.block_elements + elements});
  }

  void send(std::uint64_t step) {
    const std::uint64_t origin = coordinate(stream_.before(step));
    for (std::uint64_t distance = 1; distance <= distances(step); ++distance) {
      const std::uint64_t to = coordinate(stream_.position + distance);
      for (std::uint64_t b = 0; b < exchange_.blocks(); ++b) {
        const Buffer final_place = part(exchange_.target(origin, to, b), step, distance);
        const Buffer from = step == 0 ? part(exchange_.source(to, b), step, distance)
                                      : in_slot((step - 1) % kSlots, distance, b, final_place.elements);
        const Buffer place =
            distance == 1 ? final_place : in_slot(step % kSlots, distance - 1, b, final_place.elements);
        chip_.start_remote_copy(
            {.src = from, .dst = place, .to = *stream_.next, .send = own_.send[step], .recv = own_.recv[step]});
      }
    }
  }

  Device& chip_;
  const Stream stream_;
  const AxisExchange& exchange_;
  const std::uint64_t reach_;
  const bool halved_;
  const StreamResources own_;
};

Task exchange_axis(Device& chip, Ring ring, Directions directions, AxisExchange exchange,
                   std::uint64_t block_elements) {
  Allocator& allocate = chip.allocate();
  const std::uint64_t k = ring.members.size();
  std::vector<ExchangeStream> running;
  for (const Stream& stream : streams(ring, directions)) {
    // Round a ring both ways a block takes the shorter way; an odd ring has no chip opposite.
    const bool both = stream.closed && directions == Directions::kBothWays;
    const std::uint64_t reach = both ? k / 2 : k - 1;
    StreamResources own;
    own.block_elements = block_elements;
    own.slot_blocks = (reach - 1) * exchange.blocks();
    own.slots = allocate.hbm(kSlots * own.slot_blocks * block_elements, exchange.type());
    own.send = allocate.dma_semaphores("exchange_send", stream.closed ? reach : k);
    own.recv = allocate.dma_semaphores("exchange_recv", stream.closed ? reach : k);
    own.capacity = allocate.regular_semaphores("exchange_capacity", 1)[0];
    running.emplace_back(chip, stream, exchange, reach, both && k % 2 == 0, own);
  }
  std::vector<Token> tokens;
  for (ExchangeStream& stream : running) tokens.push_back(chip.spawn(stream.run()));

  // The blocks that stay on this coordinate.
  const DmaSemaphore kept = allocate.dma_semaphores("exchange_kept", 1)[0];
  Bytes kept_bytes = 0;
  for (std::uint64_t b = 0; b < exchange.blocks(); ++b) {
    const Buffer block = exchange.source(ring.position, b);
    chip.start_copy(block, exchange.target(ring.position, ring.position, b), kept);
    kept_bytes += block.bytes();
  }
  co_await chip.wait(kept, kept_bytes);
  for (Token& token : tokens) co_await token;
}

}  // namespace

Task all_to_all(Device& chip, Group group, Directions directions, Buffer in, Buffer out) {
  Allocator& allocate = chip.allocate();
  if (group.axes() == 0) {
    const DmaSemaphore copied = allocate.dma_semaphores("own_block", 1)[0];
    co_await chip.start_copy(in, out, copied);
  }
  const std::uint64_t largest = in.elements / group.size() + 1;
  BlockLayout from{.kind = BlockLayout::Kind::kInput, .buffer = in};
  for (unsigned i = 0; i < group.axes(); ++i) {
    BlockLayout to{.kind = BlockLayout::Kind::kOutput, .buffer = out};
    if (i + 1 < group.axes()) {
      to = {.kind = BlockLayout::Kind::kBetween,
            .buffer = allocate.hbm(group.size() * largest, in.type),
            .stride = largest};
    }
    co_await exchange_axis(chip, group.ring(i), directions, {group, i, in.elements, from, to}, largest);
    from = to;
  }
}

}  // namespace podsim::firmware
