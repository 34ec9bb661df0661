// Puts a module together, instruction by instruction; shapes of results follow from those of the operands. Transfers
// are written as started where they are asked for; wait() says where they are waited for, and what is not waited for by
// then is waited for right before its first user, or at the end.
//
// What does not fit together throws ModuleError, naming the instruction.
#pragma once

#include <initializer_list>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "firmware/module/module.h"

namespace podsim::firmware {

struct ModuleError : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

// A result, or a part of one, of the shape that it is taken for.
struct Value {
  std::size_t number = 0;
};

// What holds for instructions besides what they do.
struct Attributes {
  std::vector<Value> after{};  // that must have ended before, for another reason than that they are read
  std::vector<bool> chips{};   // that execute them; empty: all
  std::string written_at{};    // "run.yaml:12"; empty for programs of C++
};

class ModuleBuilder {
 public:
  // `torus` outlives the builder.
  ModuleBuilder(std::string name, const ici::TorusShape& torus);

  Value parameter(const std::string& name, TensorShape shape);

  // a[m][k] b[k][n]; outer dimensions of a are taken together. `result`: of the product, the operands' type if left
  // out.
  Value matmul(const std::string& name, Value a, Value b, std::optional<DType> result = {});
  // Element by element; b has a's shape.
  Value elementwise(const std::string& name, tensor_core::Opcode op, Value a, Value b);
  // Of each row, over the last dimension.
  Value softmax(const std::string& name, Value a);
  Value reduce(const std::string& name, tensor_core::Opcode op, Value a);
  // q, k, v: [heads, tokens, head_dim], k and v of as many tokens as each other.
  Value attention(const std::string& name, Value q, Value k, Value v);

  // Along dimension `dim`, over chips that differ in `axes`; no axes: all of the pod's.
  using Axes = std::vector<ici::Axis>;
  Value all_gather(const std::string& name, Value of, unsigned dim, const Axes& axes);
  Value reduce_scatter(const std::string& name, Value of, unsigned dim, const Axes& axes);
  Value all_reduce(const std::string& name, Value of, const Axes& axes);
  // Dimension `split` is cut, and the pieces that come are joined along `concat`.
  Value all_to_all(const std::string& name, Value of, unsigned split, unsigned concat, const Axes& axes);
  // To the chip `by` further on along the axis, round it.
  Value permute(const std::string& name, Value of, ici::Axis axis, int by);

  // `pinned`: into memory that the PCIe path can reach; else a CPU copies to and from such memory
  // (pcie/host_staging.h).
  Value host_out(const std::string& name, Value of, bool pinned = true);
  // What a host_out has put there.
  Value host_in(const std::string& name, Value of);

  // All elements of the operands, one operand behind the other.
  Value concat(const std::string& name, const std::vector<Value>& of);

  // Data that is taken to have another shape of as many elements. Costs nothing: the reader reads what there is.
  Value reshape(Value of, TensorShape shape);
  // Part `part` of `parts` along the first dimension, which can be cut into so many. Costs nothing either.
  Value slice(Value of, std::uint64_t part, std::uint64_t parts);

  // Of all instructions that are added from here on, until others are set. Parameters have none but where they are
  // written.
  void set(Attributes attributes) { attributes_ = std::move(attributes); }
  // Runs the transfer that was added last to its end where it stands: no start and done.
  void synchronous();
  void wait(Value transfer);

  [[nodiscard]] const TensorShape& shape(Value value) const { return values_[value.number].shape; }
  // Waits for what has not been waited for. The builder is used up.
  [[nodiscard]] Module finish();

 private:
  // `of`: the operands.
  Value add(Instruction instruction, const std::vector<Value>& of = {});
  void add_attributes(Instruction& instruction);
  void check(const Instruction& instruction) const;
  [[nodiscard]] std::uint64_t group_size(const Axes& axes) const;
  CollectiveCall call(CollectiveKind kind, const Axes& axes, const TensorShape& whole) const;
  void wait_for(std::size_t instruction);
  [[nodiscard]] const Operand& known(Value value) const { return values_.at(value.number); }
  void require_dim(const std::string& name, const TensorShape& shape, unsigned dim) const;
  [[noreturn]] void fail(const std::string& name, const std::string& what) const;

  const ici::TorusShape& torus_;
  Module module_;
  Attributes attributes_;
  std::vector<Operand> values_;  // by number
  std::vector<bool> under_way_;  // by instruction
};

}  // namespace podsim::firmware
