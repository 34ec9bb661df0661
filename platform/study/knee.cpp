#include "platform/study/knee.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace podsim::study {

std::optional<std::size_t> knee(const std::vector<XY>& curve) {
  constexpr double kLeast = 0.1;
  if (curve.size() < 3) return std::nullopt;
  const auto [low, high] =
      std::minmax_element(curve.begin(), curve.end(), [](const XY& a, const XY& b) { return a.y < b.y; });
  const double width = curve.back().x - curve.front().x, height = high->y - low->y;
  if (width <= 0 || height <= 0) return std::nullopt;
  const double rise = curve.back().y - curve.front().y;
  // A rising curve levels off above its chord, a falling one below.
  const double side = rise < 0 ? -1 : 1;
  std::optional<std::size_t> levels_off, takes_off;
  double most_above = kLeast, most_below = kLeast;
  for (std::size_t i = 1; i + 1 < curve.size(); ++i) {
    const double chord = curve.front().y + rise * (curve[i].x - curve.front().x) / width;
    const double above = side * (curve[i].y - chord) / height;
    if (above > most_above) {
      most_above = above;
      levels_off = i;
    }
    if (-above > most_below) {
      most_below = -above;
      takes_off = i;
    }
  }
  return levels_off ? levels_off : takes_off;
}

std::vector<std::size_t> pareto_front(const std::vector<XY>& points, Better x, Better y) {
  // With signs such that lower is better on both axes.
  const double sign_x = x == Better::kLower ? 1 : -1, sign_y = y == Better::kLower ? 1 : -1;
  std::vector<std::size_t> order(points.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const double ax = sign_x * points[a].x, bx = sign_x * points[b].x;
    return ax != bx ? ax < bx : sign_y * points[a].y < sign_y * points[b].y;
  });
  std::vector<std::size_t> front;
  for (const std::size_t i : order) {
    if (front.empty() || sign_y * points[i].y < sign_y * points[front.back()].y) front.push_back(i);
  }
  if (x == Better::kHigher) std::reverse(front.begin(), front.end());
  return front;
}

}  // namespace podsim::study
