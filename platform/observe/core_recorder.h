// Records the commands of a chip's TensorCores: one lane for the matrix units of a core and one for its vector unit.
#pragma once

#include <array>
#include <vector>

#include "platform/chip/chip.h"
#include "platform/observe/recording.h"
#include "platform/observe/semaphore_recorder.h"

namespace podsim::observe {

class CoreRecorder {
 public:
  // Listens to the chip, which must not outlive the recorder.
  CoreRecorder(Recording& recording, chip::Chip& chip, SemaphoreRecorder& semaphores);

  // A program writes a command.
  void command_written(unsigned core, const tensor_core::Command& command, SpanId thread, Picoseconds when);
  void reset();
  void finish(Picoseconds now);

 private:
  struct Command {
    tensor_core::Command command;
    SpanId thread = kNone;
    Picoseconds asked = -1;
    Picoseconds started = 0;
    unsigned track = 0;
  };
  struct Unit {
    LaneSet* lane = nullptr;
    Fifo<Command> written;
    Fifo<Command> running;  // in order
    Picoseconds busy = 0;   // of the unit's arithmetic, as its core has counted it so far
  };
  struct Core {
    std::array<Unit, 2> units;  // matrix, vector
  };

  void told(unsigned core, const tensor_core::CommandEvent& event);
  void add(Unit& unit, const Command& command, Picoseconds end, Picoseconds arithmetic, bool whole);

  Recording& recording_;
  chip::Chip& chip_;
  SemaphoreRecorder& semaphores_;
  std::vector<Core> cores_;
};

}  // namespace podsim::observe
