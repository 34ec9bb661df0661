// The figures of a chip by which a program may choose how to do a thing: what its configuration says in a few words.
#pragma once

#include <algorithm>

#include "firmware/device/allocator.h"
#include "platform/pod/pod_config.h"

namespace podsim::run {

[[nodiscard]] firmware::CoreFigures core_figures_of(const pod::ChipConfig& chip);

[[nodiscard]] inline firmware::Figures figures_of(const pod::ChipConfig& chip) {
  const Picoseconds cycle = chip.scalar_core.clock.time_for(1);
  // A descriptor and the waits for both its semaphores.
  const Picoseconds core = cycle * (8 + 2 * chip.scalar_core.wake_cycles);
  return {.link = chip.ici.link.bandwidth_per_direction,
          .hop = chip.ici.link.hop_latency.ps,
          .step = core + chip.dma.issue_cost.ps + chip.hbm.read_latency.ps + chip.hbm.write_latency.ps,
          .issue = chip.dma.issue_cost.ps / std::max(1u, chip.dma.engines),
          .collective_launch = chip.scalar_core.collective_launch.ps,
          .core = core_figures_of(chip)};
}

}  // namespace podsim::run
