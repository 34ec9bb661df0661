#include "firmware/module/builder.h"

#include <fmt/format.h>

#include <algorithm>

#include "firmware/collectives/collective.h"

namespace podsim::firmware {

ModuleBuilder::ModuleBuilder(std::string name, const ici::TorusShape& torus) : torus_(torus) {
  module_.name = std::move(name);
}

void ModuleBuilder::fail(const std::string& name, const std::string& what) const {
  throw ModuleError(fmt::format("{}: {}", name, what));
}

void ModuleBuilder::require_dim(const std::string& name, const TensorShape& shape, unsigned dim) const {
  if (dim < shape.dims.size()) return;
  fail(name, fmt::format("there is no dimension {} in {}", dim, to_string(shape)));
}

// What overflows, or is nothing at all, no chip can hold.
void ModuleBuilder::check(const Instruction& instruction) const {
  constexpr Wide kMost = kOffsetMask;
  Wide bytes = tensor_core::size_of(instruction.result.type);
  for (const std::uint64_t dim : instruction.result.dims) {
    if (dim == 0) fail(instruction.name, fmt::format("{} has no elements", to_string(instruction.result)));
    bytes *= dim;
    if (bytes > kMost) {
      fail(instruction.name, fmt::format("{} is more than any chip could hold", to_string(instruction.result)));
    }
  }
  if (const auto* const call = std::get_if<KernelCall>(&instruction.work)) {
    if (const auto fault = check_call(*call)) fail(instruction.name, fault->text);
  }
}

void ModuleBuilder::add_attributes(Instruction& instruction) {
  instruction.written_at = attributes_.written_at;
  if (instruction.is_parameter()) return;
  instruction.chips = attributes_.chips;
  for (const Value each : attributes_.after) instruction.after.push_back(known(each).instruction);
}

Value ModuleBuilder::add(Instruction instruction, const std::vector<Value>& of) {
  for (const Value each : of) instruction.operands.push_back(known(each));
  for (const Instruction& other : module_.instructions) {
    if (other.name == instruction.name) fail(instruction.name, "there is another instruction of that name");
  }
  check(instruction);
  add_attributes(instruction);
  // What it reads, and what it comes after, must be there.
  for (const Operand& operand : instruction.operands) wait_for(operand.instruction);
  for (const std::size_t other : instruction.after) wait_for(other);
  const std::size_t number = module_.instructions.size();
  const bool transfer = instruction.is_transfer();
  if (!instruction.is_parameter()) {
    module_.written.push_back({transfer ? Slot::Kind::kStart : Slot::Kind::kRun, number});
  }
  under_way_.push_back(transfer);
  values_.push_back({number, 0, instruction.result});
  module_.instructions.push_back(std::move(instruction));
  return {values_.size() - 1};
}

void ModuleBuilder::wait_for(std::size_t instruction) {
  if (!under_way_[instruction]) return;
  under_way_[instruction] = false;
  module_.written.push_back({Slot::Kind::kDone, instruction});
}

void ModuleBuilder::wait(Value transfer) { wait_for(known(transfer).instruction); }

void ModuleBuilder::synchronous() {
  if (!module_.instructions.empty()) wait_for(module_.instructions.size() - 1);
}

Module ModuleBuilder::finish() {
  for (std::size_t i = 0; i < under_way_.size(); ++i) wait_for(i);
  return std::move(module_);
}

Value ModuleBuilder::parameter(const std::string& name, TensorShape shape) {
  return add({.name = name, .work = Parameter{}, .result = std::move(shape)});
}

Value ModuleBuilder::reshape(Value of, TensorShape shape) {
  const Operand old = known(of);
  if (old.shape.bytes() != shape.bytes()) {
    fail(module_.instructions[old.instruction].name,
         fmt::format("can't be taken for {}: it is {}", to_string(shape), to_string(old.shape)));
  }
  values_.push_back({old.instruction, old.first, std::move(shape)});
  return {values_.size() - 1};
}

Value ModuleBuilder::slice(Value of, std::uint64_t part, std::uint64_t parts) {
  Operand cut = known(of);
  if (part >= parts) fail(module_.instructions[cut.instruction].name, fmt::format("part {} of {}", part, parts));
  if (cut.shape.dims.empty() || cut.shape.dims[0] % parts != 0) {
    fail(module_.instructions[cut.instruction].name,
         fmt::format("{} can't be cut into {} equal parts", to_string(cut.shape), parts));
  }
  cut.shape.dims[0] /= parts;
  cut.first += part * cut.shape.elements();
  values_.push_back(std::move(cut));
  return {values_.size() - 1};
}

// --- kernels ---------------------------------------------------------------------------------------------------------

Value ModuleBuilder::matmul(const std::string& name, Value a, Value b, std::optional<DType> result) {
  const TensorShape &left = shape(a), &right = shape(b);
  if (left.dims.empty() || right.dims.size() != 2 || left.columns() != right.dims[0] || left.type != right.type) {
    fail(name,
         fmt::format("a product of {} and {}: the second must be a matrix with as many rows as the first has columns",
                     to_string(left), to_string(right)));
  }
  KernelCall call{.kind = KernelKind::kMatmul, .type = left.type, .result = result.value_or(left.type)};
  call.m = left.rows();
  call.k = left.columns();
  call.n = right.dims[1];
  TensorShape out{left.dims, call.result};
  out.dims.back() = call.n;
  return add({.name = name, .work = std::move(call), .result = std::move(out)}, {a, b});
}

Value ModuleBuilder::elementwise(const std::string& name, tensor_core::Opcode op, Value a, Value b) {
  const TensorShape &left = shape(a), &right = shape(b);
  if (left.elements() != right.elements() || left.type != right.type) {
    fail(name, fmt::format("{} and {} differ", to_string(left), to_string(right)));
  }
  KernelCall call{.kind = KernelKind::kElementwise, .type = left.type, .result = left.type};
  call.n = left.elements();
  call.operation = op;
  return add({.name = name, .work = std::move(call), .result = left}, {a, b});
}

Value ModuleBuilder::softmax(const std::string& name, Value a) {
  const TensorShape& in = shape(a);
  KernelCall call{.kind = KernelKind::kSoftmax, .type = in.type, .result = in.type};
  call.m = in.rows();
  call.n = in.columns();
  return add({.name = name, .work = std::move(call), .result = in}, {a});
}

Value ModuleBuilder::reduce(const std::string& name, tensor_core::Opcode op, Value a) {
  const TensorShape& in = shape(a);
  KernelCall call{.kind = KernelKind::kReduce, .type = in.type, .result = tensor_core::sum_type(in.type)};
  call.m = in.rows();
  call.n = in.columns();
  call.operation = op;
  TensorShape out{in.dims, call.result};
  if (!out.dims.empty()) out.dims.pop_back();
  return add({.name = name, .work = std::move(call), .result = std::move(out)}, {a});
}

Value ModuleBuilder::attention(const std::string& name, Value q, Value k, Value v) {
  const TensorShape &queries = shape(q), &keys = shape(k), &values = shape(v);
  const bool fits = queries.dims.size() == 3 && keys.dims == values.dims && keys.dims.size() == 3 &&
                    keys.dims[0] == queries.dims[0] && keys.dims[2] == queries.dims[2] && keys.type == queries.type &&
                    values.type == queries.type;
  if (!fits) {
    fail(name, fmt::format("expected [heads, tokens, head_dim] of each, got {}, {} and {}", to_string(queries),
                           to_string(keys), to_string(values)));
  }
  KernelCall call{.kind = KernelKind::kAttention, .type = queries.type, .result = queries.type};
  call.heads = queries.dims[0];
  call.m = queries.dims[1];
  call.k = queries.dims[2];
  call.n = keys.dims[1];
  return add({.name = name, .work = std::move(call), .result = queries}, {q, k, v});
}

// --- transfers -------------------------------------------------------------------------------------------------------

std::uint64_t ModuleBuilder::group_size(const Axes& axes) const {
  std::uint64_t size = 1;
  for (const ici::Axis axis : axes) size *= torus_.axis(axis).size;
  return axes.empty() ? torus_.chips() : size;
}

CollectiveCall ModuleBuilder::call(CollectiveKind kind, const Axes& axes, const TensorShape& whole) const {
  CollectiveCall call;
  call.kind = kind;
  call.axes = axes;
  call.type = whole.type;
  call.elements = whole.elements();
  return call;
}

Value ModuleBuilder::all_gather(const std::string& name, Value of, unsigned dim, const Axes& axes) {
  TensorShape whole = shape(of);
  require_dim(name, whole, dim);
  whole.dims[dim] *= group_size(axes);
  return add({.name = name, .work = call(CollectiveKind::kAllGather, axes, whole), .result = whole, .dim = dim}, {of});
}

Value ModuleBuilder::reduce_scatter(const std::string& name, Value of, unsigned dim, const Axes& axes) {
  const TensorShape& whole = shape(of);
  require_dim(name, whole, dim);
  TensorShape part = whole;
  if (whole.dims[dim] % group_size(axes) != 0) {
    fail(name,
         fmt::format("dimension {} of {} can't be cut into {} equal parts", dim, to_string(whole), group_size(axes)));
  }
  part.dims[dim] /= group_size(axes);
  return add(
      {.name = name, .work = call(CollectiveKind::kReduceScatter, axes, whole), .result = std::move(part), .dim = dim},
      {of});
}

Value ModuleBuilder::all_reduce(const std::string& name, Value of, const Axes& axes) {
  return add({.name = name, .work = call(CollectiveKind::kAllReduce, axes, shape(of)), .result = shape(of)}, {of});
}

Value ModuleBuilder::all_to_all(const std::string& name, Value of, unsigned split, unsigned concat, const Axes& axes) {
  const TensorShape& in = shape(of);
  require_dim(name, in, split);
  require_dim(name, in, concat);
  if (in.dims[split] % group_size(axes) != 0) {
    fail(name,
         fmt::format("dimension {} of {} can't be cut into {} equal parts", split, to_string(in), group_size(axes)));
  }
  TensorShape out = in;
  out.dims[split] /= group_size(axes);
  out.dims[concat] *= group_size(axes);
  return add({.name = name,
              .work = call(CollectiveKind::kAllToAll, axes, in),
              .result = std::move(out),
              .dim = split,
              .concat = concat},
             {of});
}

Value ModuleBuilder::permute(const std::string& name, Value of, ici::Axis axis, int by) {
  CollectiveCall permute = call(CollectiveKind::kCollectivePermute, {}, shape(of));
  const auto size = static_cast<std::int64_t>(torus_.axis(axis).size);
  for (std::uint32_t i = 0; i < torus_.chips(); ++i) {
    const auto from = static_cast<ChipId>(i);
    ici::Coordinates to = torus_.coordinates(from);
    auto& along = to[static_cast<std::size_t>(axis)];
    along = static_cast<std::uint32_t>(((along + std::int64_t{by}) % size + size) % size);
    permute.pairs.emplace_back(from, torus_.chip_at(to));
  }
  return add({.name = name, .work = std::move(permute), .result = shape(of)}, {of});
}

Value ModuleBuilder::concat(const std::string& name, const std::vector<Value>& of) {
  if (of.empty()) fail(name, "joins nothing");
  TensorShape whole{{0}, shape(of.front()).type};
  for (const Value each : of) {
    if (shape(each).type != whole.type) fail(name, "operands of different types");
    whole.dims[0] += shape(each).elements();
  }
  return add({.name = name, .work = Concat{}, .result = std::move(whole)}, of);
}

Value ModuleBuilder::host_out(const std::string& name, Value of, bool pinned) {
  return add({.name = name, .work = HostTransfer{true, pinned}, .result = shape(of)}, {of});
}

Value ModuleBuilder::host_in(const std::string& name, Value of) {
  const auto* const there = std::get_if<HostTransfer>(&module_.instructions[known(of).instruction].work);
  if (there == nullptr || !there->out) fail(name, "fetches something that is not on the host");
  return add({.name = name, .work = HostTransfer{false, there->pinned}, .result = shape(of)}, {of});
}

}  // namespace podsim::firmware
