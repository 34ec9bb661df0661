#include "firmware/collectives/send_order.h"

#include <numeric>
#include <utility>

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

SendOrder::SendOrder(const Group& group, std::uint64_t seed) : group_(group) {
  if (seed == 0) return;
  drawn_.resize(group.size() - 1);
  std::iota(drawn_.begin(), drawn_.end(), 0u);
  // Members' seeds lie far apart in the generator's sequence.
  Random random(Random(seed * group.size() + group.rank()).next());
  for (std::size_t left = drawn_.size(); left > 1; --left) {  // Fisher and Yates
    std::swap(drawn_[left - 1], drawn_[random.next() % left]);
  }
}

std::uint64_t SendOrder::at_distance(std::uint64_t n) const {
  const std::uint64_t offset = n % 2 == 0 ? n / 2 + 1 : group_.size() - n / 2 - 1;
  std::uint64_t place = 0;
  for (unsigned i = 0; i < group_.axes(); ++i) {
    const std::uint64_t coordinate = group_.coordinate(i) + group_.digit(offset, i);
    place += coordinate % group_.axis_size(i) * group_.stride(i);
  }
  return group_.rank_at(place);
}

}  // namespace podsim::firmware
