// Where `--json FILE` and its like go: a file, written whole or not at all, or standard output ('-').
#pragma once

#include <functional>
#include <ostream>
#include <string>

#include <CLI/CLI.hpp>

#include "platform/cli/output.h"

namespace podsim::cli {

class JsonTarget {
 public:
  void add_option(CLI::App& app, const std::string& option = "--json",
                  const std::string& help =
                      "Write results as JSON to FILE; '-': to standard output, and nothing else "
                      "there");

  [[nodiscard]] bool wanted() const { return !file_.empty(); }
  [[nodiscard]] const std::string& file() const { return file_; }
  [[nodiscard]] bool is_stdout() const { return file_ == "-"; }

  // Finds out before a long simulation whether its results can be written. Throws ConfigError.
  void check_writable() const;
  // Does nothing unless wanted. Throws OutputError.
  void write(Output& out, const std::function<void(std::ostream&)>& writer) const;

 private:
  std::string option_ = "--json";
  std::string file_;
};

}  // namespace podsim::cli
