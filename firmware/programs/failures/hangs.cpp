#include "firmware/programs/failures/failures.h"

namespace podsim::firmware::failures {

// Each chip sends to the next, but chip 2 to itself's other side: the one after it waits for ever.
Task wrong_neighbour(Device& chip, Buffer in, Buffer out) {
  const auto semaphores = chip.allocate().dma_semaphores("copy", 2);
  const ChipId to = podsim::index(chip.id()) == 2 ? previous_chip(chip) : next_chip(chip);
  co_await chip.start_remote_copy({.src = in, .dst = out, .to = to, .send = semaphores[0], .recv = semaphores[1]});
}

// Waits for one element more than is sent.
Task wrong_count(Device& chip, Buffer in, Buffer out) {
  const auto semaphores = chip.allocate().dma_semaphores("copy", 2);
  const RemoteCopy copy = chip.start_remote_copy(
      {.src = in, .dst = out, .to = next_chip(chip), .send = semaphores[0], .recv = semaphores[1]});
  co_await copy.wait_send();
  co_await chip.wait(semaphores[1], out.bytes() + tensor_core::size_of(out.type));
}

// Sends go round the ring as it is laid, up the even rows and down the odd ones; receives are expected from the chip
// whose number is one lower.
Task rank_order_ring(Device& chip, Buffer in, Buffer out) {
  const std::uint32_t chips = chip.torus().chips();
  const std::uint32_t width = chip.torus().axis(ici::Axis{0}).size;
  const auto chip_at = [&](std::uint32_t place) {
    const std::uint32_t row = place / width;
    const std::uint32_t column = row % 2 == 0 ? place % width : width - 1 - place % width;
    return row * width + column;
  };
  const std::uint32_t self = podsim::index(chip.id());
  std::uint32_t place = 0;
  while (chip_at(place) != self) ++place;
  const auto sent = chip.allocate().dma_semaphores("sent", 1)[0];
  const auto from = chip.allocate().dma_semaphores("from", chips);  // by the sender's number
  const auto next = static_cast<ChipId>(chip_at((place + 1) % chips));
  co_await chip.start_remote_copy({.src = in, .dst = out, .to = next, .send = sent, .recv = from[self]}).wait_send();
  co_await chip.wait(from[(self + chips - 1) % chips], out.bytes());
}

// A slot is free in the beginning, and its reader says once that it is free again; from the second turn on the writer
// waits for a word that nobody gives.
Task second_turn(Device& chip, Buffer in, Buffer out) {
  const auto semaphores = chip.allocate().dma_semaphores("copy", 2);
  const RegularSemaphore free = chip.allocate().regular_semaphores("slot_free", 1)[0];
  for (unsigned turn = 0; turn < 3; ++turn) {
    if (turn > 0) co_await chip.wait(free);
    co_await chip.start_remote_copy(
        {.src = in, .dst = out, .to = next_chip(chip), .send = semaphores[0], .recv = semaphores[1]});
    if (turn == 0) chip.signal(free, previous_chip(chip));
  }
}

// Chips 0, 1 and 2 each wait for the one before them, and only then signal the next.
Task three_in_a_circle(Device& chip, Buffer, Buffer) {
  const RegularSemaphore turn = chip.allocate().regular_semaphores("turn", 1)[0];
  const std::uint32_t self = podsim::index(chip.id());
  if (self > 2) co_return;
  co_await chip.wait(turn);
  chip.signal(turn, static_cast<ChipId>((self + 1) % 3));
}

// A task waits for a signal that its parent gives after the task's end.
namespace {
Task child(Device& chip, RegularSemaphore go) { co_await chip.wait(go); }
}  // namespace
Task task_waits_for_parent(Device& chip, Buffer, Buffer) {
  const RegularSemaphore go = chip.allocate().regular_semaphores("go", 1)[0];
  Token running = chip.spawn(child(chip, go));
  co_await running;
  chip.signal(go, chip.id());
}

// All chips signal the next; chip 1 forgets to, and ends.
Task missing_signal(Device& chip, Buffer, Buffer) {
  const RegularSemaphore token = chip.allocate().regular_semaphores("token", 1)[0];
  if (podsim::index(chip.id()) != 1) chip.signal(token, next_chip(chip));
  co_await chip.wait(token);
}

// Looks at a semaphore again and again that nobody raises.
Task polls_forever(Device& chip, Buffer, Buffer) {
  const RegularSemaphore flag = chip.allocate().regular_semaphores("flag", 1)[0];
  while (co_await chip.read(flag) == 0) co_await chip.delay(10 * kPicosecondsPerNanosecond);
}

// Neighbours hand a signal to and fro without end.
Task signals_forever(Device& chip, Buffer, Buffer) {
  const RegularSemaphore ball = chip.allocate().regular_semaphores("ball", 1)[0];
  const auto partner = static_cast<ChipId>(podsim::index(chip.id()) ^ 1u);
  if (podsim::index(partner) >= chip.torus().chips()) co_return;
  if (podsim::index(chip.id()) % 2 == 0) chip.signal(ball, partner);
  for (;;) {
    co_await chip.wait(ball);
    chip.signal(ball, partner);
  }
}

}  // namespace podsim::firmware::failures
