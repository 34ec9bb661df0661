#include "platform/check/clique.h"

#include <fmt/format.h>

#include <algorithm>

#include "firmware/collectives/collective.h"

namespace podsim::check {

namespace {

constexpr std::uint32_t kAxes = 0x8000'0000;  // no chip has such a number
constexpr std::size_t kMostNamed = 8;

bool by_axes(const CliqueKey& key) { return key.size() == 2 && (key[0] & kAxes) != 0; }
bool has_axis(const CliqueKey& key, unsigned axis) { return (key[0] >> axis & 1) != 0; }

CliqueKey axes_key(std::uint32_t axes, const ici::TorusShape& torus, ChipId member) {
  ici::Coordinates lowest = torus.coordinates(member);
  for (unsigned i = 0; i < torus.axes(); ++i) {
    if ((axes >> i & 1) != 0) lowest[i] = 0;
  }
  return {kAxes | axes, index(torus.chip_at(lowest))};
}

CliqueKey list_key(std::vector<std::uint32_t> members, const ici::TorusShape& torus) {
  std::sort(members.begin(), members.end());
  // The members may be all that differ in certain axes.
  std::uint32_t axes = 0;
  std::uint64_t size = 1;
  const ici::Coordinates first = torus.coordinates(static_cast<ChipId>(members.front()));
  for (unsigned i = 0; i < torus.axes(); ++i) {
    const bool differs = std::any_of(members.begin(), members.end(), [&](std::uint32_t member) {
      return torus.coordinates(static_cast<ChipId>(member))[i] != first[i];
    });
    if (!differs) continue;
    axes |= 1u << i;
    size *= torus.axis(static_cast<ici::Axis>(i)).size;
  }
  if (size == members.size()) return axes_key(axes, torus, static_cast<ChipId>(members.front()));
  return members;
}

}  // namespace

std::optional<CliqueKey> clique_of(const firmware::CollectiveCall& call, const ici::TorusShape& torus, ChipId chip) {
  std::vector<std::uint32_t> members;
  if (call.kind == firmware::CollectiveKind::kCollectivePermute) {
    for (const auto& [source, target] : call.pairs) {
      members.push_back(index(source));
      members.push_back(index(target));
    }
    std::sort(members.begin(), members.end());
    members.erase(std::unique(members.begin(), members.end()), members.end());
    if (!std::binary_search(members.begin(), members.end(), index(chip))) return std::nullopt;
    return list_key(std::move(members), torus);
  }
  if (call.groups == nullptr) {
    std::uint32_t axes = 0;
    for (const ici::Axis axis : call.axes) axes |= 1u << ici::index(axis);
    if (call.axes.empty()) axes = (1u << torus.axes()) - 1;
    for (unsigned i = 0; i < torus.axes(); ++i) {
      if (torus.axis(static_cast<ici::Axis>(i)).size == 1) axes &= ~(1u << i);
    }
    return axes_key(axes, torus, chip);
  }
  const firmware::ReplicaGroup* const listed = call.groups->find(chip);
  if (listed == nullptr) return std::nullopt;
  for (const ChipId member : listed->members) members.push_back(index(member));
  return list_key(std::move(members), torus);
}

std::vector<ChipId> clique_members(const CliqueKey& key, const ici::TorusShape& torus) {
  std::vector<ChipId> members;
  if (!by_axes(key)) {
    for (const std::uint32_t member : key) members.push_back(static_cast<ChipId>(member));
    return members;
  }
  members.push_back(static_cast<ChipId>(key[1]));
  for (unsigned i = 0; i < torus.axes(); ++i) {
    if (!has_axis(key, i)) continue;
    const std::vector<ChipId> before = std::move(members);
    members.clear();
    for (const ChipId each : before) {
      ici::Coordinates at = torus.coordinates(each);
      for (at[i] = 0; at[i] < torus.axis(static_cast<ici::Axis>(i)).size; ++at[i]) {
        members.push_back(torus.chip_at(at));
      }
    }
  }
  std::sort(members.begin(), members.end());
  return members;
}

std::string clique_name(const CliqueKey& key, const ici::TorusShape& torus) {
  const std::vector<ChipId> members = clique_members(key, torus);
  if (members.size() == torus.chips() && members.size() > 2) return fmt::format("all {} chips", members.size());
  std::vector<std::uint32_t> numbers;
  for (std::size_t i = 0; i < members.size() && i < kMostNamed; ++i) numbers.push_back(index(members[i]));
  std::string text = fmt::format("{} {}", members.size() == 1 ? "chip" : "chips", fmt::join(numbers, ", "));
  if (members.size() > kMostNamed) text += fmt::format(" and {} more", members.size() - kMostNamed);
  std::vector<std::string> axes;
  for (unsigned i = 0; by_axes(key) && i < torus.axes(); ++i) {
    if (has_axis(key, i)) axes.push_back(torus.axis(static_cast<ici::Axis>(i)).name);
  }
  if (axes.empty()) return text;
  return text + fmt::format(" ({} {})", axes.size() == 1 ? "axis" : "axes", fmt::join(axes, ", "));
}

}  // namespace podsim::check
