#include "platform/report/kernel_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "platform/report/text_table.h"

namespace podsim::report {

namespace {

std::string percent(double share) { return fmt::format("{:.1f}", 100 * share); }

const TextTable& kernel_table() {
  static const TextTable table({{"step", 4},
                                {"what", 12, true},
                                {"shape", 24, true},
                                {"type", 4},
                                {"cores", 5},
                                {"TFLOP/s", 9},
                                {"% of peak", 9},
                                {"HBM(GB/s)", 9},
                                {"MXU%", 5},
                                {"VPU%", 5},
                                {"HBM%", 5},
                                {"VMEM%", 5},
                                {"bound", 0, true}});
  return table;
}

std::string row(const std::string& number, const run::StepResult& result) {
  const run::KernelFigures& figures = *result.kernels;
  const firmware::KernelCall& first = figures.kernels.front();
  const bool several = figures.kernels.size() > 1;
  return kernel_table().row(
      {number, result.name, several ? fmt::format("{} kernels", figures.kernels.size()) : shape_text(first),
       std::string(run::name(first.type)), fmt::format("{}", first.cores), fmt::format("{:.2f}", figures.tflops),
       percent(figures.peak_share), fmt::format("{:.1f}", figures.hbm_GBps), percent(figures.mxu_busy),
       percent(figures.vpu_busy), percent(figures.hbm_busy), percent(figures.vmem_busy), figures.bound});
}

std::string choices(const run::StepResult& result) {
  std::string text;
  for (const firmware::KernelCall& call : result.kernels->kernels) {
    text += fmt::format("       {}\n", call.choice);
  }
  return text;
}

}  // namespace

std::string kernel_summary(const RunRecord& run) {
  std::string text;
  for (std::size_t i = 0; i < run.steps.size(); ++i) {
    const run::StepResult& result = run.steps[i].result;
    if (result.kernels) text += row(fmt::format("{}", i + 1), result) + choices(result);
    for (const run::StepResult& beside : result.beside) {
      if (beside.kernels) text += row("+", beside) + choices(beside);
    }
  }
  if (text.empty()) return {};
  return "\nKernels: per chip, over the step's time; busy shares of the cores in use, of HBM and of VMEM\n" +
         kernel_table().header() + text;
}

Json kernel_json(const run::StepResult& result) {
  if (!result.kernels) return {};
  const run::KernelFigures& figures = *result.kernels;
  Json kernels = Json::array();
  for (const firmware::KernelCall& call : figures.kernels) {
    kernels.push_back({{"kernel", kernel_name(call.kind)},
                       {"shape", shape_text(call)},
                       {"m", call.m},
                       {"k", call.k},
                       {"n", call.n},
                       {"heads", call.heads},
                       {"dtype", run::name(call.type)},
                       {"out", run::name(call.result)},
                       {"cores", call.cores},
                       {"tiles", {{"m", call.tiles.m}, {"k", call.tiles.k}, {"n", call.tiles.n}}},
                       {"buffers", call.buffers},
                       {"tile_choice", call.choice},
                       {"flops", firmware::flops_of(call)}});
  }
  return {{"kernels", std::move(kernels)},    {"flops", figures.flops},       {"tflops", figures.tflops},
          {"peak_share", figures.peak_share}, {"hbm_GBps", figures.hbm_GBps}, {"hbm_share", figures.hbm_share},
          {"mxu_busy", figures.mxu_busy},     {"vpu_busy", figures.vpu_busy}, {"hbm_busy", figures.hbm_busy},
          {"vmem_busy", figures.vmem_busy},   {"bound", figures.bound}};
}

}  // namespace podsim::report
