// How a collective is carried out: the algorithms to choose from, and which collectives each of them serves.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "firmware/collectives/call.h"

namespace podsim::firmware {

struct AlgorithmInfo {
  Algorithm algorithm;
  std::string_view name;  // as in YAML and on the command line
  std::string_view description;
  std::uint32_t kinds;  // bit per CollectiveKind

  [[nodiscard]] bool serves(CollectiveKind kind) const { return (kinds >> static_cast<unsigned>(kind) & 1) != 0; }
};

[[nodiscard]] std::span<const AlgorithmInfo> algorithms();
[[nodiscard]] const AlgorithmInfo& info(Algorithm algorithm);
// Null if there is none of that name.
[[nodiscard]] const AlgorithmInfo* find_algorithm(std::string_view name);

// "all_gather"
[[nodiscard]] std::string_view collective_name(CollectiveKind kind);
[[nodiscard]] inline std::string_view name(Algorithm algorithm) { return info(algorithm).name; }

}  // namespace podsim::firmware
