// The sizes that a bench goes through, as nccl-tests has them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "platform/config/quantity.h"

namespace podsim::cli {

// "64K", "128M", "1G" (binary, as in nccl-tests), "1KiB", "4 MB", "1000", "1e6".
[[nodiscard]] config::Parsed<ByteSize> parse_bench_size(std::string text);

struct SizeRange {
  Bytes begin = 0;
  Bytes end = 0;
  unsigned factor = 0;        // each size is the last one times this; or
  std::optional<Bytes> step;  // each size is the last one plus this
};

// Whole multiples of `element` bytes: sizes between are rounded down, and none comes twice. Throws
// std::invalid_argument when the range goes backwards or has too many sizes.
[[nodiscard]] std::vector<Bytes> bench_sizes(const SizeRange& range, Bytes element);

}  // namespace podsim::cli
