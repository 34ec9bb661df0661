// Points as lines for a shell, for GNU parallel, a batch system or a person.
#pragma once

#include <filesystem>
#include <string>

#include "platform/study/local_engine.h"

namespace podsim::study {

// A line that runs the point in the present folder with the present executable, and leaves its results where the store
// finds them.
[[nodiscard]] std::string shell_line(const Job& job, const ResultStore& store);

}  // namespace podsim::study
