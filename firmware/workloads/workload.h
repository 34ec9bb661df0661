// Programs that people run on pods, as modules: what is asked for, and who builds it.
//
// What they leave out: norms, activations' own arithmetic beyond a product of gate and value, the optimiser, embedding
// and loss. A transposed operand is taken as it lies (reshape): the matrix unit reads either way.
#pragma once

#include <span>
#include <string_view>

#include "firmware/module/builder.h"
#include "firmware/workloads/model_shape.h"

namespace podsim::firmware {

struct WorkloadCall {
  const ModelShape* model = nullptr;
  std::uint64_t layers = 1;       // of the model's: a step of all of them is as much longer as there are more
  std::uint64_t tokens = 0;       // of each chip's own batch
  std::uint64_t sequence = 0;     // tokens of a sequence; all of a chip's if 0
  bool overlapped = false;        // in the form whose transfers can hide; else one after the other
  std::vector<ici::Axis> axes{};  // over which the workload is spread; all if empty
  Bytes bucket = 64 * kMiB;       // data parallel: of gradients that are reduced together, at least
};

struct Workload {
  std::string_view name;
  std::string_view description;
  // Throws ModuleError where the model can't be cut so.
  Module (*build)(const WorkloadCall& call, const ici::TorusShape& torus);
};

[[nodiscard]] std::span<const Workload> workloads();
// Null if there is none of that name.
[[nodiscard]] const Workload* find_workload(std::string_view name);

// One each; see their files.
[[nodiscard]] Module data_parallel(const WorkloadCall& call, const ici::TorusShape& torus);
[[nodiscard]] Module fsdp(const WorkloadCall& call, const ici::TorusShape& torus);
[[nodiscard]] Module tensor_parallel(const WorkloadCall& call, const ici::TorusShape& torus);
[[nodiscard]] Module collective_matmul(const WorkloadCall& call, const ici::TorusShape& torus);
[[nodiscard]] Module mixture_of_experts(const WorkloadCall& call, const ici::TorusShape& torus);
[[nodiscard]] Module ring_attention(const WorkloadCall& call, const ici::TorusShape& torus);
[[nodiscard]] Module pipeline(const WorkloadCall& call, const ici::TorusShape& torus);
[[nodiscard]] Module activation_offload(const WorkloadCall& call, const ici::TorusShape& torus);

}  // namespace podsim::firmware
