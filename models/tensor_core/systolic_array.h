// Cycles of a matrix product on R x C systolic arrays: arithmetic only, no SystemC.
//
// An array computes M x K times K x N in folds. One operand is cut into R x C pieces that stay in the array for the
// length of a fold while the other streams through. For weight-stationary dataflow a fold is
//
//   R                  load the piece of weights, a row (or `load_rows` rows) per cycle
//   M + R + C - 2      stream M rows; the skew of the wavefront adds R - 1 down and C - 1 across
//
// With the load serial in front of every fold, a product takes ceil(K/R) ceil(N/C) (2R + C + M - 2) - 1 cycles, which
// is what the public SCALE-Sim v3 code gives (tests/reference/systolic_gemm.csv).
#pragma once

#include <cstdint>

namespace podsim::tensor_core {

// Which operand stays in the array: weights (b), outputs, or inputs (a).
enum class Dataflow : std::uint8_t { kWeightStationary, kOutputStationary, kInputStationary };

enum class WeightLoad : std::uint8_t {
  kSerial,  // as SCALE-Sim counts: a fold's load, then its streaming, then its drain, and only then the next fold
  kHidden,  // a second set of weight registers is filled while the fold before streams, and folds follow back to back
};

class SystolicArray {
 public:
  // `arrays` equal arrays share the folds of a product; with fewer folds than arrays they also share its rows.
  SystolicArray(std::uint32_t rows, std::uint32_t columns, std::uint32_t arrays = 1,
                WeightLoad load = WeightLoad::kSerial, Dataflow dataflow = Dataflow::kWeightStationary,
                std::uint32_t load_rows = 1);

  // A product's cycles in parts: with hidden loads, a product that follows another one back to back shows `stream`
  // alone, since its first load hides behind the other's last fold, and the drain of that behind its own streaming.
  struct Timing {
    std::uint64_t load = 0;       // until the first operand may enter
    std::uint64_t stream = 0;     // from then on until the last one has entered
    std::uint64_t last_fold = 0;  // of `stream`: what the last fold takes
    std::uint64_t cycles = 0;     // from the first weight to the last result
  };
  [[nodiscard]] Timing timing(std::uint64_t m, std::uint64_t k, std::uint64_t n) const;

  // Cycles from the first weight entering to the last result leaving. Zero when a dimension is zero.
  [[nodiscard]] std::uint64_t cycles(std::uint64_t m, std::uint64_t k, std::uint64_t n) const {
    return timing(m, k, n).cycles;
  }
  // Folds of the product, over all arrays.
  [[nodiscard]] std::uint64_t folds(std::uint64_t m, std::uint64_t k, std::uint64_t n) const;

  // Cycles from the first weight entering to the first result leaving, and from the last operand entering to the last
  // result leaving.
  [[nodiscard]] std::uint64_t fill_cycles() const { return load_cycles() + rows_; }
  [[nodiscard]] std::uint64_t drain_cycles() const { return std::uint64_t{rows_} + columns_ - 2; }

 private:
  // What the dataflow makes of M, K, N: the two extents that are cut to fit the array, and the one that streams.
  struct Mapping {
    std::uint64_t down, across, stream;
  };
  [[nodiscard]] Mapping map(std::uint64_t m, std::uint64_t k, std::uint64_t n) const;
  [[nodiscard]] std::uint64_t folds(const Mapping& mapping) const;
  [[nodiscard]] Timing timing_of(std::uint64_t folds, std::uint64_t stream) const;
  [[nodiscard]] std::uint64_t load_cycles() const { return (std::uint64_t{rows_} + load_rows_ - 1) / load_rows_; }

  std::uint32_t rows_;
  std::uint32_t columns_;
  std::uint32_t arrays_;
  WeightLoad load_;
  Dataflow dataflow_;
  std::uint32_t load_rows_;
};

}  // namespace podsim::tensor_core
