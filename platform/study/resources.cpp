#include "platform/study/resources.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "platform/study/value.h"

namespace podsim::study {

namespace {

struct Resource {
  const char* name;
  const char* key;
  bool more;  // is better
};

constexpr Resource kResources[] = {
    {"MXU and VPU clock", "tensor_core.clock", true},
    {"HBM bandwidth", "hbm.bandwidth", true},
    {"HBM capacity", "hbm.capacity", true},
    {"VMEM bandwidth", "vmem.bandwidth", true},
    {"VMEM capacity", "vmem.capacity", true},
    {"ICI link bandwidth", "ici.bandwidth_per_direction", true},
    {"ICI hop latency", "ici.hop_latency", false},
    {"DMA issue cost", "dma.issue_cost", false},
    {"scalar core clock", "scalar_core.clock", true},
    {"kernel launch", "tensor_core.kernel_launch", false},
    {"host memory bandwidth", "host.memory.bandwidth", true},
};

const config::EffectiveKey* find(const std::vector<config::EffectiveKey>& keys, const std::string& path) {
  const auto found = std::find_if(keys.begin(), keys.end(), [&](const auto& key) { return key.path == path; });
  return found == keys.end() ? nullptr : &*found;
}

// Memories are cut into pages and tiles: a capacity stays a multiple of the largest power of two up to 4 KiB that it is
// one of.
double rounded(double number, double from, Dimension dimension) {
  if (dimension != kSize) return number;
  double unit = 4096;
  while (unit > 1 && std::fmod(from, unit) != 0) unit /= 2;
  return std::floor(number / unit) * unit;
}

std::optional<Improvement> improvement(const Resource& resource, const config::EffectiveKey& key, double share) {
  Value value = parse_value(key.value);
  if (value.text || value.number <= 0) return std::nullopt;
  const double from = value.number;
  value.number = rounded(resource.more ? from * (1 + share) : from / (1 + share), from, value.dimension);
  const std::string better = value_text(value);
  return Improvement{resource.name, fmt::format("{} -> {}", key.value, better), {{resource.key, better}}};
}

}  // namespace

std::vector<Improvement> improvements(const std::vector<config::EffectiveKey>& keys, double share) {
  std::vector<Improvement> all;
  for (const Resource& resource : kResources) {
    const config::EffectiveKey* const key = find(keys, resource.key);
    if (key == nullptr) continue;
    if (auto better = improvement(resource, *key, share)) all.push_back(std::move(*better));
  }
  if (const config::EffectiveKey* const pcie = find(keys, "pcie.generation")) {
    const Value generation = parse_value(pcie->value);
    constexpr double kLatest = 5;
    if (!generation.text && generation.number < kLatest) {
      const std::string next = value_text(Value::plain(generation.number + 1));
      all.push_back(
          {"PCIe, the next generation", fmt::format("{} -> {}", pcie->value, next), {{"pcie.generation", next}}});
    }
  }
  return all;
}

}  // namespace podsim::study
