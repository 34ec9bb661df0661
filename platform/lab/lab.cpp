#include "platform/lab/lab.h"

#include <array>
#include <fstream>

#include "models/kernel/units.h"

namespace podsim::lab {

using firmware::CollectiveKind;
using firmware::Directions;
using firmware::DType;

std::string_view name(Grade grade) {
  switch (grade) {
    case Grade::kFails: return "fails";
    case Grade::kWorks: return "works";
    case Grade::kGood: return "good";
    case Grade::kReference: return "as good as the reference";
  }
  return "?";
}

std::span<const Lab> labs() {
  static constexpr std::array<Lab, 7> kLabs{{
      {"right_permute", "every chip sends its buffer to its right neighbour", CollectiveKind::kCollectivePermute,
       Directions::kOneWay, false, Grade::kWorks},
      {"all_gather", "every chip ends with the shards of all", CollectiveKind::kAllGather, Directions::kBothWays, false,
       Grade::kWorks},
      {"reduce_scatter", "every chip ends with its shard of the sum", CollectiveKind::kReduceScatter,
       Directions::kBothWays, false, Grade::kWorks},
      {"all_reduce", "every chip ends with the sum", CollectiveKind::kAllReduce, Directions::kBothWays, false,
       Grade::kWorks},
      {"deadlock", "to mend: an all-gather that hangs", CollectiveKind::kAllGather, Directions::kOneWay, false,
       Grade::kWorks},
      {"race", "to mend: a reduce-scatter whose slots a faster neighbour overwrites", CollectiveKind::kReduceScatter,
       Directions::kOneWay, false, Grade::kWorks},
      {"exposed", "to mend: an all-gather that waits for work that it could hide behind", CollectiveKind::kAllGather,
       Directions::kOneWay, true, Grade::kReference},
  }};
  return kLabs;
}

const Lab* find_lab(std::string_view name) {
  for (const Lab& lab : labs()) {
    if (lab.name == name) return &lab;
  }
  return nullptr;
}

std::span<const TrialRing> trial_rings() {
  static constexpr std::array<TrialRing, 7> kRings{{
      {2, false, 1000, DType::kF32},  // left and right neighbour are the same chip
      {4, true, 4096, DType::kF32},
      {5, true, 1003, DType::kBf16},  // shards of two lengths
      {5, false, 777, DType::kS32},   // the last chip's right neighbour is at the other end of a line
      {3, true, 2, DType::kS8},       // an empty shard
      {8, true, 40'000, DType::kF32},
      {4, true, 262'144, DType::kF32},  // 1 MiB
  }};
  return kRings;
}

TrialRing timed_ring() { return {4, true, 32 * kMiB / 4, DType::kF32}; }

std::filesystem::path file_of(const Lab& lab) {
  return std::filesystem::path("firmware") / "labs" / (std::string(lab.name) + ".cpp");
}

std::optional<std::string> task_of(const Lab& lab, const std::filesystem::path& root) {
  std::ifstream file(root / file_of(lab));
  if (!file) return std::nullopt;
  std::string text;
  for (std::string line; std::getline(file, line) && line.starts_with("//");) {
    text += (line.size() > 3 ? line.substr(3) : "") + '\n';
  }
  return text;
}

}  // namespace podsim::lab
