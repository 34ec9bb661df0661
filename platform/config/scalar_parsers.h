// Text to a value of a member's type, and what to say when it does not fit.
#pragma once

#include <concepts>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "platform/config/fields.h"
#include "platform/config/suggestion.h"

namespace podsim::config {

// Whole decimal numbers within [smallest, largest]; finite decimal numbers; true or false.
[[nodiscard]] Parsed<std::int64_t> parse_integer(std::string_view text, std::int64_t smallest, std::int64_t largest);
[[nodiscard]] Parsed<std::uint64_t> parse_unsigned(std::string_view text, std::uint64_t largest);
[[nodiscard]] Parsed<double> parse_double(std::string_view text);
[[nodiscard]] Parsed<bool> parse_bool(std::string_view text);

template <class E>
[[nodiscard]] std::vector<std::string> enum_spellings() {
  std::vector<std::string> spellings;
  for (const auto& entry : names(EnumTag<E>{})) spellings.emplace_back(entry.first);
  return spellings;
}

// What kind of text a member takes: "a duration such as '1.5 us'".
template <class T>
[[nodiscard]] std::string expectation() {
  if constexpr (std::is_same_v<T, Duration>)
    return "a duration such as '1.5 us'";
  else if constexpr (std::is_same_v<T, ByteSize>)
    return "a size such as '16 GiB'";
  else if constexpr (std::is_same_v<T, Bandwidth>)
    return "a bandwidth such as '45 GB/s'";
  else if constexpr (std::is_same_v<T, Frequency>)
    return "a frequency such as '940 MHz'";
  else if constexpr (std::is_same_v<T, bool>)
    return "true or false";
  else if constexpr (HasScalarText<T>)
    return std::string(ScalarText<T>::kExpected);
  else if constexpr (std::is_enum_v<T>)
    return fmt::format("one of {}", fmt::join(enum_spellings<T>(), ", "));
  else if constexpr (std::is_integral_v<T>)
    return "a whole number";
  else if constexpr (std::is_floating_point_v<T>)
    return "a number";
  else
    return "text";
}

template <class T>
[[nodiscard]] Parsed<T> parse_scalar(std::string_view text) {
  if constexpr (std::is_same_v<T, Duration>) {
    return parse_duration(text);
  } else if constexpr (std::is_same_v<T, ByteSize>) {
    return parse_byte_size(text);
  } else if constexpr (std::is_same_v<T, Bandwidth>) {
    return parse_bandwidth(text);
  } else if constexpr (std::is_same_v<T, Frequency>) {
    return parse_frequency(text);
  } else if constexpr (std::is_same_v<T, bool>) {
    return parse_bool(text);
  } else if constexpr (HasScalarText<T>) {
    return ScalarText<T>::parse(text);
  } else if constexpr (std::is_enum_v<T>) {
    for (const auto& [name, value] : names(EnumTag<T>{})) {
      if (name == text) return {value, {}};
    }
    const auto near = nearest(text, enum_spellings<T>());
    return {std::nullopt, fmt::format("expected {}, got '{}'{}", expectation<T>(), text.substr(0, 60),
                                      near ? fmt::format("; did you mean '{}'?", *near) : "")};
  } else if constexpr (std::unsigned_integral<T>) {
    auto parsed = parse_unsigned(text, std::numeric_limits<T>::max());
    if (!parsed.value) return {std::nullopt, std::move(parsed.error)};
    return {static_cast<T>(*parsed.value), {}};
  } else if constexpr (std::signed_integral<T>) {
    auto parsed = parse_integer(text, std::numeric_limits<T>::min(), std::numeric_limits<T>::max());
    if (!parsed.value) return {std::nullopt, std::move(parsed.error)};
    return {static_cast<T>(*parsed.value), {}};
  } else if constexpr (std::is_same_v<T, double>) {
    return parse_double(text);
  } else {
    static_assert(std::is_same_v<T, std::string>, "no YAML form is defined for this member's type");
    return {std::string(text), {}};
  }
}

}  // namespace podsim::config
