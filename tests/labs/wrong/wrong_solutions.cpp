// What goes wrong when people write the labs: one function each, in a shared object that the tests hand to podsim.
#include "firmware/collectives/collective.h"
#include "firmware/labs/lab.h"

namespace podsim::firmware {
namespace {

struct Parts {
  RegularSemaphore second_round;
  DmaSemaphore placed;
  DmaSemaphore send;
  SemaphoreArray<DmaSemaphore> recv;
};

Parts parts(Device& chip, std::uint64_t recv) {
  Allocator& allocate = chip.allocate();
  return {allocate.regular_semaphores("second_round", 1)[0], allocate.dma_semaphores("placed", 1)[0],
          allocate.dma_semaphores("send", 1)[0], allocate.dma_semaphores("recv", recv)};
}

// right_permute ---------------------------------------------------------------------------------------------------

Task to_the_left(Device& chip, Ring ring, Buffer in, Buffer out) {
  const Parts own = parts(chip, 1);
  co_await barrier(chip, neighbours(ring), 0, own.second_round);
  co_await chip.start_remote_copy({.src = in, .dst = out, .to = left_of(ring), .send = own.send, .recv = own.recv[0]});
}

Task without_barrier(Device& chip, Ring ring, Buffer in, Buffer out) {
  const Parts own = parts(chip, 1);
  co_await chip.start_remote_copy({.src = in, .dst = out, .to = right_of(ring), .send = own.send, .recv = own.recv[0]});
}

Task without_wait_recv(Device& chip, Ring ring, Buffer in, Buffer out) {
  const Parts own = parts(chip, 1);
  co_await barrier(chip, neighbours(ring), 0, own.second_round);
  const RemoteCopy copy =
      chip.start_remote_copy({.src = in, .dst = out, .to = right_of(ring), .send = own.send, .recv = own.recv[0]});
  co_await copy.wait_send();
}

Task half_the_data(Device& chip, Ring ring, Buffer in, Buffer out) {
  const Parts own = parts(chip, 1);
  co_await barrier(chip, neighbours(ring), 0, own.second_round);
  co_await chip.start_remote_copy(
      {.src = in.shard(0, 2), .dst = out.shard(0, 2), .to = right_of(ring), .send = own.send, .recv = own.recv[0]});
}

Task sends_unequal_buffers(Device& chip, Ring ring, Buffer in, Buffer out) {
  const Parts own = parts(chip, 1);
  co_await barrier(chip, neighbours(ring), 0, own.second_round);
  co_await chip.start_remote_copy(
      {.src = in, .dst = out.shard(0, 2), .to = right_of(ring), .send = own.send, .recv = own.recv[0]});
}

// Right, but for the last chip: its right neighbour is not the one with the next number.
Task beyond_the_ring(Device& chip, Ring ring, Buffer in, Buffer out) {
  const Parts own = parts(chip, 1);
  co_await barrier(chip, neighbours(ring), 0, own.second_round);
  const auto to = static_cast<ChipId>(podsim::index(chip.id()) + 1);
  co_await chip.start_remote_copy({.src = in, .dst = out, .to = to, .send = own.send, .recv = own.recv[0]});
}

Task calls_the_library(Device& chip, Ring ring, Buffer in, Buffer out) {
  CollectiveCall call;
  call.kind = CollectiveKind::kCollectivePermute;
  call.type = in.type;
  call.elements = in.elements;
  for (std::size_t i = 0; i < ring.members.size(); ++i) {
    call.pairs.emplace_back(ring.members[i], ring.members[(i + 1) % ring.members.size()]);
  }
  co_await run_collective(chip, call, in, out);
}

Task crashes(Device& chip, Ring ring, Buffer, Buffer) {
  const Parts own = parts(chip, 1);
  co_await barrier(chip, neighbours(ring), 0, own.second_round);
  volatile int* nowhere = nullptr;
  *nowhere = 1;
}

Task never_ends(Device& chip, Ring ring, Buffer, Buffer) {
  const Parts own = parts(chip, 1);
  co_await barrier(chip, neighbours(ring), 0, own.second_round);
  for (volatile bool more = true; more;) {
  }
}

Task polls_without_end(Device& chip, Ring, Buffer, Buffer) {
  const Parts own = parts(chip, 1);
  while (co_await chip.read(own.recv[0]) == 0) co_await chip.delay(100 * kPicosecondsPerNanosecond);
}

// all_gather ------------------------------------------------------------------------------------------------------

Task one_semaphore_for_all_steps(Device& chip, Ring ring, Buffer in, Buffer out) {
  const std::uint64_t n = ring.members.size();
  const auto shard_from = [&](std::uint64_t back) { return out.shard((ring.position + n - back) % n, n); };
  const Parts own = parts(chip, 1);
  co_await barrier(chip, neighbours(ring), 0, own.second_round);
  co_await chip.start_copy(in, shard_from(0), own.placed);
  for (std::uint64_t step = 0; step + 1 < n; ++step) {
    const Buffer shard = shard_from(step);
    const RemoteCopy copy = chip.start_remote_copy(
        {.src = shard, .dst = shard, .to = right_of(ring), .send = own.send, .recv = own.recv[0]});
    co_await copy.wait_send();
    co_await chip.wait(own.recv[0], shard_from(step + 1).bytes());
  }
}

// Right, but in small pieces, each of which has arrived before the next one starts.
Task slow_gather(Device& chip, Ring ring, Buffer in, Buffer out) {
  constexpr std::uint64_t kPieces = 64;
  const std::uint64_t n = ring.members.size();
  const auto shard_from = [&](std::uint64_t back) { return out.shard((ring.position + n - back) % n, n); };
  const Parts own = parts(chip, (n - 1) * kPieces);
  co_await barrier(chip, neighbours(ring), 0, own.second_round);
  co_await chip.start_copy(in, shard_from(0), own.placed);
  for (std::uint64_t step = 0; step + 1 < n; ++step) {
    for (std::uint64_t i = 0; i < kPieces; ++i) {
      const DmaSemaphore recv = own.recv[step * kPieces + i];
      const Buffer piece = shard_from(step).shard(i, kPieces);
      const RemoteCopy copy =
          chip.start_remote_copy({.src = piece, .dst = piece, .to = right_of(ring), .send = own.send, .recv = recv});
      co_await copy.wait_send();
      co_await chip.wait(recv, shard_from(step + 1).shard(i, kPieces).bytes());
    }
  }
}

// exposed ---------------------------------------------------------------------------------------------------------

Task leaves_the_work_out(Device& chip, Ring ring, Buffer in, Buffer out) {
  const std::uint64_t n = ring.members.size();
  const auto shard_from = [&](std::uint64_t back) { return out.shard((ring.position + n - back) % n, n); };
  const Parts own = parts(chip, n - 1);
  co_await barrier(chip, neighbours(ring), 0, own.second_round);
  co_await chip.start_copy(in, shard_from(0), own.placed);
  for (std::uint64_t step = 0; step + 1 < n; ++step) {
    const Buffer shard = shard_from(step);
    const RemoteCopy copy = chip.start_remote_copy(
        {.src = shard, .dst = shard, .to = right_of(ring), .send = own.send, .recv = own.recv[step]});
    co_await copy.wait_send();
    co_await chip.wait(own.recv[step], shard_from(step + 1).bytes());
  }
}

}  // namespace
}  // namespace podsim::firmware

extern "C" {
using podsim::firmware::LabProgram;
LabProgram to_the_left() { return &podsim::firmware::to_the_left; }
LabProgram without_barrier() { return &podsim::firmware::without_barrier; }
LabProgram without_wait_recv() { return &podsim::firmware::without_wait_recv; }
LabProgram half_the_data() { return &podsim::firmware::half_the_data; }
LabProgram sends_unequal_buffers() { return &podsim::firmware::sends_unequal_buffers; }
LabProgram beyond_the_ring() { return &podsim::firmware::beyond_the_ring; }
LabProgram calls_the_library() { return &podsim::firmware::calls_the_library; }
LabProgram crashes() { return &podsim::firmware::crashes; }
LabProgram never_ends() { return &podsim::firmware::never_ends; }
LabProgram polls_without_end() { return &podsim::firmware::polls_without_end; }
LabProgram one_semaphore_for_all_steps() { return &podsim::firmware::one_semaphore_for_all_steps; }
LabProgram slow_gather() { return &podsim::firmware::slow_gather; }
LabProgram leaves_the_work_out() { return &podsim::firmware::leaves_the_work_out; }
}
