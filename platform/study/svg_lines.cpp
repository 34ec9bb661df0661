// Curves over a common axis, with a ring around each knee and a legend beside them.
#include <fmt/format.h>

#include <algorithm>

#include "platform/study/svg.h"

namespace podsim::study {

namespace {

constexpr const char* kDashes[] = {"", "6 3", "2 3"};  // beyond eight curves, colours come again

}  // namespace

std::string lines_svg(const Lines& lines) {
  std::vector<XY> all;
  for (const Curve& curve : lines.curves) all.insert(all.end(), curve.points.begin(), curve.points.end());
  if (all.empty()) return {};
  const Frame frame;
  const auto [x0, x1] = std::minmax_element(all.begin(), all.end(), [](XY a, XY b) { return a.x < b.x; });
  const auto [y0, y1] = std::minmax_element(all.begin(), all.end(), [](XY a, XY b) { return a.y < b.y; });
  const Scale x(lines.x, x0->x, x1->x, frame.left, frame.right);
  const Scale y(lines.y, y0->y, y1->y, frame.bottom, frame.top);
  std::string svg = fmt::format("<svg viewBox=\"0 0 {} {}\" role=\"img\">\n", frame.width, frame.height);
  svg += axes_svg(frame, x, y);
  double legend = frame.top + 12;
  for (std::size_t i = 0; i < lines.curves.size(); ++i) {
    const Curve& curve = lines.curves[i];
    const std::string paint = colour(i);
    const std::string dash = kDashes[i / 8 % std::size(kDashes)];
    std::string path;
    for (const XY& point : curve.points) path += fmt::format("{:.1f},{:.1f} ", x(point.x), y(point.y));
    svg += fmt::format(
        "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\" stroke-dasharray=\"{}\"/>\n", path,
        paint, dash);
    for (std::size_t p = 0; p < curve.points.size(); ++p) {
      const XY& point = curve.points[p];
      const bool is_knee = curve.knee == p;
      if (is_knee) {
        svg += fmt::format(
            "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"9\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"/>\n",
            x(point.x), y(point.y), paint);
      }
      svg += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3.5\" fill=\"{}\"><title>{}</title></circle>\n",
                         x(point.x), y(point.y), paint,
                         escaped(fmt::format("{}{}{}, {}{}", curve.name, curve.name.empty() ? "" : ": ",
                                             lines.x.text(point.x), lines.y.text(point.y), is_knee ? " (knee)" : "")));
    }
    if (curve.name.empty()) continue;
    svg += fmt::format(
        "<line x1=\"{0}\" y1=\"{1}\" x2=\"{2}\" y2=\"{1}\" stroke=\"{3}\" stroke-width=\"3\" "
        "stroke-dasharray=\"{4}\"/>\n",
        frame.right + 16, legend - 4, frame.right + 40, paint, dash);
    svg += text_svg(frame.right + 46, legend, curve.name);
    legend += 18;
  }
  return svg + "</svg>\n";
}

}  // namespace podsim::study
