#include "firmware/collectives/send_order.h"

#include <utility>

#include "firmware/collectives/all_to_all_order.h"
#include "models/kernel/random.h"

namespace podsim::firmware {

SendOrder::SendOrder(const Group& group, std::uint64_t seed) : group_(group), offsets_(all_to_all_order(group)) {
  if (seed == 0) return;
  // Members' seeds lie far apart in the generator's sequence.
  kernel::Random random(kernel::Random(seed * group.size() + group.rank()).next());
  for (std::size_t left = offsets_.size(); left > 1; --left) {  // Fisher and Yates
    std::swap(offsets_[left - 1], offsets_[random.below(left)]);
  }
}

std::uint64_t SendOrder::operator[](std::uint64_t n) const { return rank_at_offset(group_, offsets_[n]); }

}  // namespace podsim::firmware
