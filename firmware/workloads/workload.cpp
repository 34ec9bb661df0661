#include "firmware/workloads/workload.h"

#include <array>

namespace podsim::firmware {

std::span<const Workload> workloads() {
  static constexpr std::array<Workload, 8> kWorkloads{{
      {"data_parallel", "forward and backward; gradients are all-reduced in buckets", &data_parallel},
      {"fsdp", "weights are gathered before their layer, gradients reduce-scattered behind it", &fsdp},
      {"tensor_parallel", "layers cut across the chips: an all-reduce behind each half", &tensor_parallel},
      {"collective_matmul", "a gather decomposed into permutes under the product that needs it", &collective_matmul},
      {"mixture_of_experts", "an expert a chip: tokens go there and back by all-to-all", &mixture_of_experts},
      {"ring_attention", "keys and values go round a ring while each chip attends to what it has", &ring_attention},
      {"pipeline", "stages on consecutive chips, activations passed on by permutes", &pipeline},
      {"activation_offload", "activations go to the host behind each layer, and come back for its backward pass",
       &activation_offload},
  }};
  return kWorkloads;
}

const Workload* find_workload(std::string_view name) {
  for (const Workload& workload : workloads()) {
    if (workload.name == name) return &workload;
  }
  return nullptr;
}

}  // namespace podsim::firmware
