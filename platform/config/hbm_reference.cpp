#include "platform/config/hbm_reference.h"

#include <charconv>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "platform/config/layers.h"
#include "platform/config/memory_fields.h"
#include "platform/config/section_reader.h"
#include "platform/config/yaml_document.h"

namespace podsim::config {
namespace {

using memory::HbmConfig;
using memory::HbmField;
using memory::HbmRefresh;
using Mapping = std::vector<memory::HbmMappingPart>;

struct NamedMapping {
  std::string_view name;
  Mapping mapping;
};

// As the heads of the tables describe them.
const std::vector<NamedMapping>& mappings() {
  using enum HbmField;
  static const std::vector<NamedMapping> all = {
      {"fine", {{kChannel}, {kPseudoChannel}, {kBankGroup}, {kColumn}, {kBank}, {kRow}}},
      {"hyb", {{kBankGroup}, {kColumn, 3}, {kChannel}, {kPseudoChannel}, {kBank}, {kColumn}, {kRow}}},
      {"row", {{kColumn}, {kChannel}, {kPseudoChannel}, {kBankGroup}, {kBank}, {kRow}}},
      {"RoBaRaCoCh", {{kChannel}, {kColumn}, {kPseudoChannel}, {kBankGroup}, {kBank}, {kRow}}},
      {"chlsb", {{kChannel}, {kColumn}, {kBank}, {kBankGroup}, {kPseudoChannel}, {kRow}}},
      // DRAMSys as shipped: bank, row, column from the top; the pseudo-channel is the highest bit.
      {"brc", {{kColumn}, {kRow}, {kBank}, {kBankGroup}, {kPseudoChannel}, {kChannel}}},
  };
  return all;
}

const Mapping* find_mapping(std::string_view name) {
  for (const NamedMapping& one : mappings()) {
    if (name.starts_with(one.name)) return &one.mapping;
  }
  return nullptr;
}

std::vector<std::string> split(const std::string& name) {
  std::vector<std::string> parts(1);
  for (const char c : name) {
    if (c == '-') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

// DRAMsim3-HBM2def, -HBM2noref, -HBM2chlsb, -HBM2pc-fine, -HBM2pc-row.
std::optional<HbmConfig> dramsim3(const std::vector<std::string>& parts, const std::filesystem::path& root) {
  constexpr Bandwidth kBandwidth{256'000'000'000};
  HbmConfig config = read_hbm("dramsim3-hbm2", kBandwidth, {8 * kGiB}, root);
  const std::string kind = parts.size() > 1 ? parts[1] : "";
  if (kind == "HBM2pc") {
    // Each pseudo-channel a channel of its own. The figures fit the timings of Ramulator's HBM2.
    const HbmConfig controller = config;
    config = read_hbm("hbm2", kBandwidth, {8 * kGiB}, root);
    config.channels_per_stack = 16;
    config.pseudo_channels_per_channel = 1;
    config.activate_clocks = controller.activate_clocks;
    config.queue = controller.queue;
    config.write_high = controller.write_high;
    config.write_low = controller.write_low;
    const Mapping* mapping = find_mapping(parts.size() > 2 ? parts[2] : "");
    if (mapping == nullptr) return std::nullopt;
    config.mapping = *mapping;
    return config;
  }
  if (kind == "HBM2noref") config.refresh = HbmRefresh::kNone;
  if (kind == "HBM2chlsb") config.mapping = *find_mapping("chlsb");
  return config;
}

// Ramulator2.1-<HBM2|HBM3>-<mapping>-<ab|pb|none>-q<depth>[-FRFCFS].
std::optional<HbmConfig> ramulator(const std::vector<std::string>& parts, const std::filesystem::path& root) {
  if (parts.size() < 5 || parts[4].size() < 2) return std::nullopt;
  const Mapping* mapping = find_mapping(parts[2]);
  if (mapping == nullptr) return std::nullopt;
  // 6.4 Gb/s: the table's peak of 820.51 GB/s is that of a clock rounded down to 0.624 ns.
  HbmConfig config = parts[1] == "HBM3" ? read_hbm("hbm3", {819'200'000'000}, {16 * kGiB}, root)
                                        : read_hbm("hbm2", {256'000'000'000}, {8 * kGiB}, root);
  config.mapping = *mapping;
  config.refresh = parts[3] == "ab"   ? HbmRefresh::kAllBank
                   : parts[3] == "pb" ? HbmRefresh::kPerBank
                                      : HbmRefresh::kNone;
  unsigned depth = config.queue;
  std::from_chars(parts[4].data() + 1, parts[4].data() + parts[4].size(), depth);
  config.queue = config.write_queue = depth;
  if (parts.size() > 5 && parts[5] == "FRFCFS") config.scheduler = memory::HbmScheduler::kFrFcfs;
  return config;
}

std::optional<HbmConfig> dramsys(const std::vector<std::string>& parts, const std::filesystem::path& root) {
  HbmConfig config = read_hbm("dramsys-hbm2", {32'000'000'000}, {kGiB}, root);
  if (parts.size() < 3) return std::nullopt;
  if (parts[1].starts_with("brc")) config.mapping = *find_mapping("brc");
  if (parts[2] == "none") config.refresh = HbmRefresh::kNone;
  return config;
}

}  // namespace

memory::HbmConfig read_hbm(const std::string& timings, Bandwidth bandwidth, ByteSize capacity,
                           const std::filesystem::path& root) {
  const std::string text = fmt::format("hbm: {{timings: {}, bandwidth: {} B/s, capacity: {} B, stacks: 1}}", timings,
                                       bandwidth.bytes_per_second, capacity.bytes);
  const ConfigDocument document = resolve(parse_yaml(text, "hbm"), root);
  return read<memory::HbmConfig>(*document.find("hbm"));
}

std::optional<memory::HbmConfig> hbm_reference(const std::string& name, const std::filesystem::path& root) {
  const std::vector<std::string> parts = split(name);
  if (parts[0] == "DRAMsim3") return dramsim3(parts, root);
  if (parts[0] == "Ramulator2.1") return ramulator(parts, root);
  if (parts[0] == "DRAMSys") return dramsys(parts, root);
  return std::nullopt;
}

}  // namespace podsim::config
