// Test data: fills a step's buffers before it runs, and compares what the chips hold afterwards with what they must
// hold.
//
// Values are small integers that depend on chip and element, chosen so that a reduction is exact in every type and any
// order: a single wrong element is a wrong result, not a rounding.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "firmware/device/buffer.h"
#include "platform/pod/pod.h"
#include "platform/run/step.h"

namespace podsim::check {

struct DataResult {
  std::uint64_t wrong = 0;  // elements, over all chips
  std::string explanation;  // the first of them; empty if none
};

// A well-mixed number for a pair of numbers.
[[nodiscard]] std::uint64_t mixed(std::uint64_t a, std::uint64_t b);

class StepData {
 public:
  // Both outlive this object.
  StepData(pod::Pod& pod, const run::Step& step) : pod_(pod), step_(step) {}

  // Writes a chip's input, and poison into its output: an element that is never written is wrong.
  void fill(chip::Chip& chip, const firmware::Buffer& in, const firmware::Buffer& out) const;
  // `out(chip)`: the chip's output buffer.
  [[nodiscard]] DataResult compare(const std::function<firmware::Buffer(ChipId)>& out) const;

 private:
  // The value of element `element` (of the whole) as chip `chip` contributes it.
  [[nodiscard]] std::int32_t input(ChipId chip, std::uint64_t element) const;
  // What `chip` must hold.
  [[nodiscard]] std::vector<std::int32_t> expected(ChipId chip) const;
  [[nodiscard]] std::vector<std::int32_t> reduced(ChipId chip) const;

  pod::Pod& pod_;
  const run::Step& step_;
  // The last group's reduction: members of a group are compared with the same one.
  mutable std::vector<std::int32_t> reduced_;
  mutable std::vector<ChipId> reduced_for_;
};

}  // namespace podsim::check
