#include "platform/lab/field_times.h"

#include "models/tensor_core/tensor_core_registers.h"

namespace podsim::lab {

using firmware::CollectiveKind;

Picoseconds field_time(const firmware::CollectiveCall& call, std::uint64_t chips, const firmware::Figures& figures,
                       firmware::Directions ways) {
  const Bytes bytes = call.elements * tensor_core::size_of(call.type);
  const Picoseconds step = figures.step + figures.hop;
  const SerialisationTime on_link(figures.link);
  if (call.kind == CollectiveKind::kCollectivePermute) return step + on_link(bytes);
  const Bytes share = bytes / chips / (ways == firmware::Directions::kBothWays ? 2 : 1);
  const auto steps = static_cast<Picoseconds>(chips - 1);
  const Picoseconds once = steps * (step + on_link(share));
  return call.kind == CollectiveKind::kAllReduce ? 2 * once : once;
}

Grade grade_of(Picoseconds time, Picoseconds reference, Picoseconds one_way) {
  const auto within = [&](Picoseconds bound, double tolerance) {
    return static_cast<double>(time) <= static_cast<double>(bound) * (1 + tolerance);
  };
  if (within(reference, kReferenceTolerance)) return Grade::kReference;
  return within(one_way, kFormulaTolerance) ? Grade::kGood : Grade::kWorks;
}

}  // namespace podsim::lab
