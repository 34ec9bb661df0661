// How a config struct's keys are described: once, in a function `fields(visitor, config)` that names every member.
//
//   template <class Visitor>
//   void fields(Visitor& visit, LinkConfig& link) {
//     visit("bandwidth_per_direction", link.bandwidth_per_direction, "of one link, one way", required);
//     visit("lanes", link.lanes, "electrical lanes", at_least(1), at_most(16));
//     visit.section("timing", "what takes how long", [&](auto& timing) {  // keys grouped, though the struct is flat
//       timing("hop_latency", link.hop_latency, "router to router, wire included");
//     });
//     visit.note("description", "a text that is not stored");
//     visit.note("pairs", "or is read elsewhere, and holds a list of chips", form<std::vector<ChipForm>>);
//     visit.layer(link.pod);   // the keys of another struct beside these, which a preset below may give as well
//     visit.check(link.a <= link.b, "a", "must not exceed b");   // after the members that it compares
//   }
//
// The same function serves every visitor: reading (section_reader.h), listing and writing the effective configuration
// (effective_config.h), and describing what a file may hold (schema_writer.h). A member may be a quantity (units.h),
// integer, double, bool, string, enum (see EnumNames), a type with a text of its own (see ScalarText), another such
// struct (a section), a vector or optional of these. Units follow from the member's type. A key is optional and its
// default is the struct's own unless it is `required`. Visitors live in podsim::config, so argument-dependent lookup
// finds the functions, which are there too (memory_fields.h, ici_fields.h, ...).
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "platform/config/quantity.h"

namespace podsim::config {

// Rules: what a value must hold beyond its type. For a list they hold for each element.
struct Required {};
struct Positive {};
struct PowerOfTwo {};
template <class T>
struct AtLeast {
  T bound;
};
template <class T>
struct AtMost {
  T bound;
};
// A name out of a list, which whoever looks it up checks: for descriptions. `closed`: there are no others.
struct Named {
  std::vector<std::string> (*names)();
  bool closed;
};
// A text of this form, a regular expression, which whoever takes it apart checks: for descriptions as well.
struct Spelled {
  std::string_view pattern;
  std::string_view words;
};
inline constexpr Required required;
inline constexpr Positive positive;
inline constexpr PowerOfTwo power_of_two;
template <class T>
constexpr AtLeast<T> at_least(T bound) {
  return {bound};
}
template <class T>
constexpr AtMost<T> at_most(T bound) {
  return {bound};
}

constexpr Named one_of(std::vector<std::string> (*names)()) { return {names, true}; }
constexpr Spelled spelled(std::string_view pattern, std::string_view words) { return {pattern, words}; }
constexpr Named such_as(std::vector<std::string> (*names)()) { return {names, false}; }

// What a noted key holds: what a member of type T would, or one of these.
template <class T>
struct Form {};
template <class T>
inline constexpr Form<T> form;
struct ChipForm {};     // a chip, as its number or its coordinates
struct PairForm {};     // two of them
struct NumbersForm {};  // whole numbers by name
template <class A, class B>
struct EitherForm {};

// The spellings of an enum in YAML. Beside the fields that use it stands
//
//   constexpr auto names(EnumTag<Wrap>) {
//     return EnumNames<Wrap, 2>{{{"yes", Wrap::kYes}, {"no", Wrap::kNo}}};
//   }
template <class E>
struct EnumTag {};
template <class E, std::size_t count>
using EnumNames = std::array<std::pair<std::string_view, E>, count>;

template <class E>
[[nodiscard]] std::string_view enum_name(E value) {
  for (const auto& [name, each] : names(EnumTag<E>{})) {
    if (each == value) return name;
  }
  return "?";
}

// Specialised for a class that YAML writes as one plain value (tensor_core_fields.h has one):
//
//   static constexpr std::string_view kExpected;      // what kind of text: "a rate such as '1/6'"
//   static constexpr std::string_view kPattern;       // a regular expression that every such text matches
//   static Parsed<T> parse(std::string_view text);
//   static std::string text(T value);
template <class T>
struct ScalarText;

// What kind of member a type is.
template <class T>
concept HasScalarText = requires {
  ScalarText<T>::kExpected;
};
template <class T>
inline constexpr bool is_quantity = std::is_same_v<T, Duration> || std::is_same_v<T, ByteSize> ||
                                    std::is_same_v<T, Bandwidth> || std::is_same_v<T, Frequency>;
template <class T>
inline constexpr bool is_vector = false;
template <class T>
inline constexpr bool is_vector<std::vector<T>> = true;
template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;
template <class T>
inline constexpr bool is_section = std::is_class_v<T> && !is_quantity<T> && !is_vector<T> && !is_optional<T> &&
                                   !std::is_same_v<T, std::string> && !HasScalarText<T>;

}  // namespace podsim::config
