#include "firmware/kernels/vector_kernels.h"

#include <memory>

#include "firmware/kernels/kernel.h"
#include "firmware/kernels/stream.h"

namespace podsim::firmware {

namespace {

using Inputs = std::vector<Buffer>;

// One core's part.
class VectorKernel {
 public:
  VectorKernel(Device& chip, const KernelCall& call, const Operands& in, const Buffer& out, unsigned core)
      : chip_(chip),
        call_(call),
        core_(core),
        operands_(kernel_operands(call, in)),
        result_(kernel_result(call, out)),
        sums_(tensor_core::sum_type(call.type)) {
    const TiledMatrix& a = operands_.front();
    // Elementwise has one row of tiles, the others share its rows.
    across_ = a.tiles_across();
    const bool one_row = call.kind == KernelKind::kElementwise;
    rows_ = one_row ? Range{0, 1} : Range{0, a.tiles_down()}.part(core, call.cores);
    columns_ = one_row ? Range{0, across_}.part(core, call.cores) : Range{0, across_};
    passes_ = call.kind == KernelKind::kSoftmax && across_ > 1 ? 2 : 1;

    const std::uint64_t tile = call.tiles.m * call.tiles.n;
    const bool reduces = call.kind == KernelKind::kReduce;
    places_ = stream_places(chip, call.buffers, std::vector<std::uint64_t>(operands_.size(), tile), call.type,
                            reduces ? call.tiles.m : tile, call.result);
    Allocator& allocate = chip.allocate();
    if (call.kind == KernelKind::kSoftmax) {
      powers_ = allocate.vmem(tile, DType::kF32);
      for (Buffer& each : largest_) each = allocate.vmem(call.tiles.m, DType::kF32);
      scale_ = allocate.vmem(call.tiles.m, DType::kF32);
      sum_ = allocate.vmem(call.tiles.m, DType::kF32);
    }
    if (reduces) {
      for (Buffer& each : largest_) each = allocate.vmem(call.tiles.m, sums_);
    }
    plan_.steps = rows_.size() * columns_.size() * passes_;
    plan_.step = [this](std::uint64_t number) { return step(number); };
    plan_.commands = [this](std::uint64_t number, const Inputs& inputs, const Buffer& output, CommandIssue& issue) {
      commands(place(number), inputs, output, issue);
    };
  }

  [[nodiscard]] Task run() { return run_stream(chip_, core_, plan_, places_); }

 private:
  struct Place {
    std::uint64_t i, j, pass;
    std::uint64_t rows, columns;
    bool first, last;  // of the row's tiles
  };
  [[nodiscard]] Place place(std::uint64_t number) const {
    const std::uint64_t in_row = number % (columns_.size() * passes_);
    const std::uint64_t i = rows_.first + number / (columns_.size() * passes_);
    const std::uint64_t j = columns_.first + in_row % columns_.size();
    const TiledMatrix& a = operands_.front();
    return {i, j, in_row / columns_.size(), a.rows_in(i), a.columns_in(j), j == 0, j + 1 == across_};
  }

  [[nodiscard]] StreamStep step(std::uint64_t number) const {
    const Place at = place(number);
    StreamStep step;
    for (const TiledMatrix& operand : operands_) step.inputs.push_back(operand.tile(at.i, at.j));
    if (call_.kind == KernelKind::kReduce) {
      if (at.last) step.output = result_.tile(at.i, 0);
    } else if (at.pass + 1 == passes_) {
      step.output = result_.tile(at.i, at.j);
    }
    return step;
  }

  void commands(const Place& at, const Inputs& inputs, const Buffer& output, CommandIssue& issue) const {
    switch (call_.kind) {
      case KernelKind::kElementwise: return issue(elementwise_command(call_.operation, inputs[0], inputs[1], output));
      case KernelKind::kReduce: return reduce(at, inputs[0], output, issue);
      default: break;
    }
    if (passes_ == 1) return softmax(at, inputs[0], output, issue);
    at.pass == 0 ? collect(at, inputs[0], issue) : divide(at, inputs[0], output, issue);
  }

  void reduce(const Place& at, const Buffer& a, const Buffer& output, CommandIssue& issue) const {
    const Buffer before = at.first ? Buffer{} : largest_[(at.j + 1) % 2].slice({0, at.rows});
    const Buffer after = at.last ? output : largest_[at.j % 2].slice({0, at.rows});
    issue(rows_command(call_.operation, a, at.columns, before, after));
  }

  // exp(a - largest), in f32.
  [[nodiscard]] Command power(const Place& at, const Buffer& a, const Buffer& largest) const {
    return rows_command(Opcode::kRowExp, a, at.columns, largest, powers_.slice({0, a.elements}));
  }

  void softmax(const Place& at, const Buffer& a, const Buffer& output, CommandIssue& issue) const {
    const Buffer largest = largest_[0].slice({0, at.rows});
    const Buffer sum = sum_.slice({0, at.rows});
    issue(rows_command(Opcode::kRowMax, a, at.columns, {}, largest));
    issue(power(at, a, largest));
    issue(rows_command(Opcode::kRowSum, powers_.slice({0, a.elements}), at.columns, {}, sum));
    issue(rows_command(Opcode::kRowDivide, powers_.slice({0, a.elements}), at.columns, sum, output));
  }

  // Maximum and sum of the tiles so far.
  void collect(const Place& at, const Buffer& a, CommandIssue& issue) const {
    const Buffer before = largest_[(at.j + 1) % 2].slice({0, at.rows});
    const Buffer largest = largest_[at.j % 2].slice({0, at.rows});
    const Buffer scale = scale_.slice({0, at.rows});
    const Buffer sum = sum_.slice({0, at.rows});
    issue(rows_command(Opcode::kRowMax, a, at.columns, at.first ? Buffer{} : before, largest));
    if (!at.first) {
      issue(rows_command(Opcode::kRowExp, before, 1, largest, scale));
      issue(elementwise_command(Opcode::kMultiply, sum, scale, sum));
    }
    issue(power(at, a, largest));
    issue(rows_command(Opcode::kRowSum, powers_.slice({0, a.elements}), at.columns, at.first ? Buffer{} : sum, sum));
  }

  void divide(const Place& at, const Buffer& a, const Buffer& output, CommandIssue& issue) const {
    const Buffer largest = largest_[(across_ - 1) % 2].slice({0, at.rows});
    issue(power(at, a, largest));
    issue(
        rows_command(Opcode::kRowDivide, powers_.slice({0, a.elements}), at.columns, sum_.slice({0, at.rows}), output));
  }

  Device& chip_;
  const KernelCall& call_;
  const unsigned core_;
  const std::vector<TiledMatrix> operands_;
  const TiledMatrix result_;
  const DType sums_;
  std::uint64_t across_ = 1;
  Range rows_, columns_;
  std::uint64_t passes_ = 1;
  StreamPlaces places_;
  Buffer powers_;      // softmax: exp of a tile
  Buffer largest_[2];  // of a row's tiles so far (reduce: what it comes to), and of one tile less
  Buffer scale_, sum_;
  StreamPlan plan_;
};

}  // namespace

Bytes vector_kernel_vmem(const KernelCall& call, const Tiles& tiles) {
  const auto room = [](std::uint64_t elements, DType type) {
    return TiledMatrix::divide_up(elements * tensor_core::size_of(type), 512) * 512;
  };
  const std::uint64_t tile = tiles.m * tiles.n;
  const std::uint64_t operands = operand_elements(call).size();
  const bool reduces = call.kind == KernelKind::kReduce;
  const Bytes buffers = call.buffers * (operands * room(tile, call.type) + room(reduces ? tiles.m : tile, call.result));
  if (call.kind == KernelKind::kSoftmax) return buffers + room(tile, DType::kF32) + 4 * room(tiles.m, DType::kF32);
  return buffers + (reduces ? 2 * room(tiles.m, DType::kF32) : 0);
}

Task run_vector_kernel(Device& chip, KernelCall call, Operands in, Buffer out) {
  std::vector<std::unique_ptr<VectorKernel>> parts;
  for (unsigned core = 0; core < call.cores; ++core) {
    parts.push_back(std::make_unique<VectorKernel>(chip, call, in, out, core));
  }
  co_await launch_delay(chip);
  std::vector<Token> others;
  for (unsigned core = 1; core < call.cores; ++core) others.push_back(chip.spawn(parts[core]->run()));
  co_await parts.front()->run();
  for (Token& other : others) co_await other;
}

}  // namespace podsim::firmware
