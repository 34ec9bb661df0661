// A unit that carries out commands, one at a time: the vector unit, the matrix unit. A unit owns no timer. It says when
// it wants to go on, and the core calls it then; so units are plain classes.
#pragma once

#include "models/kernel/units.h"
#include "models/tensor_core/tensor_core_registers.h"

namespace podsim::tensor_core {

struct Progress {
  enum class State : std::uint8_t {
    kGoOn,      // call step() at time `at`
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

 protected:
  ~ExecutionUnit() = default;
};

}  // namespace podsim::tensor_core
