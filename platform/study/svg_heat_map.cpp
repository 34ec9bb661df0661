// A grid of cells, each in a colour and with its figure.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "platform/study/svg.h"

namespace podsim::study {

namespace {

// Light yellow to dark blue: darker is more, also in print.
std::string shade(double share) {
  const auto mix = [&](double from, double to) { return static_cast<int>(std::lround(from + share * (to - from))); };
  return fmt::format("rgb({},{},{})", mix(255, 8), mix(247, 48), mix(214, 107));
}

}  // namespace

std::string heat_map_svg(const HeatMap& map) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const auto& row : map.cells) {
    for (const auto& cell : row) {
      if (!cell) continue;
      low = std::min(low, *cell);
      high = std::max(high, *cell);
    }
  }
  if (high < low) return {};
  constexpr double kLeft = 150, kTop = 30, kRow = 34;
  const double column = std::clamp(700.0 / static_cast<double>(map.across.size()), 46.0, 110.0);
  const double right = kLeft + column * static_cast<double>(map.across.size());
  const double bottom = kTop + kRow * static_cast<double>(map.down.size());
  std::string svg = fmt::format("<svg viewBox=\"0 0 {} {}\" role=\"img\">\n", std::max(860.0, right + 20), bottom + 50);
  for (std::size_t d = 0; d < map.down.size(); ++d) {
    const double y = kTop + kRow * static_cast<double>(d);
    svg += text_svg(kLeft - 8, y + kRow / 2 + 4, map.down[d], "text-anchor=\"end\"");
    for (std::size_t a = 0; a < map.across.size(); ++a) {
      const double x = kLeft + column * static_cast<double>(a);
      const std::optional<double>& cell = map.cells[d][a];
      const double share = cell && high > low ? (*cell - low) / (high - low) : 0;
      svg += fmt::format(
          "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\" stroke=\"#fff\">"
          "<title>{}</title></rect>\n",
          x, y, column, kRow, cell ? shade(share) : "#ddd",
          escaped(fmt::format("{} {}, {} {}: {}", map.x, map.across[a], map.y, map.down[d],
                              cell ? fmt::format("{} {:.6g}", map.value, *cell) : "no result")));
      svg += text_svg(x + column / 2, y + kRow / 2 + 4, cell ? fmt::format("{:.3g}", *cell) : "-",
                      fmt::format("text-anchor=\"middle\" fill=\"{}\"", share > 0.5 ? "#fff" : "#222"));
    }
  }
  for (std::size_t a = 0; a < map.across.size(); ++a) {
    svg +=
        text_svg(kLeft + column * (static_cast<double>(a) + 0.5), bottom + 18, map.across[a], "text-anchor=\"middle\"");
  }
  svg += text_svg((kLeft + right) / 2, bottom + 42, map.x, "text-anchor=\"middle\" class=\"title\"");
  svg += text_svg(kLeft - 8, kTop - 10, map.y, "text-anchor=\"end\" class=\"title\"");
  return svg + "</svg>\n";
}

}  // namespace podsim::study
