#include "firmware/programs/programs.h"

#include <array>
#include <vector>

#include "firmware/programs/copies.h"
#include "firmware/programs/failures/failures.h"
#include "firmware/programs/send_waits_for_recv.h"

namespace podsim::firmware {

namespace {

std::vector<Program>& all_programs() {
  static std::vector<Program> programs{
      {"local_copy", "each chip copies a buffer within its HBM", &local_copy, true},
      {"host_offload", "each chip sends a buffer to its host's memory and fetches it back", &host_offload, true},
      {"vector_pass", "each chip's vector unit goes over a buffer in HBM once", &vector_pass, true},
      {"send_waits_for_recv", "a deadlock: neighbours each wait for the other's data before they send their own",
       &send_waits_for_recv, false},
      {"no_capacity_semaphore", "a hazard: nothing tells a faster neighbour that a slot is still in use",
       &failures::no_capacity_semaphore, false},
      {"source_reused", "a hazard: a buffer is overwritten while it is being sent", &failures::source_reused, false},
      {"receive_read_early", "a hazard: received data is used before it has arrived", &failures::receive_read_early,
       false},
      {"signal_before_data", "a hazard: a signal overtakes the data that it speaks of", &failures::signal_before_data,
       false},
      {"two_copies_one_semaphore", "a hazard: two copies count on one semaphore, and one is waited for",
       &failures::two_copies_one_semaphore, false},
      {"two_writers", "a hazard: two chips write to the same place", &failures::two_writers, false},
      {"uninitialised_scratch", "a hazard: a sum begins with memory that nobody has written",
       &failures::uninitialised_scratch, false},
      {"beyond_the_buffer", "a hazard: the last block reaches beyond the buffer", &failures::beyond_the_buffer, false},
      {"single_barrier", "a hazard: two kernels with a barrier of one round between them", &failures::single_barrier,
       false},
      {"wrong_neighbour", "a deadlock: one chip sends the wrong way", &failures::wrong_neighbour, false},
      {"wrong_count", "a deadlock: more bytes are waited for than are sent", &failures::wrong_count, false},
      {"rank_order_ring", "a deadlock: sends go round the ring, receives by the number of the chip",
       &failures::rank_order_ring, false},
      {"second_turn", "a deadlock: a slot is freed in the first turn only", &failures::second_turn, false},
      {"three_in_a_circle", "a deadlock: three chips wait for each other in a circle", &failures::three_in_a_circle,
       false},
      {"task_waits_for_parent", "a deadlock: a task waits for its parent, which waits for the task",
       &failures::task_waits_for_parent, false},
      {"missing_signal", "a deadlock: one chip leaves its signal out", &failures::missing_signal, false},
      {"polls_forever", "a livelock: a semaphore that nobody raises is polled", &failures::polls_forever, false},
      {"signals_forever", "a livelock: two chips signal each other without end", &failures::signals_forever, false},
      {"unwaited_copy", "semaphores left over: nobody waits for a copy", &failures::unwaited_copy, false},
      {"signal_once_too_often", "semaphores left over: a signal after the last turn", &failures::signal_once_too_often,
       false},
      {"not_rearmed", "a hazard: a semaphore is not back at zero when its program is played again",
       &failures::not_rearmed, false},
      {"looks_instead_of_waiting", "wrong data: a result that depends on who is faster",
       &failures::looks_instead_of_waiting, false},
      {"wrong_half", "wrong data: half of a buffer is copied to the wrong place", &failures::wrong_half, true},
  };
  return programs;
}

}  // namespace

Task start(const Program& program, Device& chip, ProgramCall call) {
  if (program.run_call != nullptr) return program.run_call(chip, std::move(call));
  return program.run(chip, call.in, call.out);
}

std::span<const Program> programs() { return all_programs(); }

void add_programs(std::span<const Program> programs) {
  all_programs().insert(all_programs().end(), programs.begin(), programs.end());
}

const Program& host_copy_program() {
  static constexpr Program kHostCopy{"host_copy", "each chip copies a buffer to or from its host's memory", &local_copy,
                                     true};
  return kHostCopy;
}

const Program* find_program(std::string_view name) {
  for (const Program& program : programs()) {
    if (program.name == name) return &program;
  }
  return nullptr;
}

}  // namespace podsim::firmware
