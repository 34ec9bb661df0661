// Version of podsim, from the CMake project.
#pragma once

#include <string>

namespace podsim {

[[nodiscard]] std::string version();

}  // namespace podsim
