// Shapes of published transformers.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace podsim::firmware {

struct ModelShape {
  std::string_view name;
  std::uint64_t layers = 0;
  std::uint64_t model = 0;     // width of the residual stream
  std::uint64_t hidden = 0;    // of the feed-forward layer, gated: three matrices
  std::uint64_t heads = 0;     // of queries
  std::uint64_t kv_heads = 0;  // of keys and values
  std::uint64_t head = 128;    // elements of a head
  std::uint64_t experts = 1;   // feed-forward layers to choose from
  std::uint64_t chosen = 1;    // of them, for each token
};

// Llama 3 8B and 70B: "The Llama 3 Herd of Models", arXiv 2407.21783, table 3. Mixtral 8x7B: "Mixtral of Experts",
// arXiv 2401.04088, table 1.
[[nodiscard]] std::span<const ModelShape> model_shapes();
// Null if there is none of that name.
[[nodiscard]] const ModelShape* find_model(std::string_view name);

}  // namespace podsim::firmware
