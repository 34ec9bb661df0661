// Small pods for tests: a chip with a v5e's figures, in any shape.
#pragma once

#include <string>
#include <vector>

#include "platform/pod/pod_config.h"

namespace podsim::testing {

struct Shape {
  std::vector<unsigned> sizes;
  bool wrap = true;

  // "torus_4x4", "mesh_2x4"
  [[nodiscard]] std::string name() const {
    std::string text = wrap ? "torus" : "mesh";
    char separator = '_';
    for (const unsigned size : sizes) {
      text += separator + std::to_string(size);
      separator = 'x';
    }
    return text;
  }
};

inline pod::PodConfig pod_config(const Shape& shape) {
  pod::PodConfig config;
  config.name = shape.name();
  config.chip.name = "test chip";
  const char* names[] = {"x", "y", "z", "w"};
  for (std::size_t i = 0; i < shape.sizes.size(); ++i) {
    config.topology.axes.push_back({names[i], shape.sizes[i], shape.wrap ? pod::Wrap::kYes : pod::Wrap::kNo});
  }
  return config;
}

// The link that leaves `chip` upwards on `axis`, as an entry of ici.links.
inline pod::LinkOverride link_of(std::uint32_t chip, const std::string& axis) {
  pod::LinkOverride link;
  link.chip = chip;
  link.axis = axis;
  return link;
}
inline pod::LinkOverride dead_link(std::uint32_t chip, const std::string& axis) {
  pod::LinkOverride link = link_of(chip, axis);
  link.dead = true;
  return link;
}
inline pod::LinkOverride link_of_speed(std::uint32_t chip, const std::string& axis, Bandwidth bandwidth) {
  pod::LinkOverride link = link_of(chip, axis);
  link.bandwidth_per_direction = bandwidth;
  return link;
}

}  // namespace podsim::testing
