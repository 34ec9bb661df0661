#include "firmware/workloads/model_shape.h"

#include <array>

namespace podsim::firmware {

std::span<const ModelShape> model_shapes() {
  static constexpr std::array<ModelShape, 4> kShapes{{
      {.name = "llama3-8b", .layers = 32, .model = 4096, .hidden = 14336, .heads = 32, .kv_heads = 8},
      {.name = "llama3-70b", .layers = 80, .model = 8192, .hidden = 28672, .heads = 64, .kv_heads = 8},
      {.name = "mixtral-8x7b",
       .layers = 32,
       .model = 4096,
       .hidden = 14336,
       .heads = 32,
       .kv_heads = 8,
       .experts = 8,
       .chosen = 2},
      // No published model: small enough for data to be moved and checked.
      {.name = "tiny",
       .layers = 2,
       .model = 64,
       .hidden = 128,
       .heads = 4,
       .kv_heads = 4,
       .head = 16,
       .experts = 4,
       .chosen = 1},
  }};
  return kShapes;
}

const ModelShape* find_model(std::string_view name) {
  for (const ModelShape& shape : model_shapes()) {
    if (shape.name == name) return &shape;
  }
  return nullptr;
}

}  // namespace podsim::firmware
