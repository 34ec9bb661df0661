// A step that is a sequence: each chip makes one call after the other with nothing in between, and not all chips need
// make the same ones, or in the same order. Every call has buffers of its own, and an equal share of the chip's
// semaphores and scratch memory, so that a chip that leaves a call out uses the same places for the others.
//
// A call with a name has a token of that name; if it is started (`async`), `done` waits for it.
#pragma once

#include "firmware/device/device.h"
#include "platform/run/step.h"

namespace podsim::run {

// Gives the calls of a sequence their numbers: the same call by chips that have not made it yet is the same. Barrier
// semaphores go by them.
void number_calls(std::vector<SequenceCall>& calls, std::uint32_t chips);
// How many there are; pauses don't count.
[[nodiscard]] unsigned calls_in(const std::vector<SequenceCall>& sequence);
// The call of that name, or null.
[[nodiscard]] const SequenceCall* find_call(const std::vector<SequenceCall>& sequence, const std::string& name);

struct CallBuffers {
  firmware::Buffer in;
  firmware::Buffer out;
};

// The program of one chip. `buffers`: of each call, by number. Call after the buffers have been allocated; `step`
// outlives the program.
[[nodiscard]] firmware::Task run_sequence(firmware::Device& chip, const Step& step, std::vector<CallBuffers> buffers);

}  // namespace podsim::run
