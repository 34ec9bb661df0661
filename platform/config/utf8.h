// Finds what is not text: bytes that are not UTF-8, and control characters.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace podsim::config {

struct BadText {
  int line = 1;
  int column = 1;
  std::string reason;
};

// The first place where `text` is not UTF-8 (overlong forms and surrogates count as bad) or has a control character
// other than tab, newline and carriage return. Columns count bytes.
[[nodiscard]] std::optional<BadText> find_bad_text(std::string_view text);

}  // namespace podsim::config
