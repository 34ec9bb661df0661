// A deadlock that every beginner writes: chips 2i and 2i+1 exchange a buffer, and each waits for the other's data
// before it sends its own.
#pragma once

#include "firmware/device/device.h"

namespace podsim::firmware {

Task send_waits_for_recv(Device& chip, Buffer in, Buffer out);

}  // namespace podsim::firmware
