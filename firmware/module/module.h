// A program as a graph of instructions on tensors, as a compiler's back end hands it over: each instruction reads the
// results of others, takes its time on the chip, and leaves a result in a buffer of its own. All chips execute the same
// module (SPMD), each on its own data; shapes are those of one chip.
//
// What computes is a kernel: the program goes on when it has ended. What transfers (collectives, copies to and from the
// host) may be started, and waited for later; its result must not be read before.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "firmware/collectives/call.h"
#include "firmware/kernels/kernel_call.h"
#include "firmware/module/slot.h"

namespace podsim::firmware {

// Of one chip. Row-major, the last dimension innermost.
struct TensorShape {
  std::vector<std::uint64_t> dims;
  DType type = DType::kBf16;

  [[nodiscard]] std::uint64_t elements() const;
  [[nodiscard]] Bytes bytes() const { return elements() * tensor_core::size_of(type); }
  // Rows and columns of the matrix that it is with its outer dimensions taken together.
  [[nodiscard]] std::uint64_t columns() const { return dims.empty() ? 1 : dims.back(); }
  [[nodiscard]] std::uint64_t rows() const { return elements() / std::max<std::uint64_t>(1, columns()); }
};
// "bf16[4096, 1024]"
[[nodiscard]] std::string to_string(const TensorShape& shape);

// Data that is there before the module runs: weights, inputs.
struct Parameter {};
// A copy out to this chip's host memory, or back in.
struct HostTransfer {
  bool out = true;
  bool pinned = true;
};
// The operands one behind the other, copied within HBM: a bucket for a collective.
struct Concat {};
using Work = std::variant<Parameter, KernelCall, CollectiveCall, HostTransfer, Concat>;

// What an instruction reads: the result of another, or a part of it, which it takes for a tensor of that shape.
struct Operand {
  std::size_t instruction = 0;
  std::uint64_t first = 0;  // element
  TensorShape shape{};
};

struct Instruction {
  std::string name;
  Work work;
  std::vector<Operand> operands{};
  std::vector<std::size_t> after{};  // that must have ended before for another reason
  TensorShape result{};              // lies in HBM, but for a copy out, which is in host memory
  // Of all-gather, reduce-scatter and all-to-all: the dimension that is joined, cut, or cut before `concat` is joined.
  unsigned dim = 0, concat = 0;
  std::vector<bool> chips{};  // that execute it; empty: all
  std::string written_at{};   // "run.yaml:12"; empty for programs of C++

  [[nodiscard]] bool is_parameter() const { return std::holds_alternative<Parameter>(work); }
  // Is started and waited for; else run.
  [[nodiscard]] bool is_transfer() const { return !is_parameter() && !std::holds_alternative<KernelCall>(work); }
  [[nodiscard]] bool executed_by(ChipId chip) const { return chips.empty() || chips[index(chip)]; }
};

struct Module {
  std::string name;
  std::vector<Instruction> instructions;  // each after those that it needs
  Order written;                          // without the parameters
};

// "matmul", "all_reduce", "host_out", ...
[[nodiscard]] std::string work_name(const Work& work);
// Operations that a kernel's result stands for; 0 for others.
[[nodiscard]] double flops_of(const Instruction& instruction);
[[nodiscard]] double flops_of(const Module& module);

}  // namespace podsim::firmware
