#include "models/pcie/root_complex.h"

namespace podsim::pcie {

RootComplex::RootComplex(sc_core::sc_module_name name, const RootComplexConfig& config, unsigned count)
    : SharedStage(name, memory, count, config.bandwidth_per_direction, config.latency) {
  initiate_at(memory);
}

RootComplex::~RootComplex() = default;

}  // namespace podsim::pcie
