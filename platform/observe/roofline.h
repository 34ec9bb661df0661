// Where a run's kernels stand under their chip's roofline (Williams, Waterman, Patterson: "Roofline: an insightful
// visual performance model", 2009): operations a byte of HBM traffic against operations a second, and the two roofs.
#pragma once

#include <nlohmann/json.hpp>

#include "platform/report/run_record.h"

namespace podsim::observe {

// {points: [{name, intensity, tflops, peak_tflops, hbm_GBps, bound}]}; null for a run without kernels.
[[nodiscard]] nlohmann::ordered_json roofline_json(const report::RunRecord& run);

}  // namespace podsim::observe
