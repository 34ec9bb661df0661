// The matrix unit: the core's MXUs working on one product. First version, in three overlapping stages:
//
//   read     both operands come in as bursts, in equal proportion, each byte once
//   compute  starts with the first bytes of both operands and takes the systolic arrays' cycles, or as long as reading
//   write    results stream out from the time the first column stripe has been summed over all of K, or when the last
//            operand has been read, whichever is later, until the arrays have drained
//
// So a product that is bound by memory costs its reads and writes, and one that is bound by the arrays costs their
// cycles.
#pragma once

#include <vector>

#include "models/tensor_core/command_check.h"
#include "models/tensor_core/execution_unit.h"
#include "models/tensor_core/memory_port.h"
#include "models/tensor_core/systolic_array.h"
#include "models/tensor_core/tensor_core_config.h"
#include "models/tensor_core/tensor_core_statistics.h"

namespace podsim::tensor_core {

class MatrixUnit final : public ExecutionUnit {
 public:
  MatrixUnit(const TensorCoreConfig& config, MemoryPort& memory, TensorCoreStatistics& statistics);

  Progress begin(const Command& command, Picoseconds now) override;
  Progress step(Picoseconds now) override;

 private:
  // One operand on its way in.
  struct Operand {
    Address address = 0;
    Bytes bytes = 0;
    Bytes requested = 0;
    std::vector<std::byte> data;  // empty without data
  };
  // A burst on its way in.
  struct Fetch {
    tlm::tlm_generic_payload* payload = nullptr;
    Operand* operand = nullptr;
  };

  [[nodiscard]] Picoseconds compute_time() const;
  static void prepare(Operand& operand, Address address, Bytes bytes);
  [[nodiscard]] bool fetch(Picoseconds now);
  void retire();
  [[nodiscard]] bool all_requested() const { return a_.requested == a_.bytes && b_.requested == b_.bytes; }
  [[nodiscard]] Progress next_read(Picoseconds now) const;
  Progress start_writing(Picoseconds now);
  [[nodiscard]] Picoseconds result_time(Bytes offset) const;
  [[nodiscard]] Progress next_write(Picoseconds now) const;
  Progress write_burst(Picoseconds now);
  Progress fail();

  const TensorCoreConfig config_;
  const SystolicArray arrays_;
  const Picoseconds fill_time_;
  const Picoseconds drain_time_;
  MemoryPort& memory_;
  TensorCoreStatistics& statistics_;

  Command command_;
  MatmulSizes sizes_;
  Operand a_;
  Operand b_;
  std::vector<Fetch> fetches_;  // a ring, oldest at fetched_ modulo its size
  std::uint64_t issued_ = 0;    // bursts requested
  std::uint64_t fetched_ = 0;   // bursts that have arrived
  Picoseconds start_ = 0;       // first bytes of both operands are there
  Picoseconds last_read_ = 0;

  bool writing_ = false;
  Bytes written_ = 0;
  std::uint64_t bursts_written_ = 0;
  Picoseconds first_result_ = 0;
  Picoseconds last_result_ = 0;
  Picoseconds last_visible_ = 0;
  std::vector<Picoseconds> visible_at_;  // by written burst modulo the number of buffers
  std::vector<std::byte> result_;        // empty without data
};

}  // namespace podsim::tensor_core
