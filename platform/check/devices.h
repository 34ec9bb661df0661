// The firmware's side of all chips, by ChipId.
#pragma once

#include <memory>
#include <vector>

#include "firmware/device/device.h"

namespace podsim::check {

using Devices = std::vector<std::unique_ptr<firmware::Device>>;

}  // namespace podsim::check
