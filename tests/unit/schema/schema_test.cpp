// The schemas of YAML files: valid themselves (the validator is valijson), and of one opinion with the readers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <charconv>
#include <fstream>
#include <functional>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

#include "platform/config/yaml_document.h"
#include "platform/schema/kinds.h"
#include "platform/schema/markdown.h"
#include "tests/support/yaml_files.h"

namespace podsim::schema {
namespace {

namespace fs = std::filesystem;
using config::ConfigNode;
using nlohmann::json;

const fs::path kRoot = PODSIM_SOURCE_DIR;

// A plain value as editors and validators see it: YAML 1.2, core schema (yaml.org/spec/1.2.2, 10.3).
json scalar(const std::string& text) {
  static const std::regex kInteger("[-+]?[0-9]+"), kFloat(R"([-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?)");
  if (text == "true" || text == "false") return text == "true";
  if (std::regex_match(text, kInteger) && text.size() < 19) return std::stoll(text);
  if (std::regex_match(text, kFloat)) return std::stod(text);
  return text;
}

json to_json(const ConfigNode& node) {
  switch (node.kind) {
    case ConfigNode::Kind::kNull: return nullptr;
    case ConfigNode::Kind::kScalar: return scalar(node.text);
    case ConfigNode::Kind::kList: {
      json list = json::array();
      for (const ConfigNode& item : node.items) list.push_back(to_json(item));
      return list;
    }
    case ConfigNode::Kind::kMap: break;
  }
  json map = json::object();
  for (const config::ConfigEntry& entry : node.entries) map[entry.key] = to_json(entry.value);
  return map;
}

class Validator {
 public:
  explicit Validator(const Kind& kind) : json_(json::parse(schema_of(kind).dump())) {
    valijson::SchemaParser(valijson::SchemaParser::kDraft7)
        .populateSchema(valijson::adapters::NlohmannJsonAdapter(json_), schema_);
  }
  // What is wrong with a document; empty if nothing is.
  [[nodiscard]] std::string complaint(const ConfigNode& node) const {
    const json document = to_json(node);
    valijson::ValidationResults results;
    const valijson::adapters::NlohmannJsonAdapter target(document);
    if (valijson::Validator().validate(schema_, target, &results)) return {};
    std::string text;
    for (valijson::ValidationResults::Error error; results.popError(error);) {
      for (const std::string& part : error.context) text += part;
      text += ": " + error.description + '\n';
    }
    return text;
  }
  [[nodiscard]] bool accepts(const ConfigNode& node) const { return complaint(node).empty(); }

 private:
  json json_;
  valijson::Schema schema_;
};

ConfigNode text_node(const std::string& text) { return config::parse_yaml(text, "replacement"); }

// Calls `visit` with the document once for each change that there is to make to it: a key that nobody knows in each
// section, and for each value one of another type and one with another unit.
void for_each_change(ConfigNode& document, ConfigNode& node, const std::function<void(const std::string&)>& visit) {
  const auto with = [&](const std::string& replacement) {
    const ConfigNode before = std::exchange(node, text_node(replacement));
    visit(replacement);
    node = before;
  };
  with("[[1, 2], {a: b}]");
  with("{zzz: 1}");
  with("3 furlongs");
  with("-7");
  with("true");
  with("~");
  for (ConfigNode& item : node.items) for_each_change(document, item, visit);
  if (node.kind != ConfigNode::Kind::kMap) return;
  node.entries.push_back({"zzz", node.mark, text_node("1")});
  visit("zzz");
  node.entries.pop_back();
  for (config::ConfigEntry& entry : node.entries) for_each_change(document, entry.value, visit);
}

enum class Verdict { kFine, kWrongForm, kOther };

// What the reader says: is the form wrong (an unknown key, or a value of another kind), which a schema must see too, or
// is it something that only whoever builds the pod can know, or an expression's syntax, which no schema can tell?
Verdict verdict_of(const Kind& kind, const ConfigNode& document) {
  try {
    testing::read_as(std::string(kind.name), document, kRoot);
    return Verdict::kFine;
  } catch (const config::ConfigError& error) {
    for (const config::Diagnostic& each : error.diagnostics()) {
      const auto has = [&](const char* part) { return each.message.find(part) != std::string::npos; };
      if (each.message.starts_with("unknown key") ||
          (each.message.starts_with("expected") && has(", got ") && !has("outside") && !has("(column "))) {
        return Verdict::kWrongForm;
      }
    }
    return Verdict::kOther;
  }
}

std::vector<std::string> kind_names() {
  std::vector<std::string> names;
  for (const Kind& kind : kinds()) names.emplace_back(kind.name);
  return names;
}

class Schema : public ::testing::TestWithParam<std::string> {
 protected:
  const Kind& kind_ = *find_kind(GetParam());
};
INSTANTIATE_TEST_SUITE_P(Kinds, Schema, ::testing::ValuesIn(kind_names()), [](const auto& each) { return each.param; });

TEST_P(Schema, AcceptsEveryShippedFile) {
  const Validator validator(kind_);
  const auto files = testing::files_of(GetParam(), kRoot);
  EXPECT_GE(files.size(), 1u);
  for (const fs::path& file : files) EXPECT_EQ(validator.complaint(config::load_yaml(file)), "") << file;
}

// The property: what the reader takes, the schema takes; what the reader refuses for its form, the schema refuses.
TEST_P(Schema, IsOfOneOpinionWithTheReader) {
  // Changes that are tried, spread over all files; a file of cases takes long to read.
  const int most = GetParam() == "validation" ? 150 : 400;
  const Validator validator(kind_);
  const auto files = testing::files_of(GetParam(), kRoot);
  int all = 0;
  for (const fs::path& file : files) {
    ConfigNode document = config::load_yaml(file);
    for_each_change(document, document, [&](const std::string&) { ++all; });
  }
  const int step = std::max(1, all / most);
  int number = 0, refused = 0, taken = 0;
  for (const fs::path& file : files) {
    ConfigNode document = config::load_yaml(file);
    for_each_change(document, document, [&](const std::string& change) {
      if (++number % step != 0) return;
      const Verdict verdict = verdict_of(kind_, document);
      if (verdict == Verdict::kOther) return;
      const std::string complaint = validator.complaint(document);
      EXPECT_EQ(verdict == Verdict::kFine, complaint.empty()) << file << "\nchange " << number << ": " << change << "\n"
                                                              << complaint << to_json(document).dump();
      ++(verdict == Verdict::kFine ? taken : refused);
    });
  }
  EXPECT_GT(refused, 20);
  EXPECT_GT(taken, 5);
}

TEST_P(Schema, HasTheReferencePageThatItMakes) {
  std::ostringstream text;
  text << std::ifstream(kRoot / "docs" / "reference" / (GetParam() + ".md")).rdbuf();
  EXPECT_EQ(text.str(), page(kind_)) << "call scripts/reference-pages";
}

TEST(Schema, HasAPageOfContents) {
  std::ostringstream text;
  text << std::ifstream(kRoot / "docs" / "reference" / "README.md").rdbuf();
  EXPECT_EQ(text.str(), contents()) << "call scripts/reference-pages";
}

// Bad files, each refused by both.
TEST(Schema, RefusesWhatTheReaderRefuses) {
  const Validator run(*find_kind("run")), pod(*find_kind("pod"));
  const std::vector<std::string> runs{
      "{pod: tpu-v5e-4x4}",                                                    // no steps
      "{steps: [{collective: all_reduce, size: 1 MiB}]}",                      // no pod
      "{pod: tpu-v5e-4x4, steps: {collective: all_reduce}}",                   // no list
      "{pod: tpu-v5e-4x4, steps: [{colective: all_reduce, size: 1 MiB}]}",     // unknown key
      "{pod: tpu-v5e-4x4, steps: [{collective: all_reduc, size: 1 MiB}]}",     // unknown name
      "{pod: tpu-v5e-4x4, steps: [{collective: all_reduce, size: 1048576}]}",  // no unit
      "{pod: tpu-v5e-4x4, steps: [{collective: all_reduce, size: 1 ms}]}",     // another unit
      "{pod: tpu-v5e-4x4, steps: [{collective: all_reduce, size: 1 MiB, repeat: 0}]}",
      "{pod: tpu-v5e-4x4, steps: [{matmul: {m: 8, k: 8}}]}",                  // a missing extent
      "{pod: tpu-v5e-4x4, steps: [{matmul: {m: 8, k: 8, n: 8, heads: 2}}]}",  // of another kernel
      "{pod: tpu-v5e-4x4, steps: [{matmul: {m: 8, k: 8, n: 8, tiles: some}}]}",
      "{pod: tpu-v5e-4x4, steps: [{sequence: [{collective: all_reduce, sise: 1 MiB}]}]}",
      "{pod: tpu-v5e-4x4, steps: [{collective: collective_permute, size: 1 B, pairs: [[0]]}]}",
      "{pod: tpu-v5e-4x4, steps: [{collective: all_reduce, size: 1 MiB, groups: [0, 1]}]}",
      "{pod: tpu-v5e-4x4, steps: [{workload: {kind: fsdp, model: llama9, tokens: 1}}]}",
      "{pod: tpu-v5e-4x4, ici: {hop_latency: 1 GB/s}, steps: [{program: local_copy, size: 1 B}]}",
      "{pod: tpu-v5e-4x4, hbm: 16 GiB, steps: [{program: local_copy, size: 1 B}]}",
      "{pod: tpu-v5e-4x4, checks: some, steps: [{program: local_copy, size: 1 B}]}",
      "{pod: tpu-v5e-4x4, expect: {outcome: bliss}, steps: [{program: local_copy, size: 1 B}]}",
  };
  for (const std::string& text : runs) {
    const ConfigNode document = text_node(text);
    EXPECT_FALSE(run.accepts(document)) << text;
    EXPECT_THROW(testing::read_as("run", document, kRoot), config::ConfigError) << text;
  }
  const std::vector<std::string> pods{"{chip: tpu-v5e, topology: {axes: [{size: 4}]}}",
                                      "{chip: tpu-v5e, topology: {axes: [{name: x, size: 4, wrap: maybe}]}}",
                                      "{chip: tpu-v5e, topologie: {axes: [{name: x, size: 4}]}}",
                                      "{chip: tpu-v5e, topology: {axes: [{name: x, size: four}]}}"};
  for (const std::string& text : pods) {
    const ConfigNode document = text_node(text);
    EXPECT_FALSE(pod.accepts(document)) << text;
    EXPECT_THROW(testing::read_as("pod", document, kRoot), config::ConfigError) << text;
  }
}

}  // namespace
}  // namespace podsim::schema
