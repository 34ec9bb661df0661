// The copies that a DMA engine has in progress, and whose turn it is to start a burst. Plain class, no kernel.
//
// Copies take turns, a burst each, and none may have more than `outstanding_bursts` on the way. Copies to the same
// other chip would only share their way: they start their bursts in the order of their issue, so that the first has
// arrived while the second is under way.
//
// Contexts are numbered; sets of them are bit masks, so that taking turns does not touch those that can't start.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/dma/dma_registers.h"
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
    // Of a remote copy: when its turn on the way to its chip comes, and when its last byte has left, by the engine's
    // estimate.
    Picoseconds turn = 0;
    Picoseconds way_free = 0;
    std::uint64_t followers = 0;  // younger copies to the same chip that wait until this one has started its last burst

    [[nodiscard]] Bytes left() const { return descriptor.bytes - started; }
  };

  // At most kMostContexts.
  ContextTable(unsigned contexts, unsigned outstanding_bursts)
      : contexts_(contexts), outstanding_bursts_(outstanding_bursts) {}

  [[nodiscard]] bool full() const { return in_use_count() >= contexts_; }
  [[nodiscard]] bool empty() const { return in_use_ == 0; }

  // Takes a context for a copy; only if the table is not full. `turn` is that of the newest copy to the same chip.
  unsigned open(const Descriptor& descriptor, std::uint64_t transfer, bool remote);
  [[nodiscard]] Context& operator[](unsigned number) { return table_[number]; }
  void close(unsigned number);

  // The context that may start a burst next, after the one that did so last; kNone if none may.
  [[nodiscard]] unsigned next() const;
  // A burst of `bytes` has been started, is done.
  void burst_started(unsigned number, Bytes bytes);
  void burst_done(unsigned number, Bytes bytes);

  static constexpr unsigned kNone = kMostContexts;

 private:
  static constexpr std::uint64_t bit(unsigned number) { return std::uint64_t{1} << number; }
  [[nodiscard]] unsigned in_use_count() const { return static_cast<unsigned>(std::popcount(in_use_)); }
  void update(unsigned number);
  // Calls visit(number) for each member of a set.
  template <class Visit>
  static void for_each(std::uint64_t set, Visit&& visit) {
    for (; set != 0; set &= set - 1) visit(static_cast<unsigned>(std::countr_zero(set)));
  }

  const unsigned contexts_;
  const unsigned outstanding_bursts_;
  std::uint64_t in_use_ = 0;
  std::uint64_t remote_ = 0;   // in use, to other chips
  std::uint64_t waiting_ = 0;  // behind an older copy to the same chip
  std::uint64_t ready_ = 0;    // may start a burst
  unsigned last_ = kMostContexts - 1;
  std::array<ChipId, kMostContexts> to_{};  // by context: a remote copy's chip
  std::vector<Context> table_;              // grown on first use
};

}  // namespace podsim::dma
