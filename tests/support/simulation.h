// Fixture for tests that simulate: an event queue, time helpers, and a limit on simulated time so that no test hangs.
// ctest runs each case in its own process, because SystemC elaborates once per process.
#pragma once

#include <gtest/gtest.h>

#include "models/kernel/event_queue.h"

namespace podsim::testing {

class Simulation : public ::testing::Test {
 protected:
  // Runs until nothing is left to happen, and fails the test if that takes more than a second of simulated time.
  void run() {
    sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_SEC), sc_core::SC_EXIT_ON_STARVATION);
    EXPECT_EQ(queue.pending(), 0u) << "the simulation did not come to rest within a simulated second";
  }
  void run_until(Picoseconds time) {
    sc_core::sc_start(sc_core::sc_time::from_value(static_cast<std::uint64_t>(time - queue.now())));
  }
  [[nodiscard]] Picoseconds now() const { return queue.now(); }

  kernel::EventQueue queue{"queue"};
};

}  // namespace podsim::testing
