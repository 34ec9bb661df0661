// Test data of modules: fills their parameters, plays the instructions one by one on whole arrays, without chips, tiles
// or algorithms, and compares what nobody uses any more: the module's results.
#pragma once

#include <vector>

#include "firmware/module/executor.h"
#include "platform/check/step_data.h"

namespace podsim::check {

class ModuleData {
 public:
  // Both outlive this object.
  ModuleData(pod::Pod& pod, const firmware::Module& module) : pod_(pod), module_(module) {}

  // By chip. Parameters are small numbers, exact in every type, that depend on chip and element.
  void fill(const std::vector<firmware::Placement>& places) const;
  [[nodiscard]] DataResult compare(const std::vector<firmware::Placement>& places) const;

 private:
  using Numbers = std::vector<double>;
  using OfChips = std::vector<Numbers>;

  [[nodiscard]] double parameter(ChipId chip, std::size_t instruction, std::uint64_t element) const;
  [[nodiscard]] OfChips play(std::size_t instruction, const std::vector<OfChips>& before) const;
  [[nodiscard]] OfChips play_collective(const firmware::Instruction& instruction, const OfChips& operand) const;

  pod::Pod& pod_;
  const firmware::Module& module_;
};

}  // namespace podsim::check
