// Burst fidelity: the pod's DMA engines ask here how large their next burst may be, and the answer follows the traffic
// on the way.
#pragma once

#include <algorithm>

#include "models/dma/burst_policy.h"
#include "models/ici/ici_config.h"
#include "models/ici/traffic_map.h"

namespace podsim::pod {

class AdaptiveBursts final : public dma::BurstPolicy {
 public:
  // `fastest_link`: a source must be able to keep up with any link; behind a slower one its data waits in the router.
  AdaptiveBursts(const ici::TorusShape& torus, const ici::Routing& routing, Bytes smallest_piece,
                 Bandwidth fastest_link)
      : traffic_(torus, routing, smallest_piece), link_time_(fastest_link) {}

  void started(const dma::Descriptor& copy) override { traffic_.begin(from(copy), to(copy), copy.bytes); }
  void ended(const dma::Descriptor& copy) override { traffic_.end(from(copy), to(copy), copy.bytes); }
  [[nodiscard]] Bytes largest_burst(const dma::Descriptor& copy) const override {
    return std::min(traffic_.piece(from(copy), to(copy), copy.bytes), kLargest);
  }
  [[nodiscard]] Picoseconds pace(Bytes bytes) const override { return link_time_(bytes); }

 private:
  // A payload's length has 32 bits.
  static constexpr Bytes kLargest = kGiB;
  static ChipId from(const dma::Descriptor& copy) { return chip_of(copy.source); }
  static ChipId to(const dma::Descriptor& copy) { return chip_of(copy.destination); }

  ici::TrafficMap traffic_;
  const SerialisationTime link_time_;
};

}  // namespace podsim::pod
