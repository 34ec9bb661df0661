// Quantities as text: "45 GB/s", "1 us", "16 GiB", "940 MHz". Parsing is exact decimal arithmetic, never by way of a
// double: 0.1 ns is 100 ps. Prefixes are decimal (GB = 1e9 B) unless written binary (GiB = 2^30 B); b is a bit, B a
// byte.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/kernel/units.h"

namespace podsim::config {

// A value, or what to tell the user. `error` reads on from "expected ... such as ..., " or stands alone.
template <class T>
struct Parsed {
  std::optional<T> value;
  std::string error;
};

// Accepted: digits, optionally a fraction and an exponent, optionally spaces, then a unit. Refused, each with its
// reason: no unit, unknown unit, negative, inf and nan, anything behind the unit, overflow, and a value that is not a
// whole number of picoseconds or bytes. Rates are rounded to the nearest whole B/s or Hz, and must be at least 1.
[[nodiscard]] Parsed<Duration> parse_duration(std::string_view text);
[[nodiscard]] Parsed<ByteSize> parse_byte_size(std::string_view text);
[[nodiscard]] Parsed<Bandwidth> parse_bandwidth(std::string_view text);
[[nodiscard]] Parsed<Frequency> parse_frequency(std::string_view text);

// The units that such a quantity may be written in: "ps", "ns", "us", ...
template <class T>
[[nodiscard]] std::vector<std::string_view> units();
template <>
[[nodiscard]] std::vector<std::string_view> units<Duration>();
template <>
[[nodiscard]] std::vector<std::string_view> units<ByteSize>();
template <>
[[nodiscard]] std::vector<std::string_view> units<Bandwidth>();
template <>
[[nodiscard]] std::vector<std::string_view> units<Frequency>();

// Exact text that parses back to the same value: "1.5 us", "16 GiB", "819 GB/s", "940 MHz".
[[nodiscard]] std::string to_string(Duration duration);
[[nodiscard]] std::string to_string(ByteSize size);
[[nodiscard]] std::string to_string(Bandwidth bandwidth);
[[nodiscard]] std::string to_string(Frequency frequency);

}  // namespace podsim::config
