// Semaphores that are not back at zero when all programs have ended.
#pragma once

#include <optional>

#include "platform/check/deadlock.h"

namespace podsim::check {

[[nodiscard]] std::optional<Explanation> find_leftover_semaphores(const pod::Pod& pod, const Devices& devices);

}  // namespace podsim::check
