#include "firmware/collectives/all_gather.h"

#include <algorithm>

namespace podsim::firmware {

namespace {

// What all streams of one axis work on.
struct GatherPhase {
  std::optional<Buffer> own;  // this chip's own bundle, packed, if it still lies outside `out`
  Buffer out;
  std::vector<Pieces> bundles;  // by coordinate: the places in `out` of what each chip contributes
};

struct GatherResources {
  std::uint64_t chunks = 1;  // of a step
  DmaSemaphore send;
  SemaphoreArray<DmaSemaphore> recv;  // by step, then chunk: no order is promised between two copies
};

// A step in two chunks: the first is on its way on while the second arrives, and the link never waits. Not for small
// ones, which cost as much to issue as to send.
constexpr Bytes kSmallestInChunks = 256 * kKiB;
constexpr std::uint64_t kChunks = 2;

// One stream's way along one axis. A bundle travels `reach` places on a closed stream, to the end on an open one.
class GatherStream {
 public:
  GatherStream(Device& chip, const Stream& stream, std::uint64_t reach, const GatherPhase& phase,
               const GatherResources& own)
      : chip_(chip), stream_(stream), reach_(reach), phase_(phase), own_(own) {}

  Task run() {
    const std::uint64_t receives = stream_.closed ? reach_ : stream_.position;
    const std::uint64_t sends = stream_.closed ? reach_ : (stream_.next ? stream_.position + 1 : 0);
    Bytes sent = 0;
    for (std::uint64_t step = 0; step < std::max(sends, receives + 1); ++step) {
      for (std::uint64_t c = 0; c < own_.chunks; ++c) {
        // What the step before has brought. The neighbour's bundle may differ from ours by an element.
        if (step > 0) co_await chip_.wait(own_.recv[(step - 1) * own_.chunks + c], bytes(step, c));
        if (step >= sends) continue;
        send(step, c);
        sent += bytes(step, c);
      }
    }
    co_await chip_.wait(own_.send, sent);
  }

 private:
  // What the chip `back` places before this one has sent out.
  [[nodiscard]] const Pieces& bundle(std::uint64_t back) const {
    return phase_.bundles[stream_.coordinate(stream_.before(back))];
  }
  [[nodiscard]] Range share(std::uint64_t back) const { return stream_.share(bundle(back).packed()); }
  [[nodiscard]] Range chunk(std::uint64_t back, std::uint64_t c) const { return share(back).part(c, own_.chunks); }
  [[nodiscard]] Bytes bytes(std::uint64_t back, std::uint64_t c) const {
    return chunk(back, c).size() * tensor_core::size_of(phase_.out.type);
  }

  void send(std::uint64_t step, std::uint64_t c) {
    bundle(step).for_each_tile(chunk(step, c), phase_.out, [&](const Tile& to, Range packed) {
      const Tile from = step == 0 && phase_.own ? phase_.own->slice(chunk(0, c)).slice(packed) : to;
      chip_.start_remote_copy(
          {.src = from, .dst = to, .to = *stream_.next, .send = own_.send, .recv = own_.recv[step * own_.chunks + c]});
    });
  }

  Device& chip_;
  const Stream stream_;
  const std::uint64_t reach_;
  const GatherPhase& phase_;
  const GatherResources own_;
};

}  // namespace

// Streams refer to `phase`.
struct AllGather::AxisWork {
  GatherPhase phase;
  std::vector<GatherStream> streams;
};

AllGather::~AllGather() = default;

AllGather::AllGather(Device& chip, const Layout& layout, const GatherOptions& options, Buffer shard, Buffer out)
    : chip_(chip),
      shard_(shard),
      place_(out.slice(layout.own())),
      placed_(chip.allocate().dma_semaphores("own_shard", 1)[0]) {
  Allocator& allocate = chip.allocate();
  const Group& group = layout.group();
  for (unsigned i = 0; i < group.axes(); ++i) {
    AxisWork& work = axes_.emplace_back();
    work.phase.out = out;
    // The first axis sends from `shard` itself, later ones from `out`.
    if (i == 0 && shard.address != place_.address) work.phase.own = shard;
    for (std::uint64_t c = 0; c < group.axis_size(i); ++c) work.phase.bundles.push_back(layout.bundle(i, c));
    for (Stream stream : streams(group.ring(i), options.directions)) {
      std::uint64_t reach = stream.size - 1;
      if (options.shares == GatherShares::kWhole && stream.parts == 2) {
        reach = (stream.size - (stream.reversed ? 1 : 0)) / 2;  // both together reach every other chip
        stream.part = 0;
        stream.parts = 1;
      }
      GatherResources own;
      own.send = allocate.dma_semaphores("gather_send", 1)[0];
      const Bytes share = layout.largest_bundle(i) / stream.parts * tensor_core::size_of(out.type);
      own.chunks = options.chunks;
      if (own.chunks == 0) own.chunks = share < kSmallestInChunks ? 1 : kChunks;
      own.recv = allocate.dma_semaphores("gather_recv", (stream.size - 1) * own.chunks);
      work.streams.emplace_back(chip, stream, reach, work.phase, own);
    }
  }
}

Task AllGather::run() {
  if (axes_.empty() && shard_.address != place_.address) co_await chip_.start_copy(shard_, place_, placed_);
  for (AxisWork& work : axes_) co_await run_axis(work);
}

Task AllGather::run_axis(AxisWork& work) {
  std::vector<Token> tokens;
  for (GatherStream& stream : work.streams) tokens.push_back(chip_.spawn(stream.run()));
  // Behind the first sends, which the neighbours wait for.
  if (work.phase.own) co_await chip_.start_copy(shard_, place_, placed_);
  for (Token& token : tokens) co_await token;
}

}  // namespace podsim::firmware
