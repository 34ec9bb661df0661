#include "firmware/programs/failures/failures.h"

namespace podsim::firmware::failures {

// Nobody waits for what the neighbour has sent.
Task unwaited_copy(Device& chip, Buffer in, Buffer out) {
  const auto semaphores = chip.allocate().dma_semaphores("copy", 2);
  co_await chip
      .start_remote_copy({.src = in, .dst = out, .to = next_chip(chip), .send = semaphores[0], .recv = semaphores[1]})
      .wait_send();
}

// A capacity signal after the last turn too, where nobody waits for it any more.
Task signal_once_too_often(Device& chip, Buffer in, Buffer out) {
  constexpr unsigned kTurns = 3;
  const auto semaphores = chip.allocate().dma_semaphores("copy", 2);
  const RegularSemaphore capacity = chip.allocate().regular_semaphores("capacity", 1)[0];
  for (unsigned turn = 0; turn < kTurns; ++turn) {
    if (turn > 0) co_await chip.wait(capacity);
    co_await chip.start_remote_copy(
        {.src = in, .dst = out, .to = next_chip(chip), .send = semaphores[0], .recv = semaphores[1]});
    chip.signal(capacity, previous_chip(chip));
  }
}

// A program that is played twice on the same semaphores, as a recorded step is. It waits for less than it is sent, so
// the second turn finds the rest of the first and does not wait for its own data.
Task not_rearmed(Device& chip, Buffer in, Buffer out) {
  const auto semaphores = chip.allocate().dma_semaphores("copy", 3);
  const Buffer landing = chip.allocate().hbm(2 * in.elements, in.type);
  for (unsigned turn = 0; turn < 2; ++turn) {
    const Buffer half = landing.shard(turn, 2);
    chip.start_remote_copy(
        {.src = in, .dst = half, .to = next_chip(chip), .send = semaphores[0], .recv = semaphores[1]});
    co_await chip.wait(semaphores[0], in.bytes());
    co_await chip.wait(semaphores[1], half.bytes() / 2);
    if (turn == 1) co_await chip.start_copy(half, out, semaphores[2]);
  }
  co_await chip.wait(semaphores[1], in.bytes());
}

// The second half of the result is the first half of the source.
Task wrong_half(Device& chip, Buffer in, Buffer out) {
  const DmaSemaphore copied = chip.allocate().dma_semaphores("copied", 1)[0];
  co_await chip.start_copy(in.shard(0, 2), out.shard(0, 2), copied);
  co_await chip.start_copy(in.shard(0, 2), out.shard(1, 2), copied);
}

// Chip 1 looks after a while whether its neighbour's data is there, and does without if it is not. Everything is in
// order, and the result depends on how fast everybody is.
Task looks_instead_of_waiting(Device& chip, Buffer in, Buffer out) {
  const auto semaphores = chip.allocate().dma_semaphores("copy", 3);
  const Buffer landing = chip.allocate().hbm(in.elements, in.type);
  if (podsim::index(chip.id()) == 0) {
    co_await chip.start_remote_copy({in, landing, ChipId{1}, semaphores[0], semaphores[1]}).wait_send();
  }
  if (podsim::index(chip.id()) != 1) co_return;
  co_await chip.delay(20 * kPicosecondsPerMicrosecond);
  const bool is_there = co_await chip.read(semaphores[1]) >= landing.bytes();
  if (is_there) co_await chip.wait(semaphores[1], landing.bytes());
  co_await chip.start_copy(is_there ? landing : in, out, semaphores[2]);
  if (!is_there) co_await chip.wait(semaphores[1], landing.bytes());
}

}  // namespace podsim::firmware::failures
