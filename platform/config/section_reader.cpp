#include "platform/config/section_reader.h"

#include <algorithm>

#include <fmt/format.h>

#include "platform/config/suggestion.h"

namespace podsim::config {
namespace {

// A screenful. A file of another kind altogether would give one message per line.
constexpr std::size_t kMostDiagnostics = 20;

}  // namespace

void SectionReader::check(bool holds, std::string_view key, std::string_view message) {
  if (holds || diagnostics_.size() != found_before_) return;
  const ConfigNode* node = node_.find(key);
  report(node ? node->mark : node_.mark, join_key(path_, key), std::string(message));
}

void SectionReader::finish() {
  for (const ConfigEntry& entry : node_.entries) {
    if (std::find(known_.begin(), known_.end(), entry.key) != known_.end()) continue;
    report(entry.key_mark, join_key(path_, entry.key), "unknown key" + suggestion(entry.key, known_));
  }
}

bool SectionReader::expect(const ConfigNode& node, const std::string& path, ConfigNode::Kind kind) {
  if (node.kind == kind) return true;
  const bool section = kind == ConfigNode::Kind::kMap;
  if (section && node.kind == ConfigNode::Kind::kNull) return true;
  report(node.mark, path, fmt::format("expected {}, got {}", section ? "a section" : "a list", node.describe()));
  return false;
}

void SectionReader::report(const SourceMark& mark, std::string path, std::string message) {
  if (diagnostics_.size() < kMostDiagnostics) diagnostics_.push_back({mark, std::move(path), std::move(message)});
}

}  // namespace podsim::config
