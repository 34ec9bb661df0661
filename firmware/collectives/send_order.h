// The order in which a member of a direct all-to-all sends to the others.
#pragma once

#include <cstdint>
#include <vector>

#include "firmware/collectives/group.h"

namespace podsim::firmware {

class SendOrder {
 public:
  // `seed` 0: the order that loads all links alike (all_to_all_order.h). Any other: an order drawn from it for each
  // member, as programs send that know nothing of the network.
  SendOrder(const Group& group, std::uint64_t seed);

  // The rank that the n-th copy goes to, n < group size - 1.
  [[nodiscard]] std::uint64_t operator[](std::uint64_t n) const;

 private:
  const Group& group_;
  std::vector<std::uint32_t> offsets_;
};

}  // namespace podsim::firmware
