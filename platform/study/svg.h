// Drawing plots as SVG text: scales with their ticks, and the frame around a plot.
#pragma once

#include <string>
#include <vector>

#include "platform/study/plot_data.h"

namespace podsim::study {

// For text and attributes of HTML and SVG.
[[nodiscard]] std::string escaped(const std::string& text);

// From values to pixels.
class Scale {
 public:
  // Covers [low, high], widened where it is a single value, and on a linear axis down to zero where that is near.
  Scale(Axis axis, double low, double high, double first_pixel, double last_pixel);

  [[nodiscard]] double operator()(double value) const;
  // Round values: powers of two for sizes on a logarithmic axis, otherwise 1, 2 or 5 times a power of ten.
  [[nodiscard]] std::vector<double> ticks() const;
  [[nodiscard]] const Axis& axis() const { return axis_; }

 private:
  // All values within the scale that are one of `times` times a power of `base`.
  [[nodiscard]] std::vector<double> powers(double base, const std::vector<double>& times) const;

  Axis axis_;
  double low_, high_;
  double first_, last_;
};

// Pixels: the whole picture, and the rectangle within that has the data.
struct Frame {
  double width = 860, height = 440;
  double left = 90, right = 660, top = 20, bottom = 380;
};

// Grid lines, tick labels and titles of both axes.
[[nodiscard]] std::string axes_svg(const Frame& frame, const Scale& x, const Scale& y);
[[nodiscard]] std::string text_svg(double x, double y, const std::string& text, const std::string& attributes = {});
// One of eight colours that can be told apart, also by most who see few (Okabe and Ito, 2008).
[[nodiscard]] std::string colour(std::size_t index);

[[nodiscard]] std::string lines_svg(const Lines& lines);
[[nodiscard]] std::string heat_map_svg(const HeatMap& map);
[[nodiscard]] std::string pareto_svg(const Pareto& pareto);

}  // namespace podsim::study
