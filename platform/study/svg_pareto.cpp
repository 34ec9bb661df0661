// All points, and the front of those that no other one beats, named.
#include <fmt/format.h>

#include <algorithm>

#include "platform/study/svg.h"

namespace podsim::study {

std::string pareto_svg(const Pareto& pareto) {
  if (pareto.points.empty()) return {};
  Frame frame;
  frame.right = 620;
  const auto& all = pareto.points;
  const auto [x0, x1] = std::minmax_element(all.begin(), all.end(), [](XY a, XY b) { return a.x < b.x; });
  const auto [y0, y1] = std::minmax_element(all.begin(), all.end(), [](XY a, XY b) { return a.y < b.y; });
  const Scale x(pareto.x, x0->x, x1->x, frame.left, frame.right);
  const Scale y(pareto.y, y0->y, y1->y, frame.bottom, frame.top);
  std::string svg = fmt::format("<svg viewBox=\"0 0 {} {}\" role=\"img\">\n", frame.width, frame.height);
  svg += axes_svg(frame, x, y);
  std::string path;
  for (const std::size_t i : pareto.front) path += fmt::format("{:.1f},{:.1f} ", x(all[i].x), y(all[i].y));
  svg += fmt::format(
      "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.5\" stroke-dasharray=\"6 3\"/>\n", path,
      colour(0));
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool on_front = std::find(pareto.front.begin(), pareto.front.end(), i) != pareto.front.end();
    const double px = x(all[i].x), py = y(all[i].y);
    if (pareto.knee == i) {
      svg +=
          fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"10\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"/>\n",
                      px, py, colour(1));
    }
    svg += fmt::format(
        "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\" fill=\"{}\"><title>{}</title></circle>\n", px, py,
        on_front ? 5 : 3.5, on_front ? colour(0) : "#999",
        escaped(fmt::format("{}: {}, {}", pareto.labels[i], pareto.x.text(all[i].x), pareto.y.text(all[i].y))));
    if (!on_front) continue;
    // On the side that has room for it.
    const std::string label = pareto.labels[i].substr(0, 60);
    const bool to_the_left = px > (frame.left + frame.right) / 2;
    svg += to_the_left ? text_svg(px - 9, py - 9, label, "text-anchor=\"end\"") : text_svg(px + 9, py - 7, label);
  }
  return svg + "</svg>\n";
}

}  // namespace podsim::study
