// The vector unit (VPU): elementwise commands and commands on rows, in bursts (of whole rows, one at least). Reads of
// later bursts, the computation of one burst and the writes of earlier ones overlap, and within a burst the result
// streams out as the operands come in (cut-through).
//
//   burst n computes from   s(n) = max(first bytes of its operands, e(n-1), write n-D visible)
//                    to     e(n) = max(s(n) + arithmetic, last bytes of its operands)
//   and is written over     s(n) .. e(n)
//
// where D = outstanding_bursts. At s(n) the operands of burst n-1 are used up, so burst n+D is requested into their
// place: D bursts are on their way in while one is computed. So all that happens to a burst happens in one step: one
// event per burst, and none for a command of a single burst, whose times are all known when it begins.
#pragma once

#include <vector>

#include "models/tensor_core/execution_unit.h"
#include "models/tensor_core/memory_port.h"
#include "models/tensor_core/tensor_core_config.h"
#include "models/tensor_core/tensor_core_statistics.h"

namespace podsim::tensor_core {

class VectorUnit final : public ExecutionUnit {
 public:
  VectorUnit(const TensorCoreConfig& config, MemoryPort& memory, TensorCoreStatistics& statistics);

  // In place is right (destination == a or b). Operands that overlap the destination otherwise are a hazard, as on
  // silicon.
  Progress begin(const Command& command, Picoseconds now) override;
  Progress step(Picoseconds now) override;

 private:
  struct Buffer {
    tlm::tlm_generic_payload* a = nullptr;
    tlm::tlm_generic_payload* b = nullptr;
    Picoseconds first_byte = 0;
    Picoseconds last_byte = 0;
  };

  // How many bytes of each stream make a granule: an element, or a row.
  struct Granule {
    std::uint64_t elements = 1;  // of a
    Bytes a = 0;
    Bytes b = 0;
    Bytes destination = 0;
  };
  [[nodiscard]] Granule granule_of(const Command& command) const;
  [[nodiscard]] std::uint64_t granules_of(std::uint64_t burst) const;
  [[nodiscard]] Picoseconds arithmetic_time(std::uint64_t granules) const;
  [[nodiscard]] Buffer& buffer_of(std::uint64_t burst) { return buffers_[burst % buffers_.size()]; }
  // Fills the burst's buffer. False when memory refused.
  [[nodiscard]] bool fetch(std::uint64_t burst, Picoseconds now);
  // Whether the result has the place of a.
  [[nodiscard]] bool works_in_place() const;
  void compute(tlm::tlm_generic_payload& result, const Buffer& buffer) const;
  // When the current burst computes.
  [[nodiscard]] Picoseconds start_of_current(Picoseconds now);
  Progress compute_current(Picoseconds start, Picoseconds now);
  Progress fail();

  const Bytes burst_bytes_;
  const Frequency clock_;
  const std::uint64_t elements_per_cycle_;
  const std::uint64_t alus_;
  const Rate rates_[kDTypes];  // by DType
  MemoryPort& memory_;
  TensorCoreStatistics& statistics_;

  Command command_;
  Granule granule_;
  std::uint64_t granules_ = 0;    // of the command
  std::uint64_t per_burst_ = 1;   // granules
  std::uint64_t operations_ = 1;  // that an element costs an ALU
  std::uint64_t bursts_ = 0;
  std::uint64_t current_ = 0;            // the burst that computes next
  Picoseconds full_burst_time_ = 0;      // arithmetic of a whole burst
  Picoseconds free_at_ = 0;              // e(current_ - 1)
  Picoseconds last_visible_ = 0;         // latest write seen so far
  std::vector<Buffer> buffers_;          // input, by burst modulo D + 1
  std::vector<Picoseconds> visible_at_;  // output: when the write that used it last is visible, by burst modulo D
};

}  // namespace podsim::tensor_core
