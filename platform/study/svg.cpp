#include "platform/study/svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace podsim::study {

namespace {

constexpr std::size_t kMostTicks = 9;

// The step of 1, 2 or 5 times a power of ten that cuts `span` into about six.
double nice_step(double span) {
  const double raw = span / 6, power = std::pow(10, std::floor(std::log10(raw)));
  const double lead = raw / power;
  return power * (lead < 1.5 ? 1 : lead < 3.5 ? 2 : lead < 7.5 ? 5 : 10);
}

}  // namespace

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&': result += "&amp;"; break;
      case '<': result += "&lt;"; break;
      case '>': result += "&gt;"; break;
      case '"': result += "&quot;"; break;
      default: result += c;
    }
  }
  return result;
}

Scale::Scale(Axis axis, double low, double high, double first_pixel, double last_pixel)
    : axis_(std::move(axis)), low_(low), high_(high), first_(first_pixel), last_(last_pixel) {
  if (!axis_.log) {
    if (low_ > 0 && low_ < 0.6 * high_) low_ = 0;
    const double margin = high_ > low_ ? 0.04 * (high_ - low_) : std::max(1e-9, 0.1 * std::fabs(high_));
    high_ += margin;
    if (low_ != 0) low_ -= margin;
  } else {
    const double margin = high_ > low_ ? std::pow(high_ / low_, 0.03) : 2;
    low_ /= margin;
    high_ *= margin;
  }
}

double Scale::operator()(double value) const {
  const double share = axis_.log ? std::log(value / low_) / std::log(high_ / low_) : (value - low_) / (high_ - low_);
  return first_ + share * (last_ - first_);
}

std::vector<double> Scale::ticks() const {
  std::vector<double> ticks;
  if (axis_.log) {
    ticks = axis_.dimension == kSize ? powers(2, {1}) : powers(10, {1, 2, 5});
    if (ticks.size() > kMostTicks && axis_.dimension != kSize) ticks = powers(10, {1});
    const std::size_t stride = (ticks.size() + kMostTicks - 1) / kMostTicks;
    std::vector<double> some;
    for (std::size_t i = 0; i < ticks.size(); i += stride) some.push_back(ticks[i]);
    if (some.size() >= 2) return some;
    ticks.clear();
  }
  const double step = nice_step(high_ - low_);
  // "+ 0" makes a plain zero of a negative one.
  for (double tick = std::ceil(low_ / step - 1e-9); tick * step <= high_; ++tick) ticks.push_back(tick * step + 0.0);
  return ticks;
}

std::vector<double> Scale::powers(double base, const std::vector<double>& times) const {
  std::vector<double> found;
  for (double power = std::floor(std::log(low_) / std::log(base)); std::pow(base, power) <= high_; ++power) {
    for (const double each : times) {
      const double value = each * std::pow(base, power);
      if (value >= low_ * (1 - 1e-9) && value <= high_ * (1 + 1e-9)) found.push_back(value);
    }
  }
  return found;
}

std::string text_svg(double x, double y, const std::string& text, const std::string& attributes) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" {}>{}</text>\n", x, y, attributes, escaped(text));
}

std::string axes_svg(const Frame& frame, const Scale& x, const Scale& y) {
  std::string svg;
  const auto line = [&](double x1, double y1, double x2, double y2) {
    svg +=
        fmt::format("<line class=\"grid\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n", x1, y1, x2, y2);
  };
  for (const double tick : x.ticks()) {
    line(x(tick), frame.top, x(tick), frame.bottom);
    svg += text_svg(x(tick), frame.bottom + 18, x.axis().text(tick), "text-anchor=\"middle\"");
  }
  for (const double tick : y.ticks()) {
    line(frame.left, y(tick), frame.right, y(tick));
    svg += text_svg(frame.left - 8, y(tick) + 4, y.axis().text(tick), "text-anchor=\"end\"");
  }
  svg += fmt::format("<rect class=\"frame\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>\n", frame.left, frame.top,
                     frame.right - frame.left, frame.bottom - frame.top);
  svg += text_svg((frame.left + frame.right) / 2, frame.bottom + 44, x.axis().title,
                  "text-anchor=\"middle\" class=\"title\"");
  const double middle = (frame.top + frame.bottom) / 2;
  svg += text_svg(16, middle, y.axis().title,
                  fmt::format("text-anchor=\"middle\" class=\"title\" transform=\"rotate(-90 16 {})\"", middle));
  return svg;
}

std::string colour(std::size_t index) {
  constexpr const char* kColours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                      "#e69f00", "#56b4e9", "#000000", "#b8a800"};
  return kColours[index % std::size(kColours)];
}

}  // namespace podsim::study
