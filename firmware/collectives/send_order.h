// The order in which a member of a direct all-to-all sends to the others.
#pragma once

#include <cstdint>
#include <vector>

#include "firmware/collectives/group.h"

namespace podsim::firmware {

class SendOrder {
 public:
  // `seed` 0: all members send over the same distance at the same time, which loads all links alike; distances
  // alternate between up and down, so that both directions are busy. Any other: an order drawn from it for each member,
  // as programs send that know nothing of the network.
  SendOrder(const Group& group, std::uint64_t seed);

  // The rank that the n-th copy goes to, n < group size - 1.
  [[nodiscard]] std::uint64_t operator[](std::uint64_t n) const { return at_distance(drawn_.empty() ? n : drawn_[n]); }

 private:
  [[nodiscard]] std::uint64_t at_distance(std::uint64_t n) const;

  const Group& group_;
  std::vector<std::uint32_t> drawn_;
};

}  // namespace podsim::firmware
