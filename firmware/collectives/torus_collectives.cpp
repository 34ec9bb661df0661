#include "firmware/collectives/torus_collectives.h"

#include <algorithm>
#include <list>
#include <vector>

namespace podsim::firmware {

namespace {

unsigned colours(const Group& group) { return std::max(1u, group.axes()); }

// Runs the colours side by side. All of them exist before the first one starts.
template <class Colour>
Task run_all(Device& chip, std::list<Colour>& colours, Task (Colour::*run)() = &Colour::run) {
  std::vector<Token> tokens;
  for (Colour& colour : colours) tokens.push_back(chip.spawn((colour.*run)()));
  for (Token& token : tokens) co_await token;
}

// Colour `d` of `n` of a range that `members` will share out: a whole number of elements for each of them, as far as
// there are enough, so that all members' shards are alike.
Range colour_part(Range range, unsigned d, unsigned n, std::uint64_t members) {
  if (range.size() % members != 0) return range.part(d, n);
  const Range own = colour_of({0, range.size() / members}, d, n);
  return {range.first + own.first * members, range.first + own.last * members};
}

class Broadcast {
 public:
  Broadcast(Device& chip, const Layout& layout, ChipId root, Directions directions, Buffer in, Buffer out)
      : scatter_(chip, layout, root, {in, out, out.slice(layout.own())}),
        gather_(chip, layout, {.directions = directions}, out.slice(layout.own()), out) {}
  Task run() {
    co_await scatter_.scatter();
    co_await gather_.run();
  }

 private:
  Relays scatter_;
  AllGather gather_;
};

}  // namespace

AllReduce::AllReduce(Device& chip, const Group& group, const ReduceOptions& options, Buffer in, Buffer out)
    : AllReduce(chip, Layout(group, in.elements), options, in, out) {}

AllReduce::AllReduce(Device& chip, const Layout& layout, const ReduceOptions& options, Buffer in, Buffer out)
    : reduce_(chip, layout, options, in, out.slice(layout.own())),
      gather_(chip, layout, {.directions = options.directions, .chunks = options.chunks}, out.slice(layout.own()),
              out) {}

Task AllReduce::run() {
  co_await reduce_.run();
  co_await gather_.run();
}

Task torus_all_gather(Device& chip, Group group, GatherOptions options, Buffer shard, Buffer out) {
  const unsigned n = colours(group);
  std::list<AllGather> running;
  for (unsigned d = 0; d < n; ++d) {
    running.emplace_back(chip, Layout(group, out.elements, d, n), options, shard.slice(colour_of(shard.all(), d, n)),
                         out);
  }
  co_await run_all(chip, running);
}

Task torus_reduce_scatter(Device& chip, Group group, ReduceOptions options, Buffer in, Buffer shard) {
  const unsigned n = colours(group);
  options.vmem /= n;
  std::list<ReduceScatter> running;
  for (unsigned d = 0; d < n; ++d) {
    running.emplace_back(chip, Layout(group, in.elements, d, n), options, in,
                         shard.slice(colour_of(shard.all(), d, n)));
  }
  co_await run_all(chip, running);
}

Task torus_all_reduce(Device& chip, Group group, ReduceOptions options, Buffer in, Buffer out) {
  const unsigned n = colours(group);
  options.vmem /= n;
  std::list<AllReduce> running;
  for (unsigned d = 0; d < n; ++d) {
    const Range part = colour_part(in.all(), d, n, group.size());
    running.emplace_back(chip, group.rotated(d), options, in.slice(part), out.slice(part));
  }
  co_await run_all(chip, running);
}

Task scatter(Device& chip, Group group, unsigned colours, std::uint64_t root, Buffer in, Buffer shard,
             std::uint64_t elements) {
  const Buffer room = chip.allocate().hbm(elements, shard.type);
  std::list<Relays> running;
  for (unsigned d = 0; d < colours; ++d) {
    running.emplace_back(chip, Layout(group, elements, d, colours), group.member(root),
                         Relays::Buffers{in, room, shard.slice(colour_of(shard.all(), d, colours))});
  }
  co_await run_all(chip, running, &Relays::scatter);
}

Task gather(Device& chip, Group group, unsigned colours, std::uint64_t root, Buffer shard, Buffer out,
            std::uint64_t elements) {
  const Buffer room = chip.allocate().hbm(elements, shard.type);
  std::list<Relays> running;
  for (unsigned d = 0; d < colours; ++d) {
    running.emplace_back(chip, Layout(group, elements, d, colours), group.member(root),
                         Relays::Buffers{out, room, shard.slice(colour_of(shard.all(), d, colours))});
  }
  co_await run_all(chip, running, &Relays::gather);
}

Task broadcast(Device& chip, Group group, unsigned colours, std::uint64_t root, Directions directions, Buffer in,
               Buffer out) {
  std::list<Broadcast> running;
  for (unsigned d = 0; d < colours; ++d) {
    const Group rotated = group.rotated(d);
    const Layout layout(rotated, out.all().part(d, colours).size());
    running.emplace_back(chip, layout, group.member(root), directions, in.slice(out.all().part(d, colours)),
                         out.shard(d, colours));
  }
  co_await run_all(chip, running);
}

}  // namespace podsim::firmware
