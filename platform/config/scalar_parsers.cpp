#include "platform/config/scalar_parsers.h"

#include <charconv>
#include <cmath>
#include <system_error>

namespace podsim::config {
namespace {

std::string refuse(std::string_view expected, std::string_view text, std::string_view why = {}) {
  return fmt::format("expected {}, got '{}{}'{}{}", expected, text.substr(0, 60), text.size() > 60 ? "..." : "",
                     why.empty() ? "" : ": ", why);
}

template <class T>
Parsed<T> parse_whole(std::string_view text, T smallest, T largest) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = end == text.data() + text.size() && !text.empty();
  if (error == std::errc::invalid_argument || !whole) {
    // A negative number is refused by from_chars as no unsigned number at all.
    const bool negative = text.starts_with('-') && smallest == 0;
    return {std::nullopt, refuse("a whole number", text, negative ? "negative" : "")};
  }
  if (error == std::errc::result_out_of_range || value < smallest || value > largest) {
    return {std::nullopt, refuse("a whole number", text, fmt::format("outside {} to {}", smallest, largest))};
  }
  return {value, {}};
}

}  // namespace

Parsed<std::int64_t> parse_integer(std::string_view text, std::int64_t smallest, std::int64_t largest) {
  return parse_whole(text, smallest, largest);
}

Parsed<std::uint64_t> parse_unsigned(std::string_view text, std::uint64_t largest) {
  return parse_whole<std::uint64_t>(text, 0, largest);
}

Parsed<double> parse_double(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) {
    return {std::nullopt, refuse("a number", text)};
  }
  return {value, {}};
}

Parsed<bool> parse_bool(std::string_view text) {
  if (text == "true") return {true, {}};
  if (text == "false") return {false, {}};
  return {std::nullopt, refuse("true or false", text)};
}

}  // namespace podsim::config
