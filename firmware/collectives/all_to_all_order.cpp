#include "firmware/collectives/all_to_all_order.h"

#include <algorithm>
#include <numeric>

namespace podsim::firmware {

namespace {

// Strides of five visit all coordinates of an axis of 4, 8, 16 ..., and keep the long ways along one axis apart from
// those along another.
constexpr std::uint64_t kStride = 5;

std::vector<unsigned> longest_axis_first(const Group& group) {
  std::vector<unsigned> axes(group.axes());
  std::iota(axes.rbegin(), axes.rend(), 0u);
  std::stable_sort(axes.begin(), axes.end(),
                   [&](unsigned a, unsigned b) { return group.axis_size(a) > group.axis_size(b); });
  return axes;
}

std::uint32_t opposite(const Group& group, std::uint32_t offset) {
  std::uint64_t place = 0;
  for (unsigned i = 0; i < group.axes(); ++i) {
    place += (group.axis_size(i) - group.digit(offset, i)) % group.axis_size(i) * group.stride(i);
  }
  return static_cast<std::uint32_t>(place);
}

}  // namespace

std::vector<std::uint32_t> all_to_all_order(const Group& group) {
  const std::vector<unsigned> axes = longest_axis_first(group);
  std::vector<std::uint32_t> order;
  order.reserve(group.size() - 1);
  std::vector<bool> served(group.size());
  served[0] = true;
  const auto serve = [&](std::uint32_t offset) {
    if (!served[offset]) order.push_back(offset);
    served[offset] = true;
  };
  for (std::uint64_t n = 0; n < group.size(); ++n) {
    std::uint64_t round = n, coordinate = 0, place = 0;
    for (const unsigned axis : axes) {
      coordinate = (kStride * coordinate + round) % group.axis_size(axis);
      round /= group.axis_size(axis);
      place += coordinate * group.stride(axis);
    }
    serve(static_cast<std::uint32_t>(place));
    serve(opposite(group, static_cast<std::uint32_t>(place)));
  }
  return order;
}

std::uint64_t rank_at_offset(const Group& group, std::uint32_t offset) {
  std::uint64_t place = 0;
  for (unsigned i = 0; i < group.axes(); ++i) {
    place += (group.coordinate(i) + group.digit(offset, i)) % group.axis_size(i) * group.stride(i);
  }
  return group.rank_at(place);
}

}  // namespace podsim::firmware
