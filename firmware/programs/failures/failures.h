// Programs that go wrong, each in one way that people have met: small enough to see at a glance what is missing.
// configs/runs/failures/ runs them. All take the pod's chips as one ring, in the order of their numbers.
#pragma once

#include "firmware/device/device.h"

namespace podsim::firmware::failures {

// Hazards: accesses in no order (hazards.cpp).
Task no_capacity_semaphore(Device& chip, Buffer in, Buffer out);
Task source_reused(Device& chip, Buffer in, Buffer out);
Task receive_read_early(Device& chip, Buffer in, Buffer out);
Task signal_before_data(Device& chip, Buffer in, Buffer out);
Task two_copies_one_semaphore(Device& chip, Buffer in, Buffer out);
Task two_writers(Device& chip, Buffer in, Buffer out);
Task uninitialised_scratch(Device& chip, Buffer in, Buffer out);
Task beyond_the_buffer(Device& chip, Buffer in, Buffer out);
Task single_barrier(Device& chip, Buffer in, Buffer out);

// Hangs (hangs.cpp).
Task wrong_neighbour(Device& chip, Buffer in, Buffer out);
Task wrong_count(Device& chip, Buffer in, Buffer out);
Task rank_order_ring(Device& chip, Buffer in, Buffer out);
Task second_turn(Device& chip, Buffer in, Buffer out);
Task three_in_a_circle(Device& chip, Buffer in, Buffer out);
Task task_waits_for_parent(Device& chip, Buffer in, Buffer out);
Task missing_signal(Device& chip, Buffer in, Buffer out);
Task polls_forever(Device& chip, Buffer in, Buffer out);
Task signals_forever(Device& chip, Buffer in, Buffer out);

// Semaphores that are not back at zero, and wrong data (leftovers.cpp).
Task unwaited_copy(Device& chip, Buffer in, Buffer out);
Task signal_once_too_often(Device& chip, Buffer in, Buffer out);
Task not_rearmed(Device& chip, Buffer in, Buffer out);
Task wrong_half(Device& chip, Buffer in, Buffer out);
Task looks_instead_of_waiting(Device& chip, Buffer in, Buffer out);

// The chips before and after a chip.
[[nodiscard]] inline ChipId next_chip(const Device& chip, std::uint32_t by = 1) {
  return static_cast<ChipId>((podsim::index(chip.id()) + by) % chip.torus().chips());
}
[[nodiscard]] inline ChipId previous_chip(const Device& chip) { return next_chip(chip, chip.torus().chips() - 1); }

}  // namespace podsim::firmware::failures
