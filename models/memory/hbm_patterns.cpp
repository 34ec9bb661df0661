#include "models/memory/hbm_patterns.h"

#include <algorithm>
#include <array>
#include <utility>

namespace podsim::memory {

HbmRequests::HbmRequests(HbmPattern pattern, Bytes chunk, const HbmConfig& config, const AddressMap& map)
    : pattern_(pattern),
      chunk_(std::max(chunk, config.access.bytes)),
      range_(std::min<Bytes>(kGiB, config.capacity.bytes)),
      space_(config.capacity.bytes) {
  // Half of the memory away: the same bank, another row.
  const Bytes row = map.next_row_of_bank();
  target_ = std::max<Bytes>(space_ / 2 / row, 1) * row;
  if (pattern == HbmPattern::kCopyOtherBank) {
    // And half of a bank group's banks further.
    const unsigned banks = config.banks_per_pseudo_channel / config.bank_groups;
    target_ += map.next_bank_of_group() > 0 ? std::max(banks / 2, 1u) * map.next_bank_of_group() : chunk_;
  }
}

HbmRequest HbmRequests::next() {
  const std::uint64_t i = number_++;
  switch (pattern_) {
    case HbmPattern::kStreamRead: return {i * chunk_ % space_, chunk_, false};
    case HbmPattern::kStreamWrite: return {i * chunk_ % space_, chunk_, true};
    case HbmPattern::kCopy:
    case HbmPattern::kCopyOtherBank: return {(i / 2 * chunk_ + i % 2 * target_) % space_, chunk_, i % 2 == 1};
    case HbmPattern::kRandomRead: return {random_.below(range_ / chunk_) * chunk_, chunk_, false};
    case HbmPattern::kRandomWrite: return {random_.below(range_ / chunk_) * chunk_, chunk_, true};
    case HbmPattern::kStreamMixed: return {i * chunk_ % space_, chunk_, random_.one_in(2)};
  }
  return {};
}

std::optional<HbmPattern> hbm_pattern(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, HbmPattern>, 9> kNames{{{"seqr", HbmPattern::kStreamRead},
                                                                           {"seqw", HbmPattern::kStreamWrite},
                                                                           {"copy", HbmPattern::kCopy},
                                                                           {"copyoff", HbmPattern::kCopyOtherBank},
                                                                           {"rnd", HbmPattern::kRandomRead},
                                                                           {"seq read", HbmPattern::kStreamRead},
                                                                           {"seq write", HbmPattern::kStreamWrite},
                                                                           {"random read", HbmPattern::kRandomRead},
                                                                           {"seq 50/50", HbmPattern::kStreamMixed}}};
  // hbm_dramsys.csv adds remarks: "seq read (one PC busy)". The longest name that fits is meant.
  std::optional<HbmPattern> found;
  std::size_t length = 0;
  for (const auto& [known, pattern] : kNames) {
    if ((name == known || (known.find(' ') != known.npos && name.starts_with(known))) && known.size() > length) {
      found = pattern;
      length = known.size();
    }
  }
  return found;
}

}  // namespace podsim::memory
