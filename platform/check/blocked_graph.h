// Builds the graph of who waits for whom from a pod whose programs hang.
#pragma once

#include "platform/check/observers.h"
#include "platform/check/wait_for_graph.h"
#include "platform/pod/pod.h"

namespace podsim::check {

// A wait for a semaphore that has not been granted.
struct BlockedWait {
  ChipId chip{};
  firmware::TaskId task = 0;
  std::uint32_t semaphore = 0;
  std::uint64_t wanted = 0;
  std::uint64_t held = 0;
  scalar_core::ProgramPoint point{};
};

[[nodiscard]] std::vector<BlockedWait> blocked_waits(const pod::Pod& pod, const Devices& devices);

// The programs can't be run on afterwards (rehearsal.h). Without a ledger, what is under way is not told from what
// nobody has started.
[[nodiscard]] WaitForGraph blocked_graph(pod::Pod& pod, const Devices& devices, const Observers& observers);

}  // namespace podsim::check
