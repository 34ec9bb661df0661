// A host: the memory and the root complex that a few chips share.
#pragma once

#include <systemc>

#include "models/memory/host_memory.h"
#include "models/pcie/root_complex.h"
#include "platform/pod/pod_config.h"

namespace podsim::host {

class Host final : public sc_core::sc_module {
 public:
  memory::HostMemory memory;
  pcie::RootComplex root_complex;

  Host(sc_core::sc_module_name name, const pod::HostConfig& config, unsigned chips)
      : sc_module(name), memory("memory", config.memory), root_complex("root_complex", config.root_complex, chips) {
    root_complex.memory.bind(memory.socket);
  }
};

}  // namespace podsim::host
