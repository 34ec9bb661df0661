#include "firmware/collectives/send_order.h"

#include <utility>

#include "firmware/collectives/all_to_all_order.h"

namespace podsim::firmware {

namespace {

// SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t number = state_ += 0x9e37'79b9'7f4a'7c15;
    number = (number ^ (number >> 30)) * 0xbf58'476d'1ce4'e5b9;
    number = (number ^ (number >> 27)) * 0x94d0'49bb'1331'11eb;
    return number ^ (number >> 31);
  }

 private:
  std::uint64_t state_;
};

}  // namespace

SendOrder::SendOrder(const Group& group, std::uint64_t seed) : group_(group), offsets_(all_to_all_order(group)) {
  if (seed == 0) return;
  // Members' seeds lie far apart in the generator's sequence.
  Random random(Random(seed * group.size() + group.rank()).next());
  for (std::size_t left = offsets_.size(); left > 1; --left) {  // Fisher and Yates
    std::swap(offsets_[left - 1], offsets_[random.next() % left]);
  }
}

std::uint64_t SendOrder::operator[](std::uint64_t n) const { return rank_at_offset(group_, offsets_[n]); }

}  // namespace podsim::firmware
