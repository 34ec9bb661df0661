// Accesses to addresses where nothing answers, by whichever block made them.
#pragma once

#include <optional>

#include "platform/check/explanation.h"
#include "platform/pod/pod.h"

namespace podsim::check {

[[nodiscard]] std::optional<Explanation> find_fault(const pod::Pod& pod);

}  // namespace podsim::check
