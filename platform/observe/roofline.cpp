#include "platform/observe/roofline.h"

namespace podsim::observe {

nlohmann::ordered_json roofline_json(const report::RunRecord& run) {
  nlohmann::ordered_json points = nlohmann::ordered_json::array();
  const auto add = [&](const run::StepResult& result) {
    if (!result.kernels) return;
    const run::KernelFigures& figures = *result.kernels;
    if (figures.hbm_GBps <= 0 || figures.hbm_share <= 0 || figures.peak_share <= 0) return;
    points.push_back({{"name", result.name},
                      {"intensity", figures.tflops * 1e3 / figures.hbm_GBps},
                      {"tflops", figures.tflops},
                      {"peak_tflops", figures.tflops / figures.peak_share},
                      {"hbm_GBps", figures.hbm_GBps / figures.hbm_share},
                      {"bound", figures.bound}});
  };
  for (const report::StepRecord& step : run.steps) {
    add(step.result);
    for (const run::StepResult& beside : step.result.beside) add(beside);
  }
  if (points.empty()) return nullptr;
  return {{"points", std::move(points)}};
}

}  // namespace podsim::observe
