// Burst fidelity: the pod's DMA engines say here which remote copies are under way, and ask how large their next burst
// may be. Where nothing competes a burst is the whole copy; where something does, bursts are those of the
// configuration, in the order in which they would come packet by packet, and the network interface cuts them into
// pieces.
#pragma once

#include <algorithm>

#include "models/dma/burst_policy.h"
#include "models/ici/ici_config.h"
#include "models/ici/traffic_map.h"

namespace podsim::pod {

class AdaptiveBursts final : public dma::BurstPolicy {
 public:
  // `traffic` outlives the policy. `burst`: of the configuration. `fastest_link`: a source must be able to keep up with
  // any link; behind a slower one its data waits in the router.
  AdaptiveBursts(ici::TrafficMap& traffic, Bytes burst, Bandwidth fastest_link)
      : traffic_(traffic), burst_(burst), link_time_(fastest_link) {}

  void started(const dma::Descriptor& copy) override { traffic_.begin(from(copy), to(copy), copy.bytes); }
  void ended(const dma::Descriptor& copy) override { traffic_.end(from(copy), to(copy), copy.bytes); }
  [[nodiscard]] Bytes largest_burst(const dma::Descriptor& copy) const override {
    return std::min(std::max(traffic_.piece(from(copy), to(copy), copy.bytes), burst_), kLargest);
  }
  [[nodiscard]] Picoseconds pace(Bytes bytes) const override { return link_time_(bytes); }

 private:
  // A payload's length has 32 bits.
  static constexpr Bytes kLargest = kGiB;
  static ChipId from(const dma::Descriptor& copy) { return chip_of(copy.source); }
  static ChipId to(const dma::Descriptor& copy) { return chip_of(copy.destination); }

  ici::TrafficMap& traffic_;
  const Bytes burst_;
  const SerialisationTime link_time_;
};

}  // namespace podsim::pod
