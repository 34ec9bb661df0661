#include "platform/run/kernel_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "firmware/device/errors.h"
#include "firmware/kernels/tile_choice.h"
#include "platform/run/figures.h"
#include "platform/run/sequence.h"

namespace podsim::run {

namespace {

double seconds(Picoseconds time) { return static_cast<double>(time) / static_cast<double>(kPicosecondsPerSecond); }

// FLOP/s of the units that a kernel's operations are counted for.
double peak_of(const firmware::KernelCall& call, const firmware::CoreFigures& core) {
  const auto type = static_cast<std::size_t>(call.type);
  const bool products = call.kind == firmware::KernelKind::kMatmul || call.kind == firmware::KernelKind::kAttention;
  return (products ? core.mxu_peak[type] : core.vpu_peak[type]) * call.cores;
}

struct Busy {
  double mxu = 0, vpu = 0, hbm = 0, vmem = 0;
  [[nodiscard]] double most() const { return std::max({mxu, vpu, hbm, vmem}); }
};

Busy busy_of(const chip::Chip& chip, const pod::ChipConfig& config, unsigned cores, Picoseconds time) {
  Busy busy;
  for (const auto& core : chip.tensor_cores) {
    busy.mxu += seconds(core->statistics().mxu_busy);
    busy.vpu += seconds(core->statistics().vpu_busy);
  }
  busy.mxu /= cores * seconds(time);
  busy.vpu /= cores * seconds(time);
  busy.hbm = seconds(chip.hbm.statistics().busy) / seconds(time);
  busy.vmem = seconds(chip.vmem.statistics().busy) / config.vmem.ports / seconds(time);
  return busy;
}

}  // namespace

Step with_tiles(Step step, const pod::ChipConfig& chip) {
  const firmware::CoreFigures core = core_figures_of(chip);
  const auto shares = step.sequence.empty() ? 1 + step.beside.size() : std::max(1u, calls_in(step.sequence));
  const Bytes vmem = chip.vmem.capacity.bytes / shares / chip.tensor_cores;
  const auto choose = [&](std::optional<firmware::KernelCall>& call) {
    if (!call) return;
    if (call->cores > chip.tensor_cores) {
      throw firmware::ProgramError(fmt::format("{} on {} TensorCores of a chip that has {}", kernel_name(call->kind),
                                               call->cores, chip.tensor_cores));
    }
    call = firmware::with_tiles(*std::move(call), core, vmem);
  };
  choose(step.kernel);
  for (SequenceCall& call : step.sequence) choose(call.kernel);
  for (Step& other : step.beside) choose(other.kernel);
  return step;
}

KernelFigures figures_of_kernels(const pod::Pod& pod, std::vector<firmware::KernelCall> kernels, Picoseconds time,
                                 Picoseconds counted) {
  const pod::ChipConfig& config = pod.config().chip;
  const firmware::CoreFigures core = core_figures_of(config);
  KernelFigures figures;
  double at_peak = 0;  // seconds that the operations take at the peak
  unsigned cores = 1;
  for (const firmware::KernelCall& call : kernels) {
    figures.flops += firmware::flops_of(call);
    at_peak += firmware::flops_of(call) / peak_of(call, core);
    cores = std::max(cores, call.cores);
  }
  figures.kernels = std::move(kernels);
  if (time <= 0 || counted <= 0) return figures;
  Busy busy;
  const chip::Chip* most = nullptr;
  for (const auto& chip : pod.chips()) {
    const Busy each = busy_of(*chip, config, cores, counted);
    if (most != nullptr && each.most() <= busy.most()) continue;
    busy = each;
    most = chip.get();
  }
  const double bytes = static_cast<double>(most->hbm.statistics().bytes_read) +
                       static_cast<double>(most->hbm.statistics().bytes_written);
  figures.tflops = figures.flops / seconds(time) / 1e12;
  figures.peak_share = at_peak / seconds(time);
  figures.hbm_GBps = bytes / seconds(counted) / 1e9;
  figures.hbm_share = bytes / seconds(counted) / static_cast<double>(config.hbm.bandwidth.bytes_per_second);
  figures.mxu_busy = busy.mxu;
  figures.vpu_busy = busy.vpu;
  figures.hbm_busy = busy.hbm;
  figures.vmem_busy = busy.vmem;
  const std::array<std::pair<double, const char*>, 4> units{
      {{busy.mxu, "MXU"}, {busy.hbm, "HBM"}, {busy.vpu, "VPU"}, {busy.vmem, "VMEM"}}};
  const auto busiest = std::max_element(units.begin(), units.end(),
                                        [](const auto& one, const auto& other) { return one.first < other.first; });
  figures.bound = busiest->first >= 0.5 ? busiest->second : "latency";
  return figures;
}

}  // namespace podsim::run
