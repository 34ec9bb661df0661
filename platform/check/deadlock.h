// Explains a pod whose programs are blocked while nothing is left to happen: which chips wait at which program line,
// for which semaphore, what it holds and what it lacks.
#pragma once

#include <memory>
#include <vector>

#include "firmware/device/device.h"
#include "platform/check/explanation.h"
#include "platform/pod/pod.h"

namespace podsim::check {

using Devices = std::vector<std::unique_ptr<firmware::Device>>;

// `out_of_time`: the run was cut off by its time limit; something may still be about to happen.
[[nodiscard]] Explanation explain_blocked(pod::Pod& pod, const Devices& devices, bool out_of_time);

}  // namespace podsim::check
