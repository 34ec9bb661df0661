// What a module's run came to.
#pragma once

#include <memory>
#include <vector>

#include "platform/run/module_plan.h"
#include "platform/stall/cause.h"

namespace podsim::run {

// Where the time of a chip's program went: compute, communication, host and issue add up to the whole.
struct StepBreakdown {
  // What it would have been on an idle pod with all chips in step, and what contention and other chips added.
  struct Part {
    Picoseconds alone = 0;
    Picoseconds slowed = 0;
    [[nodiscard]] Picoseconds all() const { return alone + slowed; }
  };
  Part compute;           // in kernels
  Part communication;     // waiting for collectives, and for copies within the chip: exposed
  Part host;              // waiting for copies from and to the host: exposed
  Picoseconds issue = 0;  // starting transfers
  Picoseconds total = 0;
  // All of communication and all of host once more, by what held up what was waited for (stall/stall_watch.h).
  stall::Stalls communication_stalls;
  stall::Stalls host_stalls;
};

// A transfer on the chip on which it was exposed longest.
struct TransferFigures {
  std::size_t instruction = 0;
  ChipId chip{};
  Picoseconds issued = 0;   // since the program began
  Picoseconds started = 0;  // later than issued, if it had to wait for a context of the core
  Picoseconds finished = 0;
  Picoseconds exposed = 0;  // the program's time that it cost: its start, and the wait at its done
  Picoseconds hidden = 0;   // the rest of it
  stall::Stalls stalls;     // what the wait at its done was for
};

struct ModuleResult {
  firmware::Module module;  // with the tiles of its kernels
  ScheduleOptions options;
  Durations durations;
  ModulePlan plan;
  Picoseconds found_took = 0;  // an order that latency_hiding found and that took longer than the one written; else 0
  std::vector<firmware::Execution> chips;
  std::vector<std::vector<stall::Stalls>> stalls;  // by chip and slot: what a done waited for

  [[nodiscard]] StepBreakdown breakdown(ChipId chip) const;
  // The chip whose program took longest.
  [[nodiscard]] ChipId slowest() const;
  [[nodiscard]] std::vector<TransferFigures> transfers() const;
};

}  // namespace podsim::run
