#include "platform/config/config_error.h"

#include <fmt/format.h>

namespace podsim::config {
namespace {

std::string join(const std::vector<Diagnostic>& diagnostics) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics) {
    if (!text.empty()) text += '\n';
    text += diagnostic.to_string();
  }
  return text;
}

}  // namespace

std::string SourceMark::to_string() const {
  if (!source) return {};
  return line > 0 ? fmt::format("{}:{}:{}", *source, line, column) : *source;
}

std::string Diagnostic::to_string() const {
  std::string text;
  for (const std::string& part : {mark.to_string(), key}) {
    if (!part.empty()) text += part + ": ";
  }
  return text + message;
}

ConfigError::ConfigError(std::vector<Diagnostic> diagnostics)
    : std::runtime_error(join(diagnostics)), diagnostics_(std::move(diagnostics)) {
  if (diagnostics_.empty()) diagnostics_.emplace_back();  // so that front() is always there
}

ConfigError::ConfigError(SourceMark mark, std::string key, std::string message)
    : ConfigError(std::vector<Diagnostic>{{std::move(mark), std::move(key), std::move(message)}}) {}

std::string_view ConfigError::file() const {
  const auto& source = diagnostics_.front().mark.source;
  return source ? std::string_view(*source) : std::string_view();
}

}  // namespace podsim::config
