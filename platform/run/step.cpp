#include "platform/run/step.h"

#include "firmware/collectives/algorithm.h"

namespace podsim::run {

using firmware::CollectiveKind;
using firmware::DType;
using firmware::Reduction;

std::string_view name(CollectiveKind kind) { return firmware::collective_name(kind); }

std::string_view name(DType type) { return firmware::type_name(type); }

std::string_view name(Reduction reduction) {
  switch (reduction) {
    case Reduction::kSum: return "sum";
    case Reduction::kMax: return "max";
    case Reduction::kMin: return "min";
  }
  return "?";
}

bool reduces(CollectiveKind kind) {
  return kind == CollectiveKind::kReduceScatter || kind == CollectiveKind::kAllReduce;
}

bool has_root(CollectiveKind kind) {
  return kind == CollectiveKind::kBroadcast || kind == CollectiveKind::kScatter || kind == CollectiveKind::kGather;
}

}  // namespace podsim::run
