// Semaphores that are not back at zero when all programs have ended, and who has probably raised them once too often.
#pragma once

#include <optional>

#include "platform/check/devices.h"
#include "platform/check/explanation.h"
#include "platform/check/semaphore_ledger.h"
#include "platform/pod/pod.h"

namespace podsim::check {

// `ledger`: null if nobody has kept one; then the origin is not known.
[[nodiscard]] std::optional<Explanation> find_leftover_semaphores(const pod::Pod& pod, const Devices& devices,
                                                                  const SemaphoreLedger* ledger);

}  // namespace podsim::check
