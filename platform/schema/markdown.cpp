#include "platform/schema/markdown.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

namespace podsim::schema {

using Json = nlohmann::ordered_json;

namespace {

constexpr const char* kNotice =
    "<!-- Made by scripts/reference-pages of what `podsim schema` says: change the fields' headers. -->\n";

std::string escaped(std::string text) {
  for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2) text.insert(at, "\\");
  return text;
}

// References lead to places that differ from file to file.
Json without_references(Json schema) {
  if (schema.is_structured()) {
    if (schema.is_object() && schema.contains("$ref")) schema["$ref"] = "";
    for (Json& each : schema) each = without_references(std::move(each));
  }
  return schema;
}

std::map<std::string, Json> keys_of(const Json& section) {
  std::map<std::string, Json> keys;
  for (const auto& [key, property] : section["properties"].items()) keys[key] = without_references(property);
  return keys;
}

// What one page has, for the others to refer to.
struct Elsewhere {
  std::string page;
  std::map<std::string, Json> keys;
};

class Page {
 public:
  explicit Page(std::vector<Elsewhere> others) : others_(std::move(others)) {}

  [[nodiscard]] std::string text(const Json& schema) {
    section("", schema);
    return std::move(text_);
  }

 private:
  // The part of a key's schema that is a section, if there is one: its own, a list's, or one of several forms.
  [[nodiscard]] static const Json* section_of(const Json& schema) {
    if (schema.contains("properties")) return &schema;
    if (schema.contains("items")) return section_of(schema["items"]);
    if (schema.contains("anyOf")) {
      for (const Json& form : schema["anyOf"]) {
        if (const Json* const found = section_of(form)) return found;
      }
    }
    return nullptr;
  }

  [[nodiscard]] std::string value(const Json& schema, const std::string& path) {
    if (schema.contains("$ref") || schema.contains("allOf")) {
      const std::string to = schema.contains("$ref") ? schema["$ref"] : schema["allOf"][0]["$ref"];
      const std::size_t last = to.rfind("/properties/");
      const std::string key = last == to.npos ? "the file" : to.substr(last + 12, to.find('/', last + 12) - last - 12);
      return fmt::format("as `{}`", key);
    }
    if (schema.contains("x-expected")) return escaped(schema["x-expected"]);
    if (schema.contains("properties")) return section_link(schema, path);
    if (schema.contains("anyOf")) {
      std::string text;
      for (const Json& form : schema["anyOf"]) text += (text.empty() ? "" : ", or ") + value(form, path);
      return text;
    }
    if (schema.contains("items")) return "list of: " + value(schema["items"], path);
    return "";
  }

  // A section is described once, where it is met first.
  [[nodiscard]] std::string section_link(const Json& schema, const std::string& path) {
    if (const Elsewhere* const file = file_of(schema))
      return fmt::format("the keys of a [{0} file]({0}.md)", file->page);
    const std::string& first = described_.emplace(without_references(schema).dump(), path).first->second;
    return first == path ? fmt::format("[section](#{})", anchor(path))
                         : fmt::format("as [{}](#{})", first, anchor(first));
  }
  [[nodiscard]] bool is_described_elsewhere(const Json& schema, const std::string& path) const {
    const auto found = described_.find(without_references(schema).dump());
    return file_of(schema) != nullptr || (found != described_.end() && found->second != path);
  }

  [[nodiscard]] static std::string anchor(std::string path) {
    std::erase(path, '.');
    return path;
  }

  [[nodiscard]] const std::string* page_of(const std::string& key, const Json& schema) const {
    for (const Elsewhere& other : others_) {
      const auto found = other.keys.find(key);
      if (found != other.keys.end() && found->second == without_references(schema)) return &other.page;
    }
    return nullptr;
  }

  [[nodiscard]] static std::string presence(const Json& section, const std::string& key, const Json& schema) {
    if (section.contains("required")) {
      for (const Json& each : section["required"]) {
        if (each == key) return "required";
      }
    }
    if (schema.contains("x-required")) return "required, here or below";
    if (!schema.contains("default")) return "";
    const Json& value = schema["default"];
    return fmt::format("`{}`", value.is_string() ? value.get<std::string>() : value.dump());
  }

  void section(const std::string& path, const Json& schema) {
    std::vector<std::pair<std::string, const Json*>> below;
    std::map<std::string, std::string> elsewhere;
    std::string rows;
    for (const auto& [key, property] : schema["properties"].items()) {
      const std::string own = path.empty() ? key : path + '.' + key;
      if (const std::string* const other = path.empty() && key != "description" ? page_of(key, property) : nullptr) {
        elsewhere[*other] += fmt::format("{}`{}`", elsewhere[*other].empty() ? "" : ", ", key);
        continue;
      }
      rows += fmt::format("| `{}` | {} | {} | {} |\n", key, value(property, own), presence(schema, key, property),
                          escaped(property["description"]));
      const Json* const inner = section_of(property);
      if (inner != nullptr) below.emplace_back(own, inner);
    }
    if (!path.empty()) text_ += fmt::format("\n## {}\n\n", path);
    if (!rows.empty()) text_ += "| Key | Value | Default | Meaning |\n|---|---|---|---|\n" + rows;
    for (const auto& [page, keys] : elsewhere) {
      text_ += fmt::format("\nBesides, as in [{0}.md]({0}.md): {1}.\n", page, keys);
    }
    for (const auto& [inner_path, inner] : below) {
      if (!is_described_elsewhere(*inner, inner_path)) section(inner_path, *inner);
    }
  }

  // A whole file of another kind within this one.
  [[nodiscard]] const Elsewhere* file_of(const Json& schema) const {
    const std::map<std::string, Json> keys = keys_of(schema);
    const auto file =
        std::find_if(others_.begin(), others_.end(), [&](const Elsewhere& other) { return other.keys == keys; });
    return file == others_.end() ? nullptr : &*file;
  }

  std::vector<Elsewhere> others_;
  std::map<std::string, std::string> described_;  // sections, and the path under which each was described
  std::string text_;
};

}  // namespace

std::string page(const Kind& kind) {
  std::vector<Elsewhere> others;
  for (const Kind& other : kinds()) {
    if (other.name == kind.name) break;
    others.push_back({std::string(other.name), keys_of(other.schema())});
  }
  return fmt::format("{}# {}\n\n`{}`\n\n{}\n\n{}", kNotice, kind.title, kind.files, kind.about,
                     Page(std::move(others)).text(kind.schema()));
}

std::string contents() {
  std::string text = fmt::format("{}# Every key of every file\n\n| File | What it is |\n|---|---|\n", kNotice);
  for (const Kind& kind : kinds()) {
    text += fmt::format("| [{}]({}.md), `{}` | {} |\n", kind.title, kind.name, kind.files, kind.about);
  }
  return text +
         "\nValues and defaults are those of the readers. \"required, here or below\": the file itself or a preset "
         "that it "
         "builds upon has to give it.\nEditors check the same with the schemas that `podsim schema` prints: see "
         "[configuration.md](../configuration.md#in-an-editor).\n";
}

}  // namespace podsim::schema
