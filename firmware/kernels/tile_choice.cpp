#include "firmware/kernels/tile_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "firmware/device/errors.h"
#include "firmware/kernels/attention.h"
#include "firmware/kernels/matmul.h"
#include "firmware/kernels/vector_kernels.h"

namespace podsim::firmware {

namespace {

double number(std::uint64_t value) { return static_cast<double>(value); }
std::uint64_t divide_up(std::uint64_t value, std::uint64_t by) { return TiledMatrix::divide_up(value, by); }

// Sizes to try for an extent: the whole, and `unit` times 1, 2, 3, 4, 6, 8, 12 ...
std::vector<std::uint64_t> sizes(std::uint64_t extent, std::uint64_t unit, std::uint64_t given) {
  if (given > 0) return {std::min(given, std::max<std::uint64_t>(1, extent))};
  std::vector<std::uint64_t> all;
  for (std::uint64_t size = unit; size < extent; size *= 2) {
    all.push_back(size);
    if (size / 2 * 3 < extent && size > unit) all.push_back(size / 2 * 3);
  }
  all.push_back(std::max<std::uint64_t>(1, extent));
  return all;
}

// Sum over the tiles of an extent of function(size of the tile).
template <class Function>
double over_tiles(std::uint64_t extent, std::uint64_t tile, Function function) {
  const std::uint64_t whole = extent / tile;
  const std::uint64_t rest = extent % tile;
  return number(whole) * function(tile) + (rest > 0 ? function(rest) : 0.0);
}

// Seconds that a matmul's tiles are estimated to take, by what would take them.
struct Estimate {
  double mxu = 0, hbm = 0, vpu = 0, edges = 0;
  double bytes = 0;
  [[nodiscard]] double total() const { return std::max({mxu, hbm, vpu}) + edges; }
};

// What reads and writes that mix leave of HBM's bandwidth, about: 62 to 79 % in public DRAM simulators (copies), 87 %
// on a TPU7x.
constexpr double kHbmShare = 0.75;
// What a step is reckoned to cost beside its products and copies. High, so that tiles come out large: of a product of
// 1024 on a TPU7x hardly anything overlaps in measurements (AI-Hypercomputer/tpu-recipes, 6.1 us of which 1.6 are the
// floor, 2.2 products and 2.0 copies), as with one tile for all of it.
constexpr double kSecondsPerCommand = 1e-6;

Estimate estimate(const KernelCall& call, const CoreFigures& core, const Tiles& tiles, bool rows_first) {
  const auto type = static_cast<std::size_t>(call.type);
  const std::uint64_t down = divide_up(call.m, tiles.m), across = divide_up(call.n, tiles.n);
  const std::uint64_t depth = divide_up(call.k, tiles.k);
  const double cores = call.cores;
  // The core with the most tiles is the last to end.
  const double imbalance =
      number(divide_up(down * across, call.cores)) * cores / number(std::max<std::uint64_t>(1, down * across));

  const double rows = over_tiles(
      call.m, tiles.m, [&](std::uint64_t m) { return number(std::max<std::uint64_t>(m, core.weight_load_cycles)); });
  const double folds_down =
      over_tiles(call.k, tiles.k, [&](std::uint64_t k) { return number(divide_up(k, core.mxu_rows)); });
  const double folds_across =
      over_tiles(call.n, tiles.n, [&](std::uint64_t n) { return number(divide_up(n, core.mxu_columns)); });
  const std::uint64_t folds_a_tile = divide_up(tiles.k, core.mxu_rows) * divide_up(tiles.n, core.mxu_columns);
  const double sharing = number(divide_up(folds_a_tile, core.mxus)) * core.mxus / number(folds_a_tile);

  Estimate time;
  time.mxu =
      rows * folds_down * folds_across * sharing / core.mxus / core.mxu_rows_per_second[type] / cores * imbalance +
      number(down * across * depth) * kSecondsPerCommand / cores;

  // Tiles that the next step uses again stay.
  const bool a_stays = depth == 1 && (rows_first || down == 1);
  const bool b_stays = depth == 1 && (!rows_first || across == 1);
  const double element = number(tensor_core::size_of(call.type));
  const double result = number(tensor_core::size_of(call.result));
  time.bytes = number(call.m) * number(call.k) * element * (a_stays ? 1 : number(across)) +
               number(call.k) * number(call.n) * element * (b_stays ? 1 : number(down)) +
               number(call.m) * number(call.n) * result;
  const double hbm = number(core.hbm.bytes_per_second) * kHbmShare;
  time.hbm = time.bytes / hbm;
  if (tensor_core::sum_type(call.type) != call.result) {
    time.vpu = number(call.m) * number(call.n) / core.vpu_peak[static_cast<std::size_t>(DType::kF32)] / cores;
  }
  const double first = number(tiles.m * tiles.k + tiles.k * tiles.n) * element * cores;
  const double last = number(tiles.m * tiles.n) * result * cores;
  time.edges = (first + last) / hbm;
  return time;
}

KernelCall with_matmul_tiles(KernelCall call, const CoreFigures& core, Bytes vmem) {
  std::optional<Estimate> best;
  Tiles chosen;
  bool rows_first = true;
  for (const std::uint64_t m : sizes(call.m, 8, call.tiles.m)) {
    for (const std::uint64_t n : sizes(call.n, core.mxu_columns, call.tiles.n)) {
      for (const std::uint64_t k : sizes(call.k, core.mxu_rows, call.tiles.k)) {
        const Tiles tiles{m, k, n};
        if (matmul_vmem(call, tiles) > vmem || m > ~0u || k > ~0u || n > ~0u) continue;
        for (const bool order : {true, false}) {
          const Estimate each = estimate(call, core, tiles, order);
          if (best && each.total() >= best->total()) continue;
          best = each;
          chosen = tiles;
          rows_first = order;
        }
      }
    }
  }
  if (!best) {
    const Tiles smallest{sizes(call.m, 8, call.tiles.m).front(), sizes(call.k, core.mxu_rows, call.tiles.k).front(),
                         sizes(call.n, core.mxu_columns, call.tiles.n).front()};
    throw OutOfResources(fmt::format("tiles of {} x {} x {} take {} bytes of VMEM with {} buffers; a core has {}",
                                     smallest.m, smallest.k, smallest.n, matmul_vmem(call, smallest), call.buffers,
                                     vmem));
  }
  const bool given = call.tiles.m > 0 && call.tiles.k > 0 && call.tiles.n > 0;
  call.tiles = chosen;
  call.rows_first = rows_first;
  const auto type = static_cast<std::size_t>(call.type);
  const double ridge = core.mxu_peak[type] * call.cores / number(core.hbm.bytes_per_second);
  constexpr double kMicro = 1e6;
  call.choice = fmt::format(
      "tiles {} x {} x {} (m x k x n){}, {} first: {:.1f} of {:.1f} MiB of VMEM; {:.0f} FLOP/B of HBM traffic, "
      "and the MXUs outrun HBM below {:.0f}; estimated {:.1f} us of MXU, {:.1f} of HBM, {:.1f} of the first and last "
      "tiles",
      chosen.m, chosen.k, chosen.n, given ? ", as asked" : "", rows_first ? "rows" : "columns",
      number(matmul_vmem(call, chosen)) / number(kMiB), number(vmem) / number(kMiB), flops_of(call) / best->bytes,
      ridge, best->mxu * kMicro, best->hbm * kMicro, best->edges * kMicro);
  return call;
}

// Vector kernels stream: a tile is as much as HBM moves in a time that dwarfs what starting a copy costs, but the work
// is cut into several steps, or nothing would overlap.
KernelCall with_stream_tiles(KernelCall call, const CoreFigures& core, Bytes vmem) {
  constexpr double kSecondsPerTile = 2e-6;
  constexpr std::uint64_t kLeastSteps = 8;
  constexpr Bytes kLeastTile = 64 * kKiB;
  const Bytes element = tensor_core::size_of(call.type);
  const auto by_time = static_cast<Bytes>(number(core.hbm.bytes_per_second) * kSecondsPerTile);
  const Bytes by_steps = call.m * call.n * element / (kLeastSteps * call.cores);
  const bool given = call.tiles.m > 0 && call.tiles.n > 0;
  const Tiles asked = call.tiles;
  for (Bytes bytes = std::max(kLeastTile, std::min(by_time, by_steps)); bytes > 0; bytes /= 2) {
    const std::uint64_t elements = std::max<Bytes>(1, bytes / element);
    // Whole rows, as long as one fits.
    call.tiles.n = asked.n > 0 ? std::min(asked.n, call.n) : call.n;
    call.tiles.m =
        asked.m > 0 ? std::min(asked.m, call.m) : std::clamp<std::uint64_t>(elements / call.tiles.n, 1, call.m);
    const bool too_long = vector_kernel_vmem(call, {1, 0, call.n}) > vmem;
    if (asked.n == 0 && (too_long || call.kind == KernelKind::kElementwise)) call.tiles.n = std::min(elements, call.n);
    if (vector_kernel_vmem(call, call.tiles) > vmem) continue;
    call.choice = fmt::format(
        "tiles of {} x {}{}: {:.2f} of {:.1f} MiB of VMEM in {} buffers, {} steps; a tile is {:.2f} us of HBM's time",
        call.tiles.m, call.tiles.n, given ? ", as asked" : "",
        number(vector_kernel_vmem(call, call.tiles)) / number(kMiB), number(vmem) / number(kMiB), call.buffers,
        divide_up(call.m, call.tiles.m) * divide_up(call.n, call.tiles.n),
        number(call.tiles.m * call.tiles.n * element * operand_elements(call).size()) /
            number(core.hbm.bytes_per_second) * 1e6);
    return call;
  }
  throw OutOfResources(fmt::format("{} with tiles of {} x {} and {} buffers takes {} bytes of VMEM; a core has {}",
                                   kernel_name(call.kind), call.tiles.m, call.tiles.n, call.buffers,
                                   vector_kernel_vmem(call, call.tiles), vmem));
}

Estimate attention_estimate(const KernelCall& call, const CoreFigures& core, const Tiles& tiles) {
  // Waits between the products and vector commands of a step, half of which the other worker fills.
  constexpr double kSecondsPerStep = 0.4e-6;
  const auto type = static_cast<std::size_t>(call.type);
  const std::uint64_t down = divide_up(call.m, tiles.m), steps = divide_up(call.n, tiles.n);
  const double heads = number(call.heads), cores = call.cores;
  const double rows = over_tiles(
      call.m, tiles.m, [&](std::uint64_t m) { return number(std::max<std::uint64_t>(m, core.weight_load_cycles)); });
  const double scores = over_tiles(call.n, tiles.n, [&](std::uint64_t n) {
    return number(divide_up(divide_up(n, core.mxu_columns) * divide_up(call.k, core.mxu_rows), core.mxus));
  });
  const double results = over_tiles(call.n, tiles.n, [&](std::uint64_t n) {
    return number(divide_up(divide_up(n, core.mxu_rows) * divide_up(call.k, core.mxu_columns), core.mxus));
  });
  Estimate time;
  time.mxu = heads * rows * (scores + results) / core.mxu_rows_per_second[type] / cores +
             heads * number(down * steps) * kSecondsPerStep / cores;
  const double vector_operations =
      number(call.m) * number(call.n) * (2 + core.exp_operations) + number(call.m) * number(call.k) * number(steps);
  time.vpu = heads * vector_operations / core.vpu_peak[static_cast<std::size_t>(DType::kF32)] / cores;
  const double element = number(tensor_core::size_of(call.type));
  const double row = number(call.k) * element;
  time.bytes = heads * (2 * number(call.m) * row + 2 * number(down) * number(call.n) * row);
  time.hbm = time.bytes / number(core.hbm.bytes_per_second) / kHbmShare;
  time.edges = number(tiles.m + 2 * tiles.n) * row * cores / number(core.hbm.bytes_per_second);
  // Workers without a tile of queries leave their core alone.
  const double workers = 2 * cores;
  const double turns = number(divide_up(call.heads * down, static_cast<std::uint64_t>(workers)));
  const double imbalance = turns * workers / (heads * number(down));
  time.mxu *= imbalance;
  time.vpu *= imbalance;
  return time;
}

KernelCall with_attention_tiles(KernelCall call, const CoreFigures& core, Bytes vmem) {
  std::optional<Estimate> best;
  Tiles chosen;
  const std::vector<std::uint64_t> queries = sizes(call.m, 64, call.tiles.m);
  const std::vector<std::uint64_t> keys = sizes(call.n, core.mxu_columns, call.tiles.n);
  for (const std::uint64_t m : queries) {
    for (const std::uint64_t n : keys) {
      if (attention_vmem(call, {m, 0, n}) > vmem) continue;
      const Estimate each = attention_estimate(call, core, {m, 0, n});
      if (best && each.total() >= best->total()) continue;
      best = each;
      chosen = {m, 0, n};
    }
  }
  if (!best) {
    throw OutOfResources(
        fmt::format("attention with tiles of {} queries and {} keys takes {} bytes of VMEM; a core has {}",
                    queries.front(), keys.front(), attention_vmem(call, {queries.front(), 0, keys.front()}), vmem));
  }
  const bool given = call.tiles.m > 0 && call.tiles.n > 0;
  call.tiles = chosen;
  call.choice = fmt::format(
      "tiles of {} queries x {} keys{}: {:.1f} of {:.1f} MiB of VMEM; estimated {:.1f} us of MXU, {:.1f} of VPU, "
      "{:.1f} of "
      "HBM",
      chosen.m, chosen.n, given ? ", as asked" : "", number(attention_vmem(call, chosen)) / number(kMiB),
      number(vmem) / number(kMiB), best->mxu * 1e6, best->vpu * 1e6, best->hbm * 1e6);
  return call;
}

}  // namespace

KernelCall with_tiles(KernelCall call, const CoreFigures& core, Bytes vmem) {
  switch (call.kind) {
    case KernelKind::kMatmul: return with_matmul_tiles(std::move(call), core, vmem);
    case KernelKind::kAttention: return with_attention_tiles(std::move(call), core, vmem);
    default: return with_stream_tiles(std::move(call), core, vmem);
  }
}

}  // namespace podsim::firmware
