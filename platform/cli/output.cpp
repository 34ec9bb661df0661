#include "platform/cli/output.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>

namespace podsim::cli {

void Output::print(std::string_view text) {
  if (!muted_) print_always(text);
}

void Output::print_always(std::string_view text) {
  errno = 0;
  const bool written = std::fwrite(text.data(), 1, text.size(), file_) == text.size() && std::fflush(file_) == 0;
  if (written) return;
  if (errno == EPIPE) throw BrokenPipe();
  throw OutputError(fmt::format("can't write to standard output: {}", std::strerror(errno)));
}

}  // namespace podsim::cli
