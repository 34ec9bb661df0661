// Carries out a plan of pairwise exchanges (exchange_plan.h) on one chip.
//
// What is to be added lands in a few slots that take turns. A chip tells its peer of a step when the slot for it is
// free; for the first few steps, that is as soon as it is here. So no barrier is needed before, and a peer that is
// ahead waits.
#pragma once

#include "firmware/collectives/exchange_plan.h"
#include "firmware/device/device.h"

namespace podsim::firmware {

// All-reduce by `plan`. `in` and `out` have all elements. `vmem`: of it, for slots; they are in HBM if that is not
// enough.
Task exchange_all_reduce(Device& chip, ExchangePlan plan, Reduction reduction, Bytes vmem, Buffer in, Buffer out);

}  // namespace podsim::firmware
