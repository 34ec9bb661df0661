// The matrix unit: the core's MXUs working on one product after the other. A product goes through three overlapping
// stages:
//
//   read     both operands come in as bursts, in equal proportion. An operand in VMEM is read as often as it streams: a
//            once for every round of column stripes that the arrays hold, b once. Others come in once.
//   compute  starts with the first bytes of both operands and takes the systolic arrays' cycles, or as long as reading
//   write    results stream out from the time the first column stripe has been summed over all of K, or when the last
//            operand has been read, whichever is later, until the arrays have drained
//
// So a product that is bound by memory costs its reads and writes, and one that is bound by the arrays costs their
// cycles. Two products are under way at once: while one computes and drains, the operands of the next are read, and its
// first weights loaded into the second set of registers, so that a queue of products keeps the arrays streaming.
#pragma once

#include <vector>

#include "models/tensor_core/command_check.h"
#include "models/tensor_core/execution_unit.h"
#include "models/tensor_core/memory_port.h"
#include "models/tensor_core/systolic_array.h"
#include "models/tensor_core/tensor_core_config.h"
#include "models/tensor_core/tensor_core_statistics.h"

namespace podsim::tensor_core {

// What the products have in common: the arrays, and when they are free.
struct MatrixArrays {
  MatrixArrays(const TensorCoreConfig& core, MemoryPort& port, TensorCoreStatistics& counted);

  // Cycles of a product of that type, at its rate and the sustained share of the peak.
  [[nodiscard]] Picoseconds time_for(std::uint64_t cycles, DType type) const;
  // Takes the arrays for a product whose first operands come at `start` and last ones at `last_read`.
  struct Window {
    Picoseconds begin = 0;  // first weights
    Picoseconds end = 0;    // last result
  };
  [[nodiscard]] Window reserve(const Command& command, Picoseconds start, Picoseconds last_read);

  const TensorCoreConfig config;
  const SystolicArray array;
  MemoryPort& memory;
  TensorCoreStatistics& statistics;

  Picoseconds registers_free = 0;  // the second set of weights may be loaded from here on
  Picoseconds streamed = 0;        // the latest product's last operand has entered
  Picoseconds drained = 0;         // its last result has left
  std::uint64_t begun = 0;         // products, and those that write no more
  std::uint64_t written = 0;
};

class MatrixPass final : public ExecutionUnit {
 public:
  explicit MatrixPass(MatrixArrays& arrays);

  Progress begin(const Command& command, Picoseconds now) override;
  Progress step(Picoseconds now) override;
  [[nodiscard]] bool admits_successor() const override { return stage_ == Stage::kWriting; }

 private:
  enum class Stage : std::uint8_t { kReading, kWriting };
  // One operand on its way in.
  struct Operand {
    Address address = 0;
    Bytes bytes = 0;
    std::uint64_t passes = 1;
    Bytes requested = 0;          // over all passes
    std::vector<std::byte> data;  // empty without data
    [[nodiscard]] Bytes total() const { return bytes * passes; }
  };
  // A burst on its way in.
  struct Fetch {
    tlm::tlm_generic_payload* payload = nullptr;
    Operand* operand = nullptr;
  };

  void prepare(Operand& operand, Address address, Bytes bytes, std::uint64_t passes);
  [[nodiscard]] bool fetch(Picoseconds now);
  void retire();
  [[nodiscard]] bool all_requested() const { return a_.requested == a_.total() && b_.requested == b_.total(); }
  [[nodiscard]] Progress next_read(Picoseconds now) const;
  Progress start_writing(Picoseconds now);
  Progress first_write(Picoseconds now);
  [[nodiscard]] Picoseconds result_time(Bytes offset) const;
  [[nodiscard]] Progress next_write(Picoseconds now) const;
  Progress write_burst(Picoseconds now);
  Progress end(Progress progress);
  Progress fail();

  MatrixArrays& arrays_;
  Command command_;
  Footprint sizes_;
  std::uint64_t number_ = 0;  // of the product
  Stage stage_ = Stage::kReading;
  Operand a_;
  Operand b_;
  std::vector<Fetch> fetches_;  // a ring, oldest at fetched_ modulo its size
  std::uint64_t issued_ = 0;    // bursts requested
  std::uint64_t fetched_ = 0;   // bursts that have arrived
  Picoseconds start_ = 0;       // first bytes of both operands are there
  Picoseconds last_read_ = 0;

  Bytes written_ = 0;
  std::uint64_t bursts_written_ = 0;
  Picoseconds first_result_ = 0;
  Picoseconds last_result_ = 0;
  Picoseconds last_visible_ = 0;
  std::vector<Picoseconds> visible_at_;  // by written burst modulo the number of buffers
  std::vector<std::byte> result_;        // empty without data
};

class MatrixUnit {
 public:
  MatrixUnit(const TensorCoreConfig& config, MemoryPort& memory, TensorCoreStatistics& statistics)
      : arrays_(config, memory, statistics), passes_{MatrixPass(arrays_), MatrixPass(arrays_)} {}
  MatrixUnit(const MatrixUnit&) = delete;
  MatrixUnit& operator=(const MatrixUnit&) = delete;

  // Products take turns on the two.
  [[nodiscard]] MatrixPass& pass(unsigned i) { return passes_[i]; }

 private:
  MatrixArrays arrays_;
  MatrixPass passes_[2];
};

}  // namespace podsim::tensor_core
