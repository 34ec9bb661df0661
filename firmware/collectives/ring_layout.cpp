#include <algorithm>
#include <numeric>

#include "firmware/collectives/replica_groups.h"

namespace podsim::firmware {

namespace {

// 2-opt looks at all pairs of edges in each round; beyond this size one round of nearest neighbour has to do.
constexpr std::size_t kMostForTwoOpt = 512;

class RingLayout {
 public:
  RingLayout(const ici::TorusShape& torus, const std::vector<ChipId>& members, std::vector<std::uint64_t> order)
      : torus_(torus), members_(members), order_(std::move(order)) {}

  [[nodiscard]] std::uint64_t length() const {
    std::uint64_t length = 0;
    for (std::size_t i = 0; i < order_.size(); ++i) length += hops(i, (i + 1) % order_.size());
    return length;
  }
  [[nodiscard]] const std::vector<std::uint64_t>& order() const { return order_; }

  // Goes on to the nearest member that is not on the ring yet; of several, to the lowest rank.
  void nearest_neighbour() {
    for (std::size_t i = 1; i < order_.size(); ++i) {
      const auto nearer = [&](std::uint64_t a, std::uint64_t b) {
        return std::pair(distance(order_[i - 1], a), a) < std::pair(distance(order_[i - 1], b), b);
      };
      std::iter_swap(order_.begin() + static_cast<std::ptrdiff_t>(i),
                     std::min_element(order_.begin() + static_cast<std::ptrdiff_t>(i), order_.end(), nearer));
    }
  }

  // Turns a stretch of the ring round wherever that shortens it.
  void two_opt() {
    const std::size_t n = order_.size();
    if (n > kMostForTwoOpt) return;
    for (bool better = true; better;) {
      better = false;
      for (std::size_t i = 0; i + 2 < n; ++i) {
        for (std::size_t j = i + 2; j < n; ++j) {
          const std::size_t after = (j + 1) % n;
          if (after == i || hops(i, j) + hops(i + 1, after) >= hops(i, i + 1) + hops(j, after)) continue;
          std::reverse(order_.begin() + static_cast<std::ptrdiff_t>(i + 1),
                       order_.begin() + static_cast<std::ptrdiff_t>(j + 1));
          better = true;
        }
      }
    }
  }

 private:
  [[nodiscard]] unsigned distance(std::uint64_t a, std::uint64_t b) const {
    return torus_.distance(members_[a], members_[b]);
  }
  [[nodiscard]] unsigned hops(std::size_t a, std::size_t b) const { return distance(order_[a], order_[b]); }

  const ici::TorusShape& torus_;
  const std::vector<ChipId>& members_;
  std::vector<std::uint64_t> order_;
};

}  // namespace

std::vector<std::uint64_t> lay_ring(const ici::TorusShape& torus, const std::vector<ChipId>& members) {
  std::vector<std::uint64_t> by_rank(members.size());
  std::iota(by_rank.begin(), by_rank.end(), 0);
  // The order of the list is often a good one already, so it gets the same chance.
  RingLayout listed(torus, members, by_rank);
  RingLayout nearest(torus, members, by_rank);
  nearest.nearest_neighbour();
  listed.two_opt();
  nearest.two_opt();
  return listed.length() <= nearest.length() ? listed.order() : nearest.order();
}

}  // namespace podsim::firmware
