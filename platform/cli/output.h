// Standard output, with its errors noticed: a full disk must not pass for a completed run, and a reader that has gone
// (`podsim list pods | head -1`) is no reason to complain.
#pragma once

#include <cstdio>
#include <stdexcept>
#include <string_view>

namespace podsim::cli {

// The reader has gone: end quietly.
struct BrokenPipe : std::runtime_error {
  BrokenPipe() : std::runtime_error("broken pipe") {}
};

struct OutputError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Output {
 public:
  // `file` outlives this object. SIGPIPE must be ignored.
  explicit Output(std::FILE* file) : file_(file) {}

  // Writes at once, so that results show as they come. Throws BrokenPipe or OutputError.
  void print(std::string_view text);
  // From now on print() does nothing, for runs whose standard output carries JSON alone.
  void mute() { muted_ = true; }
  [[nodiscard]] bool muted() const { return muted_; }
  // print(), muted or not.
  void print_always(std::string_view text);

 private:
  std::FILE* file_;
  bool muted_ = false;
};

}  // namespace podsim::cli
