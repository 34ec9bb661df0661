#include "platform/report/torus_picture.h"

#include <fmt/format.h>

#include <optional>
#include <vector>

namespace podsim::report {

namespace {

// Coordinates to draw; none for the gap of an axis that is cut short.
using Places = std::vector<std::optional<std::uint32_t>>;

constexpr std::uint32_t kMostColumns = 10;  // fits 80 characters with four-digit chips
constexpr std::uint32_t kMostRows = 8;
constexpr std::uint32_t kBeforeGap = 3;

Places places(std::uint32_t size, std::uint32_t most) {
  Places all;
  for (std::uint32_t i = 0; i < size; ++i) {
    if (size > most && i == kBeforeGap) {
      all.push_back(std::nullopt);
      i = size - 1;  // the last one stays, since it is where the axis wraps
    }
    all.push_back(i);
  }
  return all;
}

class Picture {
 public:
  Picture(const ici::TorusShape& torus, const ici::DeadLinks& dead)
      : torus_(torus),
        dead_(dead),
        x_(torus.axis(ici::Axis{0})),
        y_(torus.axes() > 1 ? torus.axis(ici::Axis{1}) : ici::AxisShape{}),
        columns_(places(x_.size, kMostColumns)),
        rows_(places(y_.size, kMostRows)),
        width_(fmt::format("{}", torus.chips() - 1).size()) {}

  [[nodiscard]] std::string draw() const {
    std::string text = y_.wrap ? links("^", 0, kUp) : "";
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (i > 0) text += rows_[i] && rows_[i - 1] ? links("|", *rows_[i], kUp) : marks(":");
      if (rows_[i]) text += row(*rows_[i]);
    }
    text += y_.wrap ? links("v", y_.size - 1, kDown) : "";
    return text + legend();
  }

 private:
  static constexpr ici::Port kLeft = ici::minus_port(ici::Axis{0});
  static constexpr ici::Port kRight = ici::plus_port(ici::Axis{0});
  static constexpr ici::Port kUp = ici::minus_port(ici::Axis{1});
  static constexpr ici::Port kDown = ici::plus_port(ici::Axis{1});

  [[nodiscard]] ChipId chip(std::uint32_t x, std::uint32_t y) const {
    ici::Coordinates at{};
    at[0] = x;
    at[1] = y;
    return torus_.chip_at(at);
  }
  [[nodiscard]] bool is_dead(std::uint32_t x, std::uint32_t y, ici::Port port) const {
    return dead_.contains(chip(x, y), port);
  }

  [[nodiscard]] std::string row(std::uint32_t y) const {
    std::string line = x_.wrap ? (is_dead(0, y, kLeft) ? "  x  " : "  <- ") : "     ";
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (!columns_[i]) {
        line += " ... ";
        continue;
      }
      if (i > 0 && columns_[i - 1]) line += is_dead(*columns_[i], y, kLeft) ? " x  " : " -- ";
      line += fmt::format("{:>{}}", index(chip(*columns_[i], y)), width_);
    }
    if (x_.wrap) line += is_dead(x_.size - 1, y, kRight) ? " x" : " ->";
    return line + '\n';
  }

  [[nodiscard]] std::string marks(const std::string& mark) const {
    return line_of([&](std::uint32_t) { return mark; });
  }
  // The links that leave the chips of row y by `port`.
  [[nodiscard]] std::string links(const std::string& mark, std::uint32_t y, ici::Port port) const {
    return line_of([&](std::uint32_t x) { return is_dead(x, y, port) ? "x" : mark; });
  }
  // A mark under the last digit of every chip of a row.
  template <class Mark>
  [[nodiscard]] std::string line_of(Mark&& mark) const {
    std::string line = "     ";
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (!columns_[i]) {
        line += "     ";
        continue;
      }
      if (i > 0 && columns_[i - 1]) line += "    ";
      line += fmt::format("{:>{}}", mark(*columns_[i]), width_);
    }
    return line + '\n';
  }

  [[nodiscard]] std::string legend() const {
    std::string text = fmt::format("  {} to the right", x_.name);
    if (torus_.axes() > 1) text += fmt::format(", {} downwards", y_.name);
    if (x_.wrap) text += fmt::format("; <- -> {} wraps", x_.name);
    if (y_.wrap) text += fmt::format("; ^ v {} wraps", y_.name);
    if (!dead_.empty()) text += "; x is a dead link";
    text += '\n';
    std::uint32_t stride = x_.size * y_.size;
    for (unsigned i = 2; i < torus_.axes(); ++i) {
      const ici::AxisShape& axis = torus_.axis(static_cast<ici::Axis>(i));
      text += fmt::format("  {} into the page: this is {} = 0 of {}, chip numbers rise by {} a step{}\n", axis.name,
                          axis.name, axis.size, stride,
                          axis.wrap ? fmt::format("; the last is linked to the first ({} wraps)", axis.name) : "");
      stride *= axis.size;
    }
    for (unsigned i = 0; i < torus_.axes(); ++i) text += twist_text(torus_.axis(static_cast<ici::Axis>(i)));
    return text;
  }

  // "  twisted: the wrap of x also leads by 4 on z"
  [[nodiscard]] std::string twist_text(const ici::AxisShape& axis) const {
    std::string text;
    for (unsigned b = 0; b < torus_.axes(); ++b) {
      if (axis.wrap_shift[b] == 0) continue;
      text += text.empty() ? fmt::format("  twisted: the wrap of {} also leads", axis.name) : " and";
      text += fmt::format(" by {} on {}", axis.wrap_shift[b], torus_.axis(static_cast<ici::Axis>(b)).name);
    }
    return text.empty() ? text : text + '\n';
  }

  const ici::TorusShape& torus_;
  const ici::DeadLinks& dead_;
  const ici::AxisShape x_;
  const ici::AxisShape y_;
  const Places columns_;
  const Places rows_;
  const std::size_t width_;
};

// "   3 -- 1 2 x7": a line for each chip, with those that it is linked to.
std::string list_of_links(const ici::TorusShape& torus, const ici::DeadLinks& dead) {
  constexpr std::uint32_t kMostLines = 32;
  std::string text;
  for (std::uint32_t i = 0; i < torus.chips() && i < kMostLines; ++i) {
    const auto chip = static_cast<ChipId>(i);
    text += fmt::format("{:>5} --", i);
    for (unsigned p = 0; p < torus.link_ports(); ++p) {
      const auto port = static_cast<ici::Port>(p);
      const auto next = torus.neighbour(chip, port);
      if (next) text += fmt::format(" {}{}", dead.contains(chip, port) ? "x" : "", index(*next));
    }
    text += '\n';
  }
  if (torus.chips() > kMostLines) text += fmt::format("      and {} chips more\n", torus.chips() - kMostLines);
  return text + "  each chip and those it is linked to" + (dead.empty() ? "\n" : "; x is a dead link\n");
}

}  // namespace

std::string torus_picture(const ici::TorusShape& torus, const ici::DeadLinks& dead) {
  if (torus.listed_links() != nullptr) return list_of_links(torus, dead);
  return Picture(torus, dead).draw();
}

}  // namespace podsim::report
