// The copies that a DMA engine has in progress, and whose turn it is to start a burst. Plain class, no kernel.
//
// Copies of the same priority take turns, a burst each, and none may have more than `outstanding_bursts` on the way;
// priority_turns.h says how priorities compete. Copies to the same other chip would only share their way: they start
// their bursts in the order of their issue, so that the first has arrived while the second is under way. Only copies of
// the same priority wait for each other in this way.
//
// Bursts that have been started can't be overtaken. Copies from and to the host and background ones could put a lot of
// them ahead of others, and have limits for all copies of their kind together.
//
// Contexts are numbered; sets of them are bit masks, so that taking turns does not touch those that can't start.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/dma/dma_config.h"
#include "models/dma/dma_registers.h"
#include "models/dma/priority_turns.h"
#include "models/kernel/ids.h"

namespace podsim::dma {

inline constexpr unsigned kMostContexts = 64;

class ContextTable {
 public:
  struct Context {
    Descriptor descriptor;
    std::uint64_t transfer = 0;
    Bytes started = 0;   // bytes whose bursts are on their way or done
    Bytes finished = 0;  // bytes whose bursts are done
    unsigned outstanding = 0;
    bool remote = false;
    bool host = false;  // from or to the host's memory
    // Of a remote copy: when its turn on the way to its chip comes, and when its last byte has left, by the engine's
    // estimate.
    Picoseconds turn = 0;
    Picoseconds way_free = 0;
    std::uint64_t followers = 0;  // younger copies to the same chip that wait until this one has started its last burst
    unsigned groups = 0;          // that the copy counts in, a bit each

    [[nodiscard]] Bytes left() const { return descriptor.bytes - started; }
  };

  // Contexts at most kMostContexts, the urgent ones included.
  explicit ContextTable(const DmaConfig& config);

  [[nodiscard]] bool full(Priority priority = Priority::kNormal) const {
    return in_use_count() >= (priority == Priority::kUrgent ? contexts_ + urgent_contexts_ : contexts_);
  }
  [[nodiscard]] bool empty() const { return in_use_ == 0; }

  // Takes a context for a copy; only if the table is not full. `turn` is that of the newest copy to the same chip.
  unsigned open(const Descriptor& descriptor, std::uint64_t transfer, bool remote);
  [[nodiscard]] Context& operator[](unsigned number) { return table_[number]; }
  void close(unsigned number);

  // The context that may start a burst next; kNone if none may.
  [[nodiscard]] unsigned next() const;
  // A burst of `bytes` has been started, is done.
  void burst_started(unsigned number, Bytes bytes);
  void burst_done(unsigned number, Bytes bytes);

  static constexpr unsigned kNone = kMostContexts;

 private:
  // Copies that have a limit together.
  enum Group : unsigned { kAll, kBackgroundCopies, kFromHost, kToHost, kGroups };

  static constexpr std::uint64_t bit(unsigned number) { return std::uint64_t{1} << number; }
  [[nodiscard]] unsigned in_use_count() const { return static_cast<unsigned>(std::popcount(in_use_)); }
  [[nodiscard]] unsigned groups_of(const Descriptor& descriptor) const;
  void update(unsigned number);
  void count(unsigned groups, int change);
  // The levels of those in a set, a bit each.
  [[nodiscard]] unsigned levels_in(std::uint64_t set) const;
  // Calls visit(number) for each member of a set.
  template <class Visit>
  static void for_each(std::uint64_t set, Visit&& visit) {
    for (; set != 0; set &= set - 1) visit(static_cast<unsigned>(std::countr_zero(set)));
  }

  const unsigned contexts_;
  const unsigned urgent_contexts_;
  const unsigned outstanding_bursts_;
  std::uint64_t in_use_ = 0;
  std::uint64_t remote_ = 0;                    // in use, to other chips
  std::uint64_t waiting_ = 0;                   // behind an older copy to the same chip
  std::uint64_t ready_ = 0;                     // may start a burst as far as they themselves go
  std::uint64_t held_back_ = 0;                 // by the limit of a group
  std::array<std::uint64_t, kLevels> level_{};  // in use, by priority
  std::array<std::uint64_t, kGroups> members_{};
  std::array<unsigned, kGroups> outstanding_{};  // bursts
  std::array<unsigned, kGroups> limit_{};
  PriorityTurns turns_;
  unsigned last_ = kMostContexts - 1;
  std::array<ChipId, kMostContexts> to_{};  // by context: a remote copy's chip
  std::vector<Context> table_;              // grown on first use
};

}  // namespace podsim::dma
