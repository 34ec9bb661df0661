#include "models/tensor_core/systolic_array.h"

#include <algorithm>
#include <stdexcept>

namespace podsim::tensor_core {

namespace {
constexpr std::uint64_t divide_up(std::uint64_t value, std::uint64_t by) { return (value + by - 1) / by; }
}  // namespace

SystolicArray::SystolicArray(std::uint32_t rows, std::uint32_t columns, std::uint32_t arrays, WeightLoad load,
                             Dataflow dataflow, std::uint32_t load_rows)
    : rows_(rows), columns_(columns), arrays_(arrays), load_(load), dataflow_(dataflow), load_rows_(load_rows) {
  if (rows == 0 || columns == 0 || arrays == 0 || load_rows == 0) {
    throw std::invalid_argument("a systolic array needs at least one row, one column and one array");
  }
}

SystolicArray::Mapping SystolicArray::map(std::uint64_t m, std::uint64_t k, std::uint64_t n) const {
  switch (dataflow_) {
    case Dataflow::kWeightStationary: return {k, n, m};
    case Dataflow::kOutputStationary: return {m, n, k};
    case Dataflow::kInputStationary: return {k, m, n};
  }
  return {};
}

std::uint64_t SystolicArray::folds(const Mapping& mapping) const {
  return divide_up(mapping.down, rows_) * divide_up(mapping.across, columns_);
}

std::uint64_t SystolicArray::folds(std::uint64_t m, std::uint64_t k, std::uint64_t n) const {
  return folds(map(m, k, n));
}

SystolicArray::Timing SystolicArray::timing_of(std::uint64_t folds, std::uint64_t stream) const {
  // Outputs that stay need no load: they are accumulated in place, and leave within the count SCALE-Sim gives.
  const std::uint64_t load = dataflow_ == Dataflow::kOutputStationary ? 0 : load_cycles();
  const std::uint64_t fold = load + stream + drain_cycles();
  if (load_ == WeightLoad::kSerial) {
    return {load, folds * fold - load - drain_cycles(), stream, folds * fold - 1};
  }
  // Double buffering: the next piece is loaded while this one streams, so a fold follows the one before as soon as that
  // has streamed its rows and the load has ended, whichever is later; only the last fold's drain shows.
  const std::uint64_t streaming = (folds - 1) * std::max(stream, load) + stream;
  return {load, streaming, stream, load + streaming + drain_cycles() - 1};
}

SystolicArray::Timing SystolicArray::timing(std::uint64_t m, std::uint64_t k, std::uint64_t n) const {
  if (m == 0 || k == 0 || n == 0) return {};
  const Mapping mapping = map(m, k, n);
  const std::uint64_t all = folds(mapping);
  // Cutting the streamed extent into `parts` makes more, shorter folds, that arrays share more evenly at the price of
  // loading every piece `parts` times. A compiler would take the best cut.
  Timing best;
  for (std::uint64_t parts = 1; parts <= std::min<std::uint64_t>(arrays_, mapping.stream); ++parts) {
    const Timing cut = timing_of(divide_up(all * parts, arrays_), divide_up(mapping.stream, parts));
    if (parts == 1 || cut.cycles < best.cycles) best = cut;
  }
  return best;
}

}  // namespace podsim::tensor_core
