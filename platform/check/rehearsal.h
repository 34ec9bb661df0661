// What programs that hang would have done next. When nothing is left to happen, each blocked wait is granted in turn,
// on a bus that leads nowhere, and what the program then starts and signals is written down: so it is known who would
// have ended which wait, and what they wait for themselves. The programs can't be run on afterwards.
#pragma once

#include <map>
#include <vector>

#include "models/semaphore/semaphore_bank.h"
#include "platform/check/devices.h"
#include "platform/pod/pod.h"

namespace podsim::check {

// A semaphore would be raised.
struct Intention {
  ChipId chip{};               // by a program of this chip,
  firmware::TaskId after = 0;  // after this task of it has come through its wait,
  firmware::TaskId task = 0;   // by this one, which may be another
  std::uint64_t amount = 0;
  scalar_core::ProgramPoint point{};  // here
};

class Rehearsal {
 public:
  explicit Rehearsal(pod::Pod& pod, const Devices& devices);

  // Of one semaphore of a chip, in the order of chips and tasks.
  [[nodiscard]] const std::vector<Intention>& of(ChipId chip, std::uint32_t semaphore) const;

 private:
  class Stage;

  std::map<std::pair<ChipId, std::uint32_t>, std::vector<Intention>> intentions_;
};

}  // namespace podsim::check
