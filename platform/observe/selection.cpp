#include "platform/observe/selection.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <sstream>
#include <stdexcept>

namespace podsim::observe {

namespace {

std::uint32_t number_in(std::string_view text, std::string_view part) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) {
    throw std::invalid_argument(
        fmt::format("'{}': expected chips such as 5, 0-7 or x=0, with commas between them", part));
  }
  return number;
}

void select(const std::string& part, const ici::TorusShape& torus, std::vector<bool>& chips) {
  if (const auto equals = part.find('='); equals != part.npos) {
    const auto axis = torus.find_axis(part.substr(0, equals));
    if (!axis) throw std::invalid_argument(fmt::format("'{}': the pod has no axis '{}'", part, part.substr(0, equals)));
    const std::uint32_t at = number_in(std::string_view(part).substr(equals + 1), part);
    if (at >= torus.axis(*axis).size) {
      throw std::invalid_argument(
          fmt::format("'{}': axis {} goes from 0 to {}", part, torus.axis(*axis).name, torus.axis(*axis).size - 1));
    }
    for (std::uint32_t i = 0; i < torus.chips(); ++i) {
      if (torus.coordinates(static_cast<ChipId>(i))[ici::index(*axis)] == at) chips[i] = true;
    }
    return;
  }
  const auto dash = part.find('-');
  const std::uint32_t first = number_in(std::string_view(part).substr(0, dash), part);
  const std::uint32_t last = dash == part.npos ? first : number_in(std::string_view(part).substr(dash + 1), part);
  if (last < first) throw std::invalid_argument(fmt::format("'{}': the range ends before it begins", part));
  if (last >= torus.chips()) {
    throw std::invalid_argument(fmt::format("'{}': the pod's chips are 0 to {}", part, torus.chips() - 1));
  }
  std::fill(chips.begin() + first, chips.begin() + last + 1, true);
}

}  // namespace

std::vector<bool> parse_chips(const std::string& text, const ici::TorusShape& torus) {
  std::vector<bool> chips(torus.chips());
  std::istringstream parts(text);
  bool any = false;
  for (std::string part; std::getline(parts, part, ','); any = true) select(part, torus, chips);
  if (!any) throw std::invalid_argument("expected chips such as 0-7,x=0");
  return chips;
}

}  // namespace podsim::observe
