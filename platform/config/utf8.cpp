#include "platform/config/utf8.h"

#include <fmt/format.h>

namespace podsim::config {
namespace {

// Length of the valid sequence at the front of `text`, 0 if there is none (Unicode 15, table 3-7).
std::size_t sequence_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const auto follows = [&](std::size_t i, unsigned low = 0x80, unsigned high = 0xbf) {
    return byte(i) >= low && byte(i) <= high;
  };
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  if (lead >= 0xc2 && lead <= 0xdf) return follows(1) ? 2 : 0;
  if (lead >= 0xe0 && lead <= 0xef) {
    const unsigned low = lead == 0xe0 ? 0xa0 : 0x80, high = lead == 0xed ? 0x9f : 0xbf;
    return follows(1, low, high) && follows(2) ? 3 : 0;
  }
  if (lead >= 0xf0 && lead <= 0xf4) {
    const unsigned low = lead == 0xf0 ? 0x90 : 0x80, high = lead == 0xf4 ? 0x8f : 0xbf;
    return follows(1, low, high) && follows(2) && follows(3) ? 4 : 0;
  }
  return 0;
}

bool is_control(unsigned char c) { return (c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7f; }

}  // namespace

std::optional<BadText> find_bad_text(std::string_view text) {
  BadText place;
  for (std::size_t at = 0; at < text.size();) {
    const auto c = static_cast<unsigned char>(text[at]);
    const std::size_t length = sequence_length(text.substr(at, 4));
    if (length == 0 || is_control(c)) {
      place.reason = fmt::format("{} 0x{:02x}", length == 0 ? "bad byte" : "control character", c);
      return place;
    }
    at += length;
    place.column += static_cast<int>(length);
    if (c == '\n') {
      ++place.line;
      place.column = 1;
    }
  }
  return std::nullopt;
}

}  // namespace podsim::config
