// The visitor that describes what a section may hold as a JSON Schema (draft-07, json-schema.org; what editors' YAML
// language servers read). See fields.h; platform/schema/kinds.h has the schemas of whole files.
//
// Two keywords are podsim's own, which validators pass over: `x-expected`, what kind of value a key takes in words, and
// `x-required`, of a key that a layer below may give as well (layers.h): it is not required of one file.
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <typeindex>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "platform/config/field_rules.h"
#include "platform/config/fields.h"
#include "platform/config/scalar_parsers.h"

namespace podsim::config {

using Json = nlohmann::ordered_json;

// What a quantity looks like whose unit is one of these: "^...(ps|ns|us)$".
[[nodiscard]] std::string quantity_pattern(const std::vector<std::string_view>& units);
// The first example in words such as "a duration such as '1.5 us'".
[[nodiscard]] std::string example_in(const std::string& expectation);
// Accepts null besides: a key without a value.
void allow_null(Json& schema);

class SchemaWriter {
 public:
  // A section that is being described, and where: a section within it of the same type refers to it.
  struct Open {
    std::type_index type;
    std::string pointer;  // JSON pointer in the whole schema
  };

  // `layered`: a layer below may give the section's keys.
  SchemaWriter(std::string pointer, bool layered, std::vector<Open>& open)
      : schema_(empty_section()), pointer_(std::move(pointer)), layered_(layered), open_(open) {}

  template <class T, class... Rules>
  void operator()(std::string_view key, T& value, std::string_view help, const Rules&... rules) {
    Json property = of_value(value, pointer_of(key), layered_, rules...);
    add(key, std::move(property), help, (std::is_same_v<Rules, Required> || ...));
  }
  template <class Describe>
  void section(std::string_view key, std::string_view help, Describe describe) {
    SchemaWriter writer(pointer_of(key), layered_, open_);
    describe(writer);
    add(key, writer.take(), help, false);
  }
  void note(std::string_view key, std::string_view help) {
    std::optional<std::string> text;
    (*this)(key, text, help);
  }
  template <class T, class... Rules>
  void note(std::string_view key, std::string_view help, Form<T>, const Rules&...) {
    add(key, of_form(Form<T>{}, pointer_of(key)), help, (std::is_same_v<Rules, Required> || ...));
  }
  template <class T>
  void layer(T& config) {
    const bool before = std::exchange(layered_, true);
    fields(*this, config);
    layered_ = before;
  }
  void check(bool, std::string_view, std::string_view) {}  // a condition between keys is the reader's to judge

  [[nodiscard]] Json take() { return std::move(schema_); }

 private:
  [[nodiscard]] static Json empty_section();
  [[nodiscard]] std::string pointer_of(std::string_view key) const {
    return fmt::format("{}/properties/{}", pointer_, key);
  }
  void add(std::string_view key, Json property, std::string_view help, bool is_required);

  template <class T, class... Rules>
  [[nodiscard]] Json of_value(T& value, const std::string& pointer, bool layered, const Rules&... rules) {
    if constexpr (is_optional<T>) {
      typename T::value_type content{};
      if (value) content = *value;
      Json schema = of_value(content, pointer, layered, rules...);
      if (!value) schema.erase("default");
      allow_null(schema);
      return schema;
    } else if constexpr (is_vector<T>) {
      typename T::value_type item{};
      Json items = of_value(item, pointer + "/items", false, rules...);
      items.erase("default");
      return {{"type", "array"}, {"items", std::move(items)}};
    } else if constexpr (is_section<T>) {
      return of_section(value, pointer, layered);
    } else {
      return of_scalar(value, rules...);
    }
  }

  template <class T>
  [[nodiscard]] Json of_section(T& value, const std::string& pointer, bool layered) {
    for (const Open& each : open_) {
      if (each.type == typeid(T)) return {{"$ref", "#" + each.pointer}};
    }
    open_.push_back({typeid(T), pointer});
    SchemaWriter writer(pointer, layered, open_);
    fields(writer, value);
    open_.pop_back();
    return writer.take();
  }

  template <class T, class... Rules>
  [[nodiscard]] static Json of_scalar(const T& value, const Rules&... rules) {
    Json schema = Json::object();
    if constexpr (is_quantity<T>) {
      schema["type"] = "string";
      schema["pattern"] = quantity_pattern(units<T>());
      schema["examples"] = Json::array({example_in(expectation<T>())});
    } else if constexpr (HasScalarText<T>) {
      // What is a number to YAML is no string to a validator.
      const bool may_be_number = ScalarText<T>::parse("1").value.has_value();
      schema["type"] = may_be_number ? Json{"string", "integer"} : Json("string");
      schema["pattern"] = ScalarText<T>::kPattern;
      if (may_be_number) schema["minimum"] = ScalarText<T>::parse("0").value.has_value() ? 0 : 1;
    } else if constexpr (std::is_enum_v<T>) {
      schema["enum"] = enum_spellings<T>();
    } else if constexpr (std::is_same_v<T, bool>) {
      schema["type"] = "boolean";
    } else if constexpr (std::is_integral_v<T>) {
      schema["type"] = "integer";
      if constexpr (std::is_unsigned_v<T>) schema["minimum"] = 0;
      if constexpr (sizeof(T) < sizeof(std::int64_t)) {  // validators count in signed 64 bits
        schema["minimum"] = std::numeric_limits<T>::min();
        schema["maximum"] = std::numeric_limits<T>::max();
      }
    } else if constexpr (std::is_floating_point_v<T>) {
      schema["type"] = "number";
    } else {
      schema["type"] = {"string", "number", "boolean"};  // 12 and true are texts as well
    }
    (apply(schema, rules, is_quantity<T>), ...);
    if constexpr (!std::is_same_v<T, std::string>) {
      schema["default"] = default_of(value);
    } else if (!value.empty()) {
      schema["default"] = value;
    }
    std::string expected = expectation<T>();
    ((expected += std::is_same_v<Rules, Required> ? "" : fmt::format(", {}", words(rules))), ...);
    schema["x-expected"] = expected;
    return schema;
  }

  template <class T>
  [[nodiscard]] static Json default_of(const T& value) {
    if constexpr (std::is_arithmetic_v<T>) {
      return value;
    } else {
      return value_text(value);
    }
  }

  // A rule is words where values are text with a unit.
  static void apply(Json&, Required, bool) {}
  static void apply(Json&, PowerOfTwo, bool) {}
  static void apply(Json& schema, Named rule, bool);
  static void apply(Json& schema, Spelled rule, bool);
  static void apply(Json& schema, Positive, bool is_text) {
    if (!is_text) schema["exclusiveMinimum"] = 0;
  }
  template <class B>
  static void apply(Json& schema, AtLeast<B> rule, bool) {
    if constexpr (std::is_arithmetic_v<B>) schema["minimum"] = rule.bound;
  }
  template <class B>
  static void apply(Json& schema, AtMost<B> rule, bool) {
    if constexpr (std::is_arithmetic_v<B>) schema["maximum"] = rule.bound;
  }

  template <class T>
  [[nodiscard]] Json of_form(Form<T>, const std::string& pointer) {
    T value{};
    Json schema = of_value(value, pointer, false);
    schema.erase("default");
    return schema;
  }
  template <class T>
  [[nodiscard]] Json of_form(Form<std::vector<T>>, const std::string& pointer) {
    return {{"type", "array"}, {"items", of_form(form<T>, pointer + "/items")}};
  }
  [[nodiscard]] static Json of_form(Form<ChipForm>, const std::string&);
  [[nodiscard]] static Json of_form(Form<PairForm>, const std::string&);
  [[nodiscard]] static Json of_form(Form<NumbersForm>, const std::string&);
  template <class A, class B>
  [[nodiscard]] Json of_form(Form<EitherForm<A, B>>, const std::string& pointer) {
    return {{"anyOf", {of_form(form<A>, pointer + "/anyOf/0"), of_form(form<B>, pointer + "/anyOf/1")}}};
  }

  Json schema_;
  std::string pointer_;
  bool layered_;
  std::vector<Open>& open_;
};

// The schema of a whole file that is read as a T.
template <class T>
[[nodiscard]] Json schema_of(bool layered) {
  T config{};
  std::vector<SchemaWriter::Open> open{{typeid(T), ""}};
  SchemaWriter writer("", layered, open);
  fields(writer, config);
  Json schema = writer.take();
  schema["type"] = "object";  // an empty file is refused
  return schema;
}

}  // namespace podsim::config
