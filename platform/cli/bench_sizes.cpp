#include "platform/cli/bench_sizes.h"

#include <fmt/format.h>

#include <stdexcept>

#include "models/kernel/address_map.h"

namespace podsim::cli {

namespace {

constexpr std::size_t kMostSizes = 10'000;
constexpr Bytes kLargest = Bytes{1} << kOffsetBits;  // what a memory's addresses have room for

bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

config::Parsed<ByteSize> parse_bench_size(std::string text) {
  if (text.size() > 1 && is_digit(text[text.size() - 1])) {
    text += " B";
  } else if (text.size() > 1 && (is_digit(text[text.size() - 2]) || text[text.size() - 2] == ' ')) {
    switch (text.back()) {
      case 'k':
      case 'K': text.back() = 'K', text += "iB"; break;
      case 'm':
      case 'M': text.back() = 'M', text += "iB"; break;
      case 'g':
      case 'G': text.back() = 'G', text += "iB"; break;
      default: break;
    }
  } else if (text.size() == 1 && is_digit(text[0])) {
    text += " B";
  }
  auto parsed = config::parse_byte_size(text);
  if (parsed.value && parsed.value->bytes > kLargest) return {std::nullopt, "too large (at most 1 TiB)"};
  return parsed;
}

std::vector<Bytes> bench_sizes(const SizeRange& range, Bytes element) {
  if (range.begin > range.end) {
    throw std::invalid_argument(
        fmt::format("the first size ({} B) is larger than the last ({} B)", range.begin, range.end));
  }
  if (range.step ? *range.step == 0 : range.factor < 2) {
    throw std::invalid_argument(range.step ? "the step must be more than zero" : "the factor must be at least 2");
  }
  std::vector<Bytes> sizes;
  for (Bytes size = range.begin; size <= range.end; size = range.step ? size + *range.step : size * range.factor) {
    const Bytes whole = size / element * element;
    if (sizes.empty() || sizes.back() != whole) sizes.push_back(whole);
    if (sizes.size() > kMostSizes) throw std::invalid_argument(fmt::format("more than {} sizes", kMostSizes));
    if (size == 0 && !range.step) break;  // no factor leads away from zero
  }
  return sizes;
}

}  // namespace podsim::cli
