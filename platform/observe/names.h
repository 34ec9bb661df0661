// Names of spans, made once for each chip or pair of chips.
#pragma once

#include <fmt/format.h>

#include <array>
#include <unordered_map>
#include <vector>

#include "models/kernel/address_map.h"
#include "platform/observe/timeline.h"

namespace podsim::observe {

class Names {
 public:
  explicit Names(Timeline& timeline) : timeline_(timeline) { within_.fill(kNone); }

  enum Phrase : unsigned { kCopyTo, kIssueTo, kLandedFrom, kSignalTo, kSignalFrom, kPhrases };

  // "copy to chip 3"
  StringId with_chip(Phrase phrase, ChipId chip) {
    constexpr std::array<const char*, kPhrases> kTexts{"copy to chip {}", "issue copy to chip {}",
                                                       "copy landed from chip {}", "signal to chip {}",
                                                       "signal from chip {}"};
    std::vector<StringId>& known = by_chip_[phrase];
    if (known.size() <= index(chip)) known.resize(index(chip) + 1, kNone);
    StringId& id = known[index(chip)];
    if (id == kNone) id = timeline_.intern(fmt::format(fmt::runtime(kTexts[phrase]), index(chip)));
    return id;
  }
  // "copy 2 -> 3"
  StringId between(bool signal, ChipId from, ChipId to) {
    const auto [place, is_new] = between_[signal].try_emplace(std::uint64_t{index(from)} << 32 | index(to), kNone);
    if (is_new) {
      place->second = timeline_.intern(fmt::format("{} {} -> {}", signal ? "signal" : "copy", index(from), index(to)));
    }
    return place->second;
  }
  // "copy HBM -> VMEM", "issue copy HBM -> host"
  StringId within(bool issue, Region from, Region to) {
    StringId& id = within_[(place_of(from) * kPlaces + place_of(to)) * 2 + (issue ? 1 : 0)];
    if (id == kNone) {
      constexpr std::array<const char*, kPlaces> kTexts{"HBM", "VMEM", "host", "elsewhere"};
      id = timeline_.intern(
          fmt::format("{}copy {} -> {}", issue ? "issue " : "", kTexts[place_of(from)], kTexts[place_of(to)]));
    }
    return id;
  }

 private:
  static constexpr unsigned kPlaces = 4;
  static unsigned place_of(Region region) {
    return region == Region::kHbm ? 0 : region == Region::kVmem ? 1 : is_on_host(region) ? 2 : 3;
  }

  Timeline& timeline_;
  std::array<std::vector<StringId>, kPhrases> by_chip_;
  std::array<std::unordered_map<std::uint64_t, StringId>, 2> between_;
  std::array<StringId, kPlaces * kPlaces * 2> within_;
};

}  // namespace podsim::observe
