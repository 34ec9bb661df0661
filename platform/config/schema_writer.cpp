#include "platform/config/schema_writer.h"

#include <algorithm>

namespace podsim::config {

std::string quantity_pattern(const std::vector<std::string_view>& units) {
  // As take_decimal() of quantity.cpp reads it.
  return fmt::format(R"(^\+?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)? *({})$)", fmt::join(units, "|"));
}

std::string example_in(const std::string& expectation) {
  const std::size_t begin = expectation.find('\'');
  const std::size_t end = expectation.find('\'', begin + 1);
  return begin == std::string::npos ? "" : expectation.substr(begin + 1, end - begin - 1);
}

void allow_null(Json& schema) {
  if (schema.contains("enum")) schema["enum"].push_back(nullptr);
  if (!schema.contains("type")) return;
  Json& type = schema["type"];
  if (!type.is_array()) type = Json::array({type});
  if (std::find(type.begin(), type.end(), Json("null")) == type.end()) type.push_back("null");
}

Json SchemaWriter::empty_section() {
  return {{"type", {"object", "null"}},  // a section without keys is no value at all
          {"properties", Json::object()},
          {"additionalProperties", false}};
}

void SchemaWriter::add(std::string_view key, Json property, std::string_view help, bool is_required) {
  // Draft-07 ignores what stands beside a reference.
  if (property.contains("$ref")) property = {{"allOf", Json::array({std::move(property)})}};
  if (is_required) {
    property.erase("default");
    if (layered_) {
      property["x-required"] = true;
    } else {
      schema_["required"].push_back(key);
    }
  }
  Json described = {{"description", help}};
  described.update(property);
  schema_["properties"][std::string(key)] = std::move(described);
}

void SchemaWriter::apply(Json& schema, Named rule, bool) {
  schema[rule.closed ? "enum" : "examples"] = rule.names();
  if (rule.closed) schema.erase("type");
}

void SchemaWriter::apply(Json& schema, Spelled rule, bool) {
  schema["type"] = "string";
  schema["pattern"] = rule.pattern;
}

Json SchemaWriter::of_form(Form<ChipForm>, const std::string&) {
  const Json number = {{"type", "integer"}, {"minimum", 0}};
  const Json coordinates = {{"type", "array"}, {"items", number}, {"minItems", 1}};
  return {{"anyOf", {number, coordinates}}, {"x-expected", "a chip: its number, or its coordinates"}};
}

Json SchemaWriter::of_form(Form<PairForm>, const std::string& pointer) {
  return {{"type", "array"},
          {"items", of_form(form<ChipForm>, pointer)},
          {"minItems", 2},
          {"maxItems", 2},
          {"x-expected", "[source, target]"}};
}

Json SchemaWriter::of_form(Form<NumbersForm>, const std::string&) {
  return {{"type", {"object", "null"}},
          {"additionalProperties", {{"type", "integer"}}},
          {"x-expected", "whole numbers by name, such as {rounds: 3}"}};
}

}  // namespace podsim::config
