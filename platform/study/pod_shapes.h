// The pods of a chip generation that a program may be sized for, from the smallest.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "platform/config/config_error.h"
#include "platform/study/point_command.h"

namespace podsim::study {

struct PodShape {
  std::string name;  // "tpu-v5e-4x4": the preset's where there is one
  std::uint64_t chips = 0;
  std::vector<Setting> settings;  // that give a run this pod
};

// The chip that a user means by "tpu-v5e", "v5e" or "7x". Throws ConfigError at `mark`, with a suggestion.
[[nodiscard]] std::string find_chip(const std::string& name, const std::filesystem::path& root,
                                    const config::SourceMark& mark);

// The chip's presets, and between the smallest and the largest those shapes that double one axis after the other, as
// slices are cut: 2x2, 2x4, 4x4, 4x8, ... By number of chips. Twisted tori and listed links are no sizes.
[[nodiscard]] std::vector<PodShape> pod_shapes(const std::string& chip, const std::filesystem::path& root);

}  // namespace podsim::study
