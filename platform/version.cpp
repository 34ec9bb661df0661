#include "platform/version.h"

namespace podsim {

std::string version() { return PODSIM_VERSION; }

}  // namespace podsim
