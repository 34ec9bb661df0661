// Executes a module on one chip, slot by slot. Kernels run in the program itself. Transfers are tasks beside it, which
// contend for the chip's memory, DMA engines, vector unit and links as whatever runs on it does.
//
// Transfers that are under way together have a lane each: scratch memory and semaphores of their own, which the next
// one in the lane uses again. Kernels have one too. Lanes, like places, are the same on every chip.
#pragma once

#include <vector>

#include "firmware/device/device.h"
#include "firmware/module/module.h"

namespace podsim::firmware {

// Where results lie, the same on every chip: by instruction. `scratch` is for results that have to be laid out anew: as
// many elements as the whole of a collective along an inner dimension has.
struct Place {
  Buffer result;
  Buffer before, after;  // scratch of a collective, if it needs it
};
using Placement = std::vector<Place>;

// Whether a collective needs its operand, or its result, laid out anew.
[[nodiscard]] bool lays_out_before(const Instruction& instruction);
[[nodiscard]] bool lays_out_after(const Instruction& instruction);

// The lane of each transfer: the first that is free when it starts. By instruction; and how many there are.
//
// A collective's barrier semaphore is its own while it is under way, and only collectives among the same chips use it
// again: a chip that is ahead, and already at a collective with others, must not be taken for a neighbour.
struct Lanes {
  std::vector<unsigned> of;
  unsigned count = 0;
  std::vector<std::uint32_t> barrier;  // by instruction: a collective's collective_id
  std::uint32_t barriers = 0;
};
[[nodiscard]] Lanes lanes_of(const Module& module, const Order& order);

// What it took on one chip. Times are the pod's.
struct Execution {
  struct Interval {
    Picoseconds begin = 0, end = 0;
    [[nodiscard]] Picoseconds length() const { return end - begin; }
  };
  struct Transfer {
    Picoseconds issued = 0;   // the program has started it
    Picoseconds started = 0;  // it had a context of the core
    Picoseconds finished = 0;
    Picoseconds waited = 0;  // the program's time until it went on
  };
  Picoseconds begin = 0, end = 0;
  std::size_t at = 0;               // the slot that the program is in
  std::vector<Interval> slots;      // one after the other, without a gap
  std::vector<Transfer> transfers;  // by instruction
};

// The chip's program. Everything outlives it.
[[nodiscard]] Task execute(Device& chip, const Module& module, const Order& order, const Placement& places,
                           const Lanes& lanes, Execution& record);

}  // namespace podsim::firmware
