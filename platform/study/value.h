// A parameter's value as studies compute with it: a number with its dimension, or text.
//
// Quantities are taken in base units: bytes, seconds, bytes per second, hertz. The dimension is carried along, so that
// `step < 2` is refused where `step` is a time, and `size / step` is a bandwidth.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace podsim::study {

// Exponents of bytes and of seconds: {0, 0} is a plain number, {1, -1} a bandwidth, {0, -1} a frequency.
struct Dimension {
  int bytes = 0;
  int seconds = 0;
  auto operator<=>(const Dimension&) const = default;
};

inline constexpr Dimension kPlain{0, 0};
inline constexpr Dimension kSize{1, 0};
inline constexpr Dimension kTime{0, 1};
inline constexpr Dimension kBandwidth{1, -1};
inline constexpr Dimension kFrequency{0, -1};

// "a time such as '2 s'", "a plain number"
[[nodiscard]] std::string in_words(Dimension dimension);

struct Value {
  double number = 0;  // in base units
  Dimension dimension;
  std::optional<std::string> text;  // in place of a number

  [[nodiscard]] static Value plain(double number) { return {number, kPlain, {}}; }
  [[nodiscard]] static Value of_text(std::string text) { return {0, kPlain, std::move(text)}; }
};

// What stands in YAML: "4 MiB", "45 GB/s", "1.5 us", "940 MHz" and "16" become numbers, anything else stays text.
[[nodiscard]] Value parse_value(std::string_view text);

// The other way round, as YAML and --set take it: "4 MiB", "49.5 GB/s", "16". Sizes, rates and times are rounded to
// whole bytes, hertz and picoseconds. Throws std::invalid_argument for a value that YAML has no form for: a negative or
// infinite quantity, an odd dimension.
[[nodiscard]] std::string value_text(const Value& value);

}  // namespace podsim::study
