#include "firmware/kernels/matmul.h"

#include <algorithm>
#include <optional>

#include "firmware/device/commands.h"
#include "firmware/kernels/kernel.h"

namespace podsim::firmware {

namespace {

// A tile of results is converted in parts, so that the copy of one overlaps the conversion of the next, if it is so
// large that starting their copies costs less.
constexpr std::uint64_t kMostParts = 4;
constexpr Bytes kLeastPart = 512 * kKiB;

// What one core works with.
struct Core {
  unsigned number = 0;
  Range tiles;                                       // of the result, in the order of the loops
  std::vector<Buffer> a, b;                          // by buffer
  Buffer sums[2];                                    // of a tile, and of the next one
  Buffer converted[2];                               // empty if sums are the result
  SemaphoreArray<DmaSemaphore> a_here, b_here;       // by buffer
  SemaphoreArray<DmaSemaphore> multiplied;           // by step modulo 2
  SemaphoreArray<DmaSemaphore> converted_part, out;  // by tile modulo 2
};

// A step multiplies a tile of a by a tile of b.
struct Step {
  std::uint64_t tile;     // of the result, in the order of the loops
  std::uint64_t i, j, k;  // tile of a: i, k; of b: k, j
};

class Matmul {
 public:
  Matmul(Device& device, const KernelCall& asked, const Operands& in, const Buffer& out)
      : chip(device), call(asked), operands(matmul_operands(asked, in, out)) {}

  Device& chip;
  const KernelCall call;
  const MatmulOperands operands;

  [[nodiscard]] std::uint64_t tiles() const { return operands.out.tiles_down() * operands.out.tiles_across(); }
  [[nodiscard]] std::uint64_t steps_a_tile() const { return std::max<std::uint64_t>(1, operands.a.tiles_across()); }
  [[nodiscard]] Step step(const Core& core, std::uint64_t number) const {
    const std::uint64_t tile = core.tiles.first + number / steps_a_tile();
    const std::uint64_t down = operands.out.tiles_down();
    const std::uint64_t across = operands.out.tiles_across();
    const std::uint64_t i = call.rows_first ? tile / across : tile % down;
    const std::uint64_t j = call.rows_first ? tile % across : tile / down;
    return {tile, i, j, number % steps_a_tile()};
  }
  // Where the step's tile of the result is summed up.
  [[nodiscard]] Buffer sums_of(const Core& core, const Step& step) const {
    return core.sums[step.tile % 2].slice({0, operands.out.rows_in(step.i) * operands.out.columns_in(step.j)});
  }
  [[nodiscard]] bool converts() const { return tensor_core::sum_type(call.type) != call.result; }

  [[nodiscard]] Core make_core(unsigned number) const;
  [[nodiscard]] Task run(const Core& core) const;

 private:
  // One operand's tiles on their way into VMEM.
  class Stream {
   public:
    Stream(Device& chip, const std::vector<Buffer>& places, SemaphoreArray<DmaSemaphore> here)
        : chip_(chip), places_(places), here_(here) {}
    // Called for step after step. Starts no copy if the tile is the one of the step before.
    void fetch(const Buffer& tile) {
      const bool same = last_ && last_->address == tile.address;
      if (!same) {
        const std::size_t place = fetched_++ % places_.size();
        start_split_copy(chip_, tile, places_[place].slice({0, tile.elements}), here_[place]);
      }
      last_ = tile;
    }
    // Called for step after step, later. What the step has to wait for: nothing, for a tile that is there already.
    struct Tile {
      Buffer here;
      std::optional<DmaSemaphore> arrival;
    };
    [[nodiscard]] Tile use(const Buffer& tile) {
      const bool same = used_ && used_->address == tile.address;
      if (!same) ++used_count_;
      used_ = tile;
      const std::size_t place = (used_count_ - 1) % places_.size();
      return {places_[place].slice({0, tile.elements}), same ? std::nullopt : std::optional(here_[place])};
    }

   private:
    Device& chip_;
    const std::vector<Buffer>& places_;
    SemaphoreArray<DmaSemaphore> here_;
    std::optional<Buffer> last_, used_;
    std::uint64_t fetched_ = 0;
    std::uint64_t used_count_ = 0;
  };

  [[nodiscard]] Task finish(const Core& core, Step last) const;
};

Core Matmul::make_core(unsigned number) const {
  Allocator& allocate = chip.allocate();
  Core core;
  core.number = number;
  core.tiles = Range{0, tiles()}.part(number, call.cores);
  const auto place = [&](std::uint64_t rows, std::uint64_t columns, DType type) {
    return allocate.vmem(rows * columns, type);
  };
  for (unsigned i = 0; i < call.buffers; ++i) {
    core.a.push_back(place(operands.a.tile_rows, operands.a.tile_columns, call.type));
    core.b.push_back(place(operands.b.tile_rows, operands.b.tile_columns, call.type));
  }
  for (unsigned i = 0; i < 2; ++i) {
    core.sums[i] = place(operands.out.tile_rows, operands.out.tile_columns, tensor_core::sum_type(call.type));
    if (converts()) core.converted[i] = place(operands.out.tile_rows, operands.out.tile_columns, call.result);
  }
  const auto semaphores = [&](const char* name, std::uint64_t count) { return allocate.dma_semaphores(name, count); };
  core.a_here = semaphores("a tile", call.buffers);
  core.b_here = semaphores("b tile", call.buffers);
  core.multiplied = semaphores("product", 2);
  core.converted_part = semaphores("converted", 2);
  core.out = semaphores("result", 2);
  return core;
}

// A tile has been summed: sends it to HBM.
Task Matmul::finish(const Core& core, Step last) const {
  const std::uint64_t slot = last.tile % 2;
  const Buffer to = operands.out.tile(last.i, last.j);
  const Buffer sums = core.sums[slot].slice({0, to.elements});
  if (!converts()) {
    start_split_copy(chip, sums, to, core.out[slot]);
    co_await chip.wait(core.out[slot], to.bytes());
    co_return;
  }
  const Buffer converted = core.converted[slot].slice({0, to.elements});
  const std::uint64_t parts = std::clamp<std::uint64_t>(to.bytes() / kLeastPart, 1, kMostParts);
  for (std::uint64_t part = 0; part < parts; ++part) {
    const Range range = to.all().part(part, parts);
    co_await chip.start(core.number, convert_command(sums.slice(range), converted.slice(range)),
                        core.converted_part[slot]);
    chip.start_copy(converted.slice(range), to.slice(range), core.out[slot]);
  }
  co_await chip.wait(core.out[slot], to.bytes());
}

Task Matmul::run(const Core& core) const {
  const std::uint64_t steps = core.tiles.size() * steps_a_tile();
  Stream a(chip, core.a, core.a_here), b(chip, core.b, core.b_here);
  const auto fetch = [&](std::uint64_t number) {
    if (number >= steps) return;
    const Step each = step(core, number);
    a.fetch(operands.a.tile(each.i, each.k));
    b.fetch(operands.b.tile(each.k, each.j));
  };
  for (std::uint64_t number = 0; number < call.buffers; ++number) fetch(number);

  Token finishing[2];  // the tiles whose sums are on their way out
  const auto multiplied = [&](std::uint64_t number) {
    const Step done = step(core, number);
    return chip.wait(core.multiplied[number % 2], sums_of(core, done).bytes());
  };
  for (std::uint64_t number = 0; number < steps; ++number) {
    const Step now = step(core, number);
    const auto a_tile = a.use(operands.a.tile(now.i, now.k));
    const auto b_tile = b.use(operands.b.tile(now.k, now.j));
    if (a_tile.arrival) co_await chip.wait(*a_tile.arrival, a_tile.here.bytes());
    if (b_tile.arrival) co_await chip.wait(*b_tile.arrival, b_tile.here.bytes());
    if (now.k == 0) co_await finishing[now.tile % 2];
    const MatmulShape shape{operands.out.rows_in(now.i), operands.a.columns_in(now.k), operands.out.columns_in(now.j)};
    chip.start(core.number,
               matmul_command(a_tile.here, b_tile.here, sums_of(core, now), shape, {.accumulate = now.k > 0}),
               core.multiplied[number % 2]);
    if (number > 0) {
      co_await multiplied(number - 1);
      const Step before = step(core, number - 1);
      if (before.tile != now.tile) finishing[before.tile % 2] = chip.spawn(finish(core, before));
      fetch(number - 1 + call.buffers);
    }
  }
  if (steps > 0) {
    co_await multiplied(steps - 1);
    co_await finish(core, step(core, steps - 1));
  }
  for (Token& token : finishing) co_await token;
}

}  // namespace

MatmulOperands matmul_operands(const KernelCall& call, const Operands& in, const Buffer& out) {
  return {{in[0], call.m, call.k, call.tiles.m, call.tiles.k},
          {in[1], call.k, call.n, call.tiles.k, call.tiles.n},
          {out, call.m, call.n, call.tiles.m, call.tiles.n}};
}

Bytes matmul_vmem(const KernelCall& call, const Tiles& tiles) {
  const auto room = [](std::uint64_t rows, std::uint64_t columns, DType type) {
    return TiledMatrix::divide_up(rows * columns * tensor_core::size_of(type), 512) * 512;
  };
  const DType sums = tensor_core::sum_type(call.type);
  return call.buffers * (room(tiles.m, tiles.k, call.type) + room(tiles.k, tiles.n, call.type)) +
         2 * room(tiles.m, tiles.n, sums) + (sums == call.result ? 0 : 2 * room(tiles.m, tiles.n, call.result));
}

Task run_matmul(Device& chip, KernelCall call, Operands in, Buffer out) {
  const Matmul matmul(chip, call, in, out);
  std::vector<Core> cores;
  for (unsigned i = 0; i < call.cores; ++i) cores.push_back(matmul.make_core(i));
  co_await launch_delay(chip);
  std::vector<Token> others;
  for (unsigned i = 1; i < call.cores; ++i) others.push_back(chip.spawn(matmul.run(cores[i])));
  co_await matmul.run(cores[0]);
  for (Token& other : others) co_await other;
}

}  // namespace podsim::firmware
