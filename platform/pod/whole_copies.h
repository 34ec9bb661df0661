// Flow fidelity: a remote copy is one burst, whatever else is under way.
#pragma once

#include <algorithm>

#include "models/dma/burst_policy.h"

namespace podsim::pod {

class WholeCopies final : public dma::BurstPolicy {
 public:
  explicit WholeCopies(Bandwidth fastest_link) : link_time_(fastest_link) {}

  void started(const dma::Descriptor&) override {}
  void ended(const dma::Descriptor&) override {}
  // A payload's length has 32 bits.
  [[nodiscard]] Bytes largest_burst(const dma::Descriptor& copy) const override { return std::min(copy.bytes, kGiB); }
  [[nodiscard]] Picoseconds pace(Bytes bytes) const override { return link_time_(bytes); }

 private:
  const SerialisationTime link_time_;
};

}  // namespace podsim::pod
