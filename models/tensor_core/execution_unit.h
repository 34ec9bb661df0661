// A unit that carries out commands, one at a time: the vector unit, one of the matrix unit's two passes. A unit owns no
// timer. It says when it wants to go on, and its lane (command_lane.h) calls it then; so units are plain classes.
#pragma once

#include "models/kernel/units.h"
#include "models/tensor_core/tensor_core_registers.h"

namespace podsim::tensor_core {

struct Progress {
  enum class State : std::uint8_t {
    kGoOn,      // call step() at time `at`
    kBlocked,   // call step() when the command before this one has written its last
    kFinished,  // the last write is visible at time `at`
    kFailed,    // memory refused an access; the command is over
  };
  State state = State::kFailed;
  Picoseconds at = 0;
};

class ExecutionUnit {
 public:
  virtual Progress begin(const Command& command, Picoseconds now) = 0;
  virtual Progress step(Picoseconds now) = 0;
  // Whether the next command may begin on the lane's next unit while this one still drains and writes.
  [[nodiscard]] virtual bool admits_successor() const { return false; }

 protected:
  ~ExecutionUnit() = default;
};

}  // namespace podsim::tensor_core
