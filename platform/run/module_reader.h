// A step that is a module:
//
//   - module:
//       name: layer
//       schedule: latency_hiding          # sync, as_written
//       instructions:                     # shapes are those of one chip
//         - {name: x, op: parameter, shape: [4096, 8192], dtype: bf16}
//         - {name: w, op: parameter, shape: [1024, 8192]}
//         - {name: whole, op: all_gather, of: [w], dim: 0, axes: [x], async: true}
//         - {name: y, op: matmul, of: [x, whole]}
//         - {op: wait, of: [whole]}       # transfers that nobody waits for are waited for right before their first
//         user
//
// Or with the pod's tensors and the axes that they are sharded over, from which the collectives follow (sharding.h):
//
//       dimensions: [{name: B, size: 4096}, {name: D, size: 8192}, {name: F, size: 8192}]
//       instructions:
//         - {name: x, op: parameter, tensor: "B[x] D[y]"}
//         - {name: w, op: parameter, tensor: "D[y] F"}
//         - {name: h, op: einsum, of: [x, w], tensor: "B[x] F[y]"}
#pragma once

#include "firmware/module/module.h"
#include "platform/config/config_node.h"
#include "platform/run/module_fields.h"

namespace podsim::run {

// Or one of the programs that podsim knows:
//
//   - workload: {kind: fsdp, model: llama3-8b, layers: 2, tokens: 4096, form: overlapped, schedule: latency_hiding}
[[nodiscard]] firmware::Module read_workload(const WorkloadEntry& entry, const config::ConfigNode& node,
                                             const std::string& key, const ici::TorusShape& torus);

// `node` is the section that `entry` was read from, `key` its path. Throws ConfigError.
[[nodiscard]] firmware::Module read_module(const ModuleEntry& entry, const config::ConfigNode& node,
                                           const std::string& key, const ici::TorusShape& torus);

}  // namespace podsim::run
