#include "firmware/collectives/barrier.h"
#include "firmware/programs/failures/failures.h"

namespace podsim::firmware::failures {

namespace {
std::vector<ChipId> both_neighbours(const Device& chip) { return {previous_chip(chip), next_chip(chip)}; }
}  // namespace

// Each chip passes what it has received on to the next, through one slot. Nothing tells the chip before that the slot
// is free again: a capacity semaphore is missing.
Task no_capacity_semaphore(Device& chip, Buffer in, Buffer out) {
  constexpr unsigned kSteps = 3;
  const Buffer slot = chip.allocate().hbm(in.elements, in.type);
  const auto recv = chip.allocate().dma_semaphores("recv", kSteps);
  const DmaSemaphore sent = chip.allocate().dma_semaphores("sent", 1)[0];
  const DmaSemaphore copied = chip.allocate().dma_semaphores("copied", 1)[0];
  const std::vector<ChipId> neighbours(both_neighbours(chip));
  co_await barrier(chip, neighbours, 0, chip.allocate().regular_semaphores("second_round", 1)[0]);
  for (unsigned step = 0; step < kSteps; ++step) {
    chip.start_remote_copy({.src = in, .dst = slot, .to = next_chip(chip), .send = sent, .recv = recv[step]});
    co_await chip.wait(sent, in.bytes());
    co_await chip.wait(recv[step], slot.bytes());
    co_await chip.start_copy(slot, out, copied);
  }
}

// The result overwrites the buffer that is still being sent: the send semaphore is waited for too late.
Task source_reused(Device& chip, Buffer in, Buffer out) {
  const auto semaphores = chip.allocate().dma_semaphores("copy", 3);
  const RemoteCopy copy = chip.start_remote_copy(
      {.src = in, .dst = out, .to = next_chip(chip), .send = semaphores[0], .recv = semaphores[1]});
  co_await chip.start_zero(in, semaphores[2]);
  co_await copy;
}

// What the neighbour sends is passed on before its receive semaphore has been waited for.
Task receive_read_early(Device& chip, Buffer in, Buffer out) {
  const auto semaphores = chip.allocate().dma_semaphores("copy", 3);
  const Buffer landing = chip.allocate().hbm(in.elements, in.type);
  const RemoteCopy copy = chip.start_remote_copy(
      {.src = in, .dst = landing, .to = next_chip(chip), .send = semaphores[0], .recv = semaphores[1]});
  co_await copy.wait_send();
  co_await chip.start_copy(landing, out, semaphores[2]);
  co_await copy.wait_recv();
}

// Chip 0 sends data, and a signal behind it that says that the data is there. Nothing promises that they arrive in this
// order.
Task signal_before_data(Device& chip, Buffer in, Buffer out) {
  const auto semaphores = chip.allocate().dma_semaphores("copy", 3);
  const RegularSemaphore ready = chip.allocate().regular_semaphores("ready", 1)[0];
  const Buffer landing = chip.allocate().hbm(in.elements, in.type);
  if (podsim::index(chip.id()) == 0) {
    chip.start_remote_copy(
        {.src = in, .dst = landing, .to = next_chip(chip), .send = semaphores[0], .recv = semaphores[1]});
    chip.signal(ready, next_chip(chip));
    co_await chip.wait(semaphores[0], in.bytes());
  }
  if (podsim::index(chip.id()) != 1) co_return;
  co_await chip.wait(ready);
  co_await chip.start_copy(landing, out, semaphores[2]);
  co_await chip.wait(semaphores[1], landing.bytes());
}

// Two halves arrive on one semaphore, and the first is used when as many bytes as it has are there. They may be those
// of the second.
Task two_copies_one_semaphore(Device& chip, Buffer in, Buffer out) {
  const auto semaphores = chip.allocate().dma_semaphores("copy", 3);
  const Buffer landing = chip.allocate().hbm(in.elements, in.type);
  for (unsigned half = 0; half < 2; ++half) {
    chip.start_remote_copy({.src = in.shard(half, 2),
                            .dst = landing.shard(half, 2),
                            .to = next_chip(chip),
                            .send = semaphores[0],
                            .recv = semaphores[1]});
  }
  for (unsigned half = 0; half < 2; ++half) {
    co_await chip.wait(semaphores[1], landing.shard(half, 2).bytes());
    co_await chip.start_copy(landing.shard(half, 2), out.shard(half, 2), semaphores[2]);
  }
  co_await chip.wait(semaphores[0], in.bytes());
}

// Chips 0 and 2 both send to the same place of chip 1.
Task two_writers(Device& chip, Buffer in, Buffer out) {
  const auto semaphores = chip.allocate().dma_semaphores("copy", 2);
  const std::uint32_t self = podsim::index(chip.id());
  if (self == 0 || self == 2) {
    co_await chip
        .start_remote_copy({.src = in, .dst = out, .to = ChipId{1}, .send = semaphores[0], .recv = semaphores[1]})
        .wait_send();
  }
  if (self == 1) co_await chip.wait(semaphores[1], 2 * out.bytes());
}

// A running sum begins with whatever the memory happens to hold.
Task uninitialised_scratch(Device& chip, Buffer in, Buffer out) {
  const DmaSemaphore added = chip.allocate().dma_semaphores("added", 1)[0];
  const Buffer sum = chip.allocate().vmem(in.elements, in.type);
  co_await chip.start_vector(Opcode::kAdd, in, sum, sum, added);
  co_await chip.start_copy(sum, out, added);
}

// The last block is taken to be as long as the others, and reaches into the memory behind the buffer.
Task beyond_the_buffer(Device& chip, Buffer in, Buffer out) {
  constexpr std::uint64_t kBlocks = 3;
  const DmaSemaphore copied = chip.allocate().dma_semaphores("copied", 1)[0];
  const std::uint64_t block = (in.elements + kBlocks - 1) / kBlocks + 1;
  for (std::uint64_t i = 0; i < kBlocks; ++i) {
    co_await chip.start_copy(in.slice({i * block, (i + 1) * block}), out.slice({i * block, (i + 1) * block}), copied);
  }
}

// Kernels one after the other, and before each of them a barrier among neighbours of one round only. A fast neighbour's
// signal for the next barrier can pass for a slow one's for this: then a kernel writes into a neighbour that is still
// at work on the one before.
Task single_barrier(Device& chip, Buffer in, Buffer out) {
  constexpr unsigned kKernels = 4;
  const BarrierSemaphore here = chip.allocate().barrier_semaphore(0);
  const DmaSemaphore sent = chip.allocate().dma_semaphores("sent", 1)[0];
  const auto recv = chip.allocate().dma_semaphores("recv", kKernels);
  const DmaSemaphore copied = chip.allocate().dma_semaphores("copied", 1)[0];
  const Buffer slot = chip.allocate().hbm(in.elements, in.type);
  for (unsigned kernel = 0; kernel < kKernels; ++kernel) {
    chip.signal(here, previous_chip(chip));
    chip.signal(here, next_chip(chip));
    co_await chip.wait(here, 2);
    chip.start_remote_copy({.src = in, .dst = slot, .to = next_chip(chip), .send = sent, .recv = recv[kernel]});
    co_await chip.wait(sent, in.bytes());
    co_await chip.wait(recv[kernel], slot.bytes());
    co_await chip.start_copy(slot, out, copied);
  }
}

}  // namespace podsim::firmware::failures
