// Which operations have last written each stretch of a memory, and which have read it since. Stretches are as long as
// accesses made them, so the cost goes with the number of accesses and not with their bytes.
#pragma once

#include <algorithm>
#include <iterator>
#include <map>
#include <vector>

#include "platform/check/operations.h"

namespace podsim::check {

class MemoryHistory {
 public:
  static constexpr OperationId kNobody = ~OperationId{0};      // never written
  static constexpr OperationId kBefore = ~OperationId{0} - 1;  // written before the programs started

  struct Stretch {
    Bytes first = 0;
    Bytes end = 0;
    OperationId writer = kNobody;
    std::vector<OperationId> readers;  // since then
  };

  // Calls visit(stretch) for what [first, first + bytes) is made of; it may change writer and readers.
  template <class Visit>
  void for_each(Bytes first, Bytes bytes, Visit&& visit) {
    if (bytes == 0) return;
    const Bytes end = first + bytes;
    cut(first);
    cut(end);
    for (Bytes at = first; at < end;) {
      auto next = stretches_.lower_bound(at);
      if (next == stretches_.end() || next->first > at) {  // a gap
        const Bytes gap_end = next == stretches_.end() ? end : std::min(end, next->first);
        next = stretches_.emplace_hint(next, at, Stretch{at, gap_end, kNobody, {}});
      }
      at = next->second.end;
      visit(next->second);
    }
  }

 private:
  // Makes a stretch begin at `at`, if one goes on there.
  void cut(Bytes at) {
    auto after = stretches_.lower_bound(at);
    if (after == stretches_.begin()) return;
    Stretch& before = std::prev(after)->second;
    if (before.end <= at) return;
    Stretch rest = before;
    rest.first = at;
    before.end = at;
    stretches_.emplace_hint(after, at, std::move(rest));
  }

  std::map<Bytes, Stretch> stretches_;  // by first byte
};

}  // namespace podsim::check
