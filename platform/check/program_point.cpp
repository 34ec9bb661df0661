#include "platform/check/program_point.h"

#include <fmt/format.h>

#include <string_view>

namespace podsim::check {

namespace {

// The bare name in a signature such as "podsim::firmware::Task podsim::firmware::{anonymous}::gather(Device&, ...)".
std::string_view bare_name(std::string_view signature) {
  const std::string_view before_arguments = signature.substr(0, signature.find('('));
  const std::size_t start = before_arguments.find_last_of(" :");
  return start == std::string_view::npos ? before_arguments : before_arguments.substr(start + 1);
}

}  // namespace

std::string point_text(const std::source_location& where) {
  std::string_view file = where.file_name();
  if (const std::size_t at = file.rfind("firmware/"); at != std::string_view::npos) file.remove_prefix(at);
  return fmt::format("{}:{} ({})", file, where.line(), bare_name(where.function_name()));
}

}  // namespace podsim::check
