// The order in which a program executes the instructions of a module.
#pragma once

#include <cstddef>
#include <vector>

namespace podsim::firmware {

struct Slot {
  enum class Kind {
    kRun,    // executes the instruction; the program goes on when it has ended
    kStart,  // starts it, and goes on
    kDone,   // waits for its end
  };
  Kind kind = Kind::kRun;
  std::size_t instruction = 0;

  friend bool operator==(const Slot&, const Slot&) = default;
};

using Order = std::vector<Slot>;

}  // namespace podsim::firmware
