// Test data of kernels: fills their operands, and compares what they computed with a reference that works straight from
// the definition, in double precision and without tiles.
//
// Operands are small integers (softmax and attention: quarters), exact in every type, so that products, sums and maxima
// are exact as well, and are compared bit by bit after rounding to the result's type. What goes through an exp is
// compared within a few roundings of the types on its way.
#pragma once

#include <vector>

#include "firmware/kernels/kernel_call.h"
#include "platform/check/step_data.h"

namespace podsim::check {

class KernelData {
 public:
  explicit KernelData(const firmware::KernelCall& call) : call_(call) {}

  // Writes a chip's operands, and poison into its result.
  void fill(chip::Chip& chip, const firmware::Buffer& in, const firmware::Buffer& out) const;
  [[nodiscard]] DataResult compare(chip::Chip& chip, const firmware::Buffer& out) const;

  // The result in rows, from operands in rows.
  using Numbers = std::vector<double>;
  [[nodiscard]] Numbers reference(const std::vector<Numbers>& operands) const;
  // How far a result may be from its reference.
  [[nodiscard]] double tolerance(double reference) const;

 private:
  [[nodiscard]] Numbers operand(ChipId chip, unsigned number) const;

  const firmware::KernelCall& call_;
};

}  // namespace podsim::check
