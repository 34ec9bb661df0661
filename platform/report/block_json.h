// Counters of a step as JSON: links, chips' blocks, hosts. Times end in _ps; sizes are bytes.
#pragma once

#include <nlohmann/json.hpp>

#include "platform/report/run_record.h"

namespace podsim::report {

using Json = nlohmann::ordered_json;  // keys in the order of the code: the same bytes every time

// [{from, to, axis, direction, busy_fraction, bytes, packets}]
[[nodiscard]] Json links_json(const std::vector<LinkUse>& links, const ici::TorusShape& torus);
// [{chip, place, scalar_core, tensor_cores, hbm, vmem, semaphores, dma_engines, pcie, network_interface, router}]
[[nodiscard]] Json chips_json(const std::vector<ChipStatistics>& chips, const ici::TorusShape& torus);
// [{host, memory, root_complex, switches, staging}]
[[nodiscard]] Json hosts_json(const std::vector<HostStatistics>& hosts);

}  // namespace podsim::report
