// Configuration of the scalar core, which runs firmware.
#pragma once

#include "models/kernel/units.h"

namespace podsim::scalar_core {

struct ScalarCoreConfig {
  Frequency clock{940'000'000};  // one bus word a cycle
  unsigned contexts = 32;        // programs in progress at once: the main program and the tasks that it spawns
  // From a collective's call to its first instruction: fitted to measurements where there are any.
  Duration collective_launch{0};
  unsigned wake_cycles = 4;  // from a semaphore's answer to the waiting program's next instruction
};

}  // namespace podsim::scalar_core
