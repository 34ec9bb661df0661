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
  DmaSemaphore send;
  SemaphoreArray<DmaSemaphore> recv;  // by step: no order is promised between two copies
};

// One stream's way along one axis. A bundle travels `reach` places on a closed stream, to the end on an open one.
class GatherStream {
 public:
  GatherStream(Device& chip, const Stream& stream, std::uint64_t reach, const GatherPhase& phase,
               const GatherResources& own)
      : chip_(chip), stream_(stream), reach_(reach), phase_(phase), own_(own) {}

  Task run() {
    const std::uint64_t receives = stream_.closed ? reach_ : stream_.position;
    const std::uint64_t sends = stream_.closed ? reach_ : (stream_.next ? stream_.position + 1 : 0);
    for (std::uint64_t step = 0; step < std::max(sends, receives); ++step) {
      if (step < sends) send(step);
      // The neighbour's bundle may differ from ours by an element.
      if (step < receives) co_await chip_.wait(own_.recv[step], bytes(step + 1));
      if (step < sends) co_await chip_.wait(own_.send, bytes(step));
    }
  }

 private:
  // What the chip `back` places before this one has sent out.
  [[nodiscard]] const Pieces& bundle(std::uint64_t back) const {
    return phase_.bundles[stream_.coordinate(stream_.before(back))];
  }
  [[nodiscard]] Range share(std::uint64_t back) const { return stream_.share(bundle(back).packed()); }
  [[nodiscard]] Bytes bytes(std::uint64_t back) const {
    return share(back).size() * tensor_core::size_of(phase_.out.type);
  }

  void send(std::uint64_t step) {
    bundle(step).for_each(share(step), [&](Range place, Range packed) {
      const Buffer to = phase_.out.slice(place);
      const Buffer from = step == 0 && phase_.own ? phase_.own->slice(share(0)).slice(packed) : to;
      chip_.start_remote_copy(
          {.src = from, .dst = to, .to = *stream_.next, .send = own_.send, .recv = own_.recv[step]});
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
      own.recv = allocate.dma_semaphores("gather_recv", stream.size - 1);
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
