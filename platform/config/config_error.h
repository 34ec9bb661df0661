// What went wrong in a configuration, and where: the place in the file (or the --set argument), the key, the message.
// Everything that the strict reader refuses ends as a ConfigError; no other exception leaves platform/config.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace podsim::config {

// Where a key or value was written. After files were merged, each value keeps the mark of the file it came from.
struct SourceMark {
  std::shared_ptr<const std::string> source;  // a file name, or "--set key=value"
  int line = 0;                               // 1 is the first; 0: the source has no lines
  int column = 0;

  // "configs/x.yaml:12:5", or the source alone.
  [[nodiscard]] std::string to_string() const;
};

struct Diagnostic {
  SourceMark mark;
  std::string key;  // dotted path from the document's root, such as "ici.link.hop_latency"; may be empty
  std::string message;

  // "configs/x.yaml:12:5: ici.link.hop_latency: expected ..."
  [[nodiscard]] std::string to_string() const;
};

class ConfigError : public std::runtime_error {
 public:
  explicit ConfigError(std::vector<Diagnostic> diagnostics);
  ConfigError(SourceMark mark, std::string key, std::string message);

  // All that was found wrong, in the order of the read. what() has one line for each.
  [[nodiscard]] const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }

  // The first diagnostic's parts.
  [[nodiscard]] std::string_view file() const;
  [[nodiscard]] int line() const { return diagnostics_.front().mark.line; }
  [[nodiscard]] int column() const { return diagnostics_.front().mark.column; }
  [[nodiscard]] const std::string& key() const { return diagnostics_.front().key; }
  [[nodiscard]] const std::string& message() const { return diagnostics_.front().message; }

 private:
  std::vector<Diagnostic> diagnostics_;
};

}  // namespace podsim::config
