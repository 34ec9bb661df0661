#include "firmware/kernels/attention.h"

#include <cmath>
#include <memory>
#include <utility>

#include "firmware/device/commands.h"
#include "firmware/kernels/kernel.h"
#include "models/tensor_core/command_footprint.h"

namespace podsim::firmware {

namespace {

constexpr unsigned kWorkers = 2;  // of a core: tiles of queries that it works on at a time

// Works on one tile of queries after the other.
class Worker {
 public:
  Worker(Device& chip, const KernelCall& call, const Operands& in, const Buffer& out, unsigned core)
      : chip_(chip), call_(call), core_(core), out_(out) {
    for (unsigned i = 0; i < 3; ++i) operands_[i] = in[i];
    Allocator& allocate = chip.allocate();
    const Tiles& tiles = call.tiles;
    queries_ = allocate.vmem(tiles.m * call.k, call.type);
    for (unsigned i = 0; i < call.buffers; ++i) {
      keys_.push_back(allocate.vmem(tiles.n * call.k, call.type));
      values_.push_back(allocate.vmem(tiles.n * call.k, call.type));
    }
    scores_ = allocate.vmem(tiles.m * tiles.n, DType::kF32);
    powers_ = allocate.vmem(tiles.m * tiles.n, call.type);
    sums_ = allocate.vmem(tiles.m * call.k, DType::kF32);
    result_ = allocate.vmem(tiles.m * call.k, call.result);
    for (Buffer& each : largest_) each = allocate.vmem(tiles.m, DType::kF32);
    scale_ = allocate.vmem(tiles.m, DType::kF32);
    sum_ = allocate.vmem(tiles.m, DType::kF32);
    q_here_ = allocate.dma_semaphores("queries", 1)[0];
    k_here_ = allocate.dma_semaphores("keys", call.buffers);
    v_here_ = allocate.dma_semaphores("values", call.buffers);
    scored_ = allocate.dma_semaphores("scores", 1)[0];
    worked_ = allocate.dma_semaphores("softmax", 1)[0];
    summed_ = allocate.dma_semaphores("result sums", 1)[0];
    sent_ = allocate.dma_semaphores("result", 1)[0];
  }

  // Tiles of queries `first`, `first + step`, ... below `end`.
  [[nodiscard]] Task run(std::uint64_t first, std::uint64_t step, std::uint64_t end) {
    for (std::uint64_t tile = first; tile < end; tile += step) co_await one_tile(tile);
    if (sending_ > 0) co_await chip_.wait(sent_, sending_);
  }

 private:
  [[nodiscard]] std::uint64_t tiles_down() const { return (call_.m + call_.tiles.m - 1) / call_.tiles.m; }
  [[nodiscard]] std::uint64_t steps() const { return (call_.n + call_.tiles.n - 1) / call_.tiles.n; }
  [[nodiscard]] std::uint64_t keys_in(std::uint64_t j) const {
    return std::min(call_.tiles.n, call_.n - j * call_.tiles.n);
  }
  // Rows [first, first + rows) of a head in a matrix of so many rows a head.
  [[nodiscard]] Buffer rows_of(const Buffer& matrix, std::uint64_t head, std::uint64_t rows_a_head, std::uint64_t first,
                               std::uint64_t rows) const {
    const std::uint64_t start = (head * rows_a_head + first) * call_.k;
    return matrix.slice({start, start + rows * call_.k});
  }
  [[nodiscard]] Buffer tile_here(const std::vector<Buffer>& places, std::uint64_t j) const {
    return places[j % places.size()].slice({0, keys_in(j) * call_.k});
  }
  void fetch(std::uint64_t head, std::uint64_t j, bool keys) {
    if (j >= steps()) return;
    const Buffer from = rows_of(operands_[keys ? 1 : 2], head, call_.n, j * call_.tiles.n, keys_in(j));
    start_split_copy(chip_, from, tile_here(keys ? keys_ : values_, j), (keys ? k_here_ : v_here_)[j % call_.buffers]);
  }
  void vector(const Command& command) {
    chip_.start(core_, command, worked_);
    working_ += tensor_core::footprint_of(command).destination;
  }

  [[nodiscard]] Task one_tile(std::uint64_t tile) {
    const std::uint64_t head = tile / tiles_down();
    const std::uint64_t first = tile % tiles_down() * call_.tiles.m;
    const std::uint64_t rows = std::min(call_.tiles.m, call_.m - first);
    const Buffer queries = queries_.slice({0, rows * call_.k});
    start_split_copy(chip_, rows_of(operands_[0], head, call_.m, first, rows), queries, q_here_);
    for (std::uint64_t j = 0; j < call_.buffers; ++j) {
      fetch(head, j, true);
      fetch(head, j, false);
    }
    co_await chip_.wait(q_here_, queries.bytes());

    const Buffer sums = sums_.slice({0, rows * call_.k});
    for (std::uint64_t j = 0; j < steps(); ++j) {
      const Buffer keys = tile_here(keys_, j), values = tile_here(values_, j);
      const Buffer scores = scores_.slice({0, rows * keys_in(j)}), powers = powers_.slice({0, rows * keys_in(j)});
      co_await chip_.wait(k_here_[j % call_.buffers], keys.bytes());
      co_await chip_.start(
          core_, matmul_command(queries, keys, scores, {rows, call_.k, keys_in(j)}, {.transpose_b = true}), scored_);
      fetch(head, j + call_.buffers, true);
      weigh(j, rows, scores, powers);
      if (j > 0) vector(rows_command(Opcode::kRowMultiply, sums, call_.k, scale_.slice({0, rows}), sums));
      co_await chip_.wait(worked_, std::exchange(working_, 0));
      co_await chip_.wait(v_here_[j % call_.buffers], values.bytes());
      co_await chip_.start(
          core_, matmul_command(powers, values, sums, {rows, keys_in(j), call_.k}, {.accumulate = j > 0}), summed_);
      fetch(head, j + call_.buffers, false);
    }

    const Buffer to = rows_of(out_, head, call_.m, first, rows);
    const Buffer result = result_.slice({0, to.elements});
    if (sending_ > 0) co_await chip_.wait(sent_, std::exchange(sending_, 0));
    vector(rows_command(Opcode::kRowDivide, sums, call_.k, sum_.slice({0, rows}), result));
    co_await chip_.wait(worked_, std::exchange(working_, 0));
    chip_.start_copy(result, to, sent_);
    sending_ = to.bytes();
  }

  // Turns a tile's scores into powers, and brings maximum, sum and scale of each row up to date.
  void weigh(std::uint64_t j, std::uint64_t rows, const Buffer& scores, const Buffer& powers) {
    const auto root = static_cast<float>(1 / std::sqrt(static_cast<double>(call_.k)));
    const std::uint64_t columns = keys_in(j);
    const Buffer before = j == 0 ? Buffer{} : largest_[(j + 1) % 2].slice({0, rows});
    const Buffer largest = largest_[j % 2].slice({0, rows});
    const Buffer scale = scale_.slice({0, rows}), sum = sum_.slice({0, rows});
    vector(rows_command(Opcode::kRowMax, scores, columns, before, largest));
    vector(rows_command(Opcode::kRowExp, scores, columns, largest, powers, root));
    if (j > 0) {
      vector(rows_command(Opcode::kRowExp, before, 1, largest, scale, root));
      vector(elementwise_command(Opcode::kMultiply, sum, scale, sum));
    }
    vector(rows_command(Opcode::kRowSum, powers, columns, j == 0 ? Buffer{} : sum, sum));
  }

  Device& chip_;
  const KernelCall& call_;
  const unsigned core_;
  const Buffer out_;
  Buffer operands_[3];
  Buffer queries_;
  std::vector<Buffer> keys_, values_;  // by buffer
  Buffer scores_, powers_, sums_, result_;
  Buffer largest_[2];  // of each row, up to this tile and up to the one before
  Buffer scale_, sum_;
  DmaSemaphore q_here_, scored_, worked_, summed_, sent_;
  SemaphoreArray<DmaSemaphore> k_here_, v_here_;
  Bytes working_ = 0;  // what vector commands under way will have written
  Bytes sending_ = 0;  // of a result on its way back
};

}  // namespace

Bytes attention_vmem(const KernelCall& call, const Tiles& tiles) {
  const auto room = [](std::uint64_t elements, DType type) {
    return (elements * tensor_core::size_of(type) + 511) / 512 * 512;
  };
  return kWorkers *
         (room(tiles.m * call.k, call.type) + 2 * call.buffers * room(tiles.n * call.k, call.type) +
          room(tiles.m * tiles.n, DType::kF32) + room(tiles.m * tiles.n, call.type) +
          room(tiles.m * call.k, DType::kF32) + room(tiles.m * call.k, call.result) + 4 * room(tiles.m, DType::kF32));
}

Task run_attention(Device& chip, KernelCall call, Operands in, Buffer out) {
  std::vector<std::unique_ptr<Worker>> workers;
  for (unsigned i = 0; i < kWorkers * call.cores; ++i) {
    workers.push_back(std::make_unique<Worker>(chip, call, in, out, i / kWorkers));
  }
  co_await launch_delay(chip);
  const std::uint64_t tiles = call.heads * ((call.m + call.tiles.m - 1) / call.tiles.m);
  std::vector<Token> others;
  for (unsigned i = 1; i < workers.size(); ++i) others.push_back(chip.spawn(workers[i]->run(i, workers.size(), tiles)));
  co_await workers.front()->run(0, workers.size(), tiles);
  for (Token& other : others) co_await other;
}

}  // namespace podsim::firmware
