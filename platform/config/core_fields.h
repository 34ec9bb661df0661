// YAML keys of what issues work on a chip: `scalar_core`, `dma`, `semaphores`.
#pragma once

#include "models/dma/dma_config.h"
#include "models/scalar_core/scalar_core_config.h"
#include "models/semaphore/semaphore_config.h"
#include "platform/config/fields.h"

namespace podsim::config {

template <class Visitor>
void fields(Visitor& visit, scalar_core::ScalarCoreConfig& core) {
  visit("clock", core.clock, "one bus word a cycle", required);
  visit("contexts", core.contexts, "programs in progress at once: the main one and the tasks it spawns", at_least(1));
  visit("collective_launch", core.collective_launch, "from a collective's call to its first instruction");
  visit("wake_cycles", core.wake_cycles, "from a semaphore's answer to the program's next instruction");
}

template <class Visitor>
void fields(Visitor& visit, dma::DmaConfig& dma) {
  visit("engines", dma.engines, "of the chip", at_least(1));
  visit("queue_depth", dma.queue_depth, "descriptors accepted and not yet started, per engine", at_least(1));
  visit("contexts", dma.contexts, "descriptors in progress at once, per engine", at_least(1));
  visit("urgent_contexts", dma.urgent_contexts, "more of them, for urgent copies alone");
  visit("outstanding_bursts", dma.outstanding_bursts, "of one descriptor, read and not yet accepted downstream",
        at_least(1));
  visit("engine_outstanding_bursts", dma.engine_outstanding_bursts, "of an engine's descriptors together; 0: no limit");
  visit("overtakes", dma.overtakes, "how often copies of higher priority may go before one", at_least(1));
  visit("burst", dma.burst, "unit of arbitration and of memory access", positive, at_most(ByteSize{kGiB}));
  visit("remote_burst", dma.remote_burst, "the same of copies to other chips, if that is less", positive,
        at_most(ByteSize{kGiB}));
  visit("host_burst", dma.host_burst, "the same of copies from and to the host, if that is less", positive,
        at_most(ByteSize{kGiB}));
  visit("issue_cost", dma.issue_cost, "engine time to fetch, check and start one descriptor");
  visit("completion_cost", dma.completion_cost, "engine time to retire one, before its semaphore is told");
}

template <class Visitor>
void fields(Visitor& visit, semaphore::SemaphoreConfig& semaphores) {
  visit("dma", semaphores.dma, "count bytes landed or sent");
  visit("regular", semaphores.regular, "signalled and waited for by programs");
  visit("barrier", semaphores.barrier, "one for each collective_id");
}

}  // namespace podsim::config
