// What the rules of fields.h ask of a value: whether one is broken, and how the user is told.
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include "platform/config/fields.h"

namespace podsim::config {

// A scalar as YAML would have it.
template <class T>
[[nodiscard]] std::string value_text(const T& value) {
  if constexpr (is_quantity<T>) {
    return to_string(value);
  } else if constexpr (std::is_enum_v<T>) {
    return std::string(enum_name(value));
  } else if constexpr (HasScalarText<T>) {
    return ScalarText<T>::text(value);
  } else {
    return fmt::format("{}", value);
  }
}

// A rule broken by `value`, as the user is told it; empty when the rule holds.
template <class T>
std::string broken(const T&, Required) {
  return {};
}
template <class T>
std::string broken(const T&, Named) {
  return {};
}
template <class T>
std::string broken(const T&, Spelled) {
  return {};
}
template <class T>
std::string broken(const T& value, Positive) {
  return value > T{} ? "" : "must be more than zero";
}
template <>
inline std::string broken(const Duration& value, Positive) {
  return value.ps > 0 ? "" : "must be more than zero";
}
template <>
inline std::string broken(const ByteSize& value, Positive) {
  return value.bytes > 0 ? "" : "must be more than zero";
}
template <class T>
std::string broken(const T& value, PowerOfTwo) {
  if constexpr (is_quantity<T>) {
    return std::has_single_bit(value.bytes) ? "" : "must be a power of two";
  } else {
    return value > 0 && std::has_single_bit(static_cast<std::uint64_t>(value)) ? "" : "must be a power of two";
  }
}
template <class T>
bool is_less(const T& a, const T& b) {
  return a < b;
}
template <class T, class B>
requires(!std::same_as<T, B> && std::integral<T> && std::integral<B>) bool is_less(T a, B b) {
  return std::cmp_less(a, b);
}
template <class T, class B>
std::string broken(const T& value, AtLeast<B> rule) {
  return is_less(value, rule.bound) ? fmt::format("must be at least {}", value_text(rule.bound)) : "";
}
template <class T, class B>
std::string broken(const T& value, AtMost<B> rule) {
  return is_less(rule.bound, value) ? fmt::format("must be at most {}", value_text(rule.bound)) : "";
}

// A rule in words, for listings.
inline std::string words(Required) { return "required"; }
inline std::string words(Named rule) {
  return fmt::format("{}{}", rule.closed ? "one of " : "such as ", fmt::join(rule.names(), ", "));
}
inline std::string words(Spelled rule) { return std::string(rule.words); }
inline std::string words(Positive) { return "more than zero"; }
inline std::string words(PowerOfTwo) { return "a power of two"; }
template <class B>
std::string words(AtLeast<B> rule) {
  return fmt::format("at least {}", value_text(rule.bound));
}
template <class B>
std::string words(AtMost<B> rule) {
  return fmt::format("at most {}", value_text(rule.bound));
}

}  // namespace podsim::config
