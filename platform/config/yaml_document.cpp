#include "platform/config/yaml_document.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <system_error>

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include "platform/config/utf8.h"

namespace podsim::config {
namespace {

using Source = std::shared_ptr<const std::string>;

SourceMark to_mark(const Source& source, const YAML::Mark& mark) { return {source, mark.line + 1, mark.column + 1}; }

// Builds the tree from yaml-cpp's parse events. YAML::Node would hide duplicate keys and the places of keys.
class TreeBuilder final : public YAML::EventHandler {
 public:
  explicit TreeBuilder(Source source) : source_(std::move(source)) {}

  // The finished tree; throws the first complaint, if there was one.
  [[nodiscard]] ConfigNode take() {
    if (complaint_) throw ConfigError({*complaint_});
    return std::move(root_);
  }

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    ConfigNode node;
    node.mark = to_mark(source_, mark);
    complete(std::move(node), anchor);
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end()) fail(to_mark(source_, mark), "an alias may not refer to a node that it is part of");
    if (expects_key()) return stand_in_key(to_mark(source_, mark), "a key must be plain text, not an alias");
    count(found->second.nodes, to_mark(source_, mark));
    place(found->second.node);
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    refuse_tag(mark, tag);
    ConfigNode node;
    node.mark = to_mark(source_, mark);
    node.kind = ConfigNode::Kind::kScalar;
    node.text = value;
    complete(std::move(node), anchor);
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(mark, tag, anchor, ConfigNode::Kind::kList);
  }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(mark, tag, anchor, ConfigNode::Kind::kMap);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapEnd() override { close(); }

 private:
  // A list or map whose end has not been seen yet.
  struct Open {
    ConfigNode node;
    YAML::anchor_t anchor = 0;
    std::size_t nodes_before = 0;
    bool is_key = false;   // stands where a key is due, which only plain text may
    bool has_key = false;  // of a map: its key has been read, its value is due
    std::string key;
    SourceMark key_mark;
  };
  struct Anchored {
    ConfigNode node;
    std::size_t nodes = 1;
  };

  [[noreturn]] static void fail(SourceMark mark, std::string message) {
    throw ConfigError(std::move(mark), {}, std::move(message));
  }

  // Notes a mistake that parsing can go on after. It is reported only if the text proves to be valid YAML: an unclosed
  // bracket looks like a key that is a list until the parser reaches the end.
  void complain(SourceMark mark, std::string message) {
    if (!complaint_) complaint_ = Diagnostic{std::move(mark), {}, std::move(message)};
  }

  // Complains of a key that is no plain text, and puts one in its place to go on with.
  void stand_in_key(SourceMark mark, std::string message) {
    complain(mark, std::move(message));
    Open& map = open_.back();
    map.has_key = true;
    map.key_mark = std::move(mark);
    map.key = std::string(1, '?');
  }

  void refuse_tag(const YAML::Mark& mark, const std::string& tag) {
    if (tag.empty() || tag == "?" || tag == "!") return;
    complain(to_mark(source_, mark), fmt::format("tags such as '{}' are not supported", tag));
  }

  void count(std::size_t nodes, const SourceMark& mark) {
    nodes_ += nodes;
    if (nodes_ > kMostNodes) fail(mark, fmt::format("more than {} values, aliases expanded", kMostNodes));
  }

  [[nodiscard]] bool expects_key() const {
    return !open_.empty() && open_.back().node.kind == ConfigNode::Kind::kMap && !open_.back().has_key;
  }

  void open(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, ConfigNode::Kind kind) {
    refuse_tag(mark, tag);
    if (open_.size() >= kDeepestNesting) {
      fail(to_mark(source_, mark), fmt::format("nested more than {} deep", kDeepestNesting));
    }
    Open opened;
    opened.node.kind = kind;
    opened.node.mark = to_mark(source_, mark);
    opened.anchor = anchor;
    opened.nodes_before = nodes_;
    opened.is_key = expects_key();
    open_.push_back(std::move(opened));
  }

  void close() {
    Open closed = std::move(open_.back());
    open_.pop_back();
    count(1, closed.node.mark);
    if (closed.anchor != 0) anchors_[closed.anchor] = {closed.node, nodes_ - closed.nodes_before};
    if (closed.is_key) {
      stand_in_key(closed.node.mark, "a key must be plain text, not a list or section");
    } else {
      place(std::move(closed.node));
    }
  }

  void complete(ConfigNode node, YAML::anchor_t anchor) {
    count(1, node.mark);
    if (anchor != 0) anchors_[anchor] = {node, 1};
    if (expects_key()) {
      begin_entry(std::move(node));
    } else {
      place(std::move(node));
    }
  }

  void begin_entry(ConfigNode key) {
    Open& map = open_.back();
    const auto same = std::find_if(map.node.entries.begin(), map.node.entries.end(),
                                   [&](const ConfigEntry& e) { return e.key == key.text; });
    if (key.kind == ConfigNode::Kind::kNull || key.text.empty()) {
      complain(key.mark, "a key is missing");
    } else if (key.text == "<<") {
      complain(key.mark, "merge keys ('<<') are not supported; name a preset and override its keys");
    } else if (same != map.node.entries.end()) {
      complain(key.mark, fmt::format("duplicate key '{}', first given in line {}", key.text, same->key_mark.line));
    }
    map.has_key = true;
    map.key = std::move(key.text);
    map.key_mark = std::move(key.mark);
  }

  void place(ConfigNode node) {
    if (open_.empty()) {
      root_ = std::move(node);
    } else if (Open& parent = open_.back(); parent.node.kind == ConfigNode::Kind::kList) {
      parent.node.items.push_back(std::move(node));
    } else {
      parent.node.entries.push_back({std::move(parent.key), std::move(parent.key_mark), std::move(node)});
      parent.has_key = false;
    }
  }

  Source source_;
  ConfigNode root_;
  std::vector<Open> open_;
  std::map<YAML::anchor_t, Anchored> anchors_;
  std::size_t nodes_ = 0;
  std::optional<Diagnostic> complaint_;
};

std::string read_file(const std::filesystem::path& path) {
  const SourceMark mark{std::make_shared<const std::string>(path.string())};
  const auto fail = [&](std::string message) { throw ConfigError(mark, {}, std::move(message)); };
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) fail("no such file");
  if (std::filesystem::is_directory(status)) fail("is a folder, not a YAML file");
  std::ifstream file(path, std::ios::binary);
  if (!file) fail("can't be opened for reading");
  // One byte more than allowed tells a large file, or an endless device, from one that just fits.
  std::string text(kLargestFile + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (file.bad()) fail("can't be read");
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (text.size() > kLargestFile) fail(fmt::format("larger than {} bytes", kLargestFile));
  return text;
}

}  // namespace

ConfigNode parse_yaml(const std::string& text, std::string source) {
  const auto name = std::make_shared<const std::string>(std::move(source));
  if (const auto bad = find_bad_text(text)) {
    throw ConfigError({name, bad->line, bad->column}, {}, fmt::format("not a text file in UTF-8: {}", bad->reason));
  }
  try {
    // yaml-cpp takes a line break and the end of the text for the end of a quotation that was never closed. Without
    // the last line break it notices.
    std::istringstream input(text.substr(0, text.find_last_not_of(" \r\n") + 1));
    YAML::Parser parser(input);
    TreeBuilder document(name);
    if (!parser.HandleNextDocument(document)) {
      ConfigNode empty;
      empty.mark = {name, 1, 1};
      return empty;
    }
    TreeBuilder second(name);
    if (parser.HandleNextDocument(second)) {
      throw ConfigError(second.take().mark, {}, "only one document is allowed in a file ('---' starts another)");
    }
    return document.take();
  } catch (const YAML::Exception& error) {
    const bool placed = error.mark.line >= 0;
    throw ConfigError({name, placed ? error.mark.line + 1 : 0, placed ? error.mark.column + 1 : 0}, {},
                      fmt::format("not valid YAML: {}", error.msg));
  }
}

ConfigNode load_yaml(const std::filesystem::path& path) {
  ConfigNode root = parse_yaml(read_file(path), path.string());
  if (root.kind == ConfigNode::Kind::kNull) throw ConfigError(root.mark, {}, "the file is empty");
  if (root.kind != ConfigNode::Kind::kMap) {
    throw ConfigError(root.mark, {}, fmt::format("expected sections and keys ('key: value'), got {}", root.describe()));
  }
  return root;
}

}  // namespace podsim::config
