// How large a remote copy's next burst may be. A policy without SystemC, shared by the engines of a pod.
#pragma once

#include "models/dma/dma_registers.h"

namespace podsim::dma {

class BurstPolicy {
 public:
  virtual ~BurstPolicy() = default;
  // A remote copy starts; it will be asked for with the same descriptor until it ends.
  virtual void started(const Descriptor& copy) = 0;
  virtual void ended(const Descriptor& copy) = 0;
  // Upper bound of the next burst, at least one byte.
  [[nodiscard]] virtual Bytes largest_burst(const Descriptor& copy) const = 0;
  // The time over which the interconnect takes a burst: a source memory need not serve it faster.
  [[nodiscard]] virtual Picoseconds pace(Bytes bytes) const = 0;
};

}  // namespace podsim::dma
