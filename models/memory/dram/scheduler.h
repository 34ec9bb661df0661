// FR-FCFS: of the accesses in a queue, a ready one whose row is open goes first, else the oldest that is ready. One
// column command and one row command may go out at a time, on buses of their own; the scheduler finds the best of each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/memory/dram/access_queue.h"

namespace podsim::memory {

class FrFcfsScheduler {
 public:
  static constexpr std::size_t kNone = ~std::size_t{0};

  struct Choice {
    std::size_t column = kNone;  // access whose column command goes out
    std::size_t row = kNone;     // access for which a row is opened, or one closed
    DramTick next = kNever;      // otherwise: when one of the waiting commands may go out
  };

  FrFcfsScheduler(HbmScheduler kind, std::size_t banks)
      : keeps_hits_(kind == HbmScheduler::kFrFcfsRowHit), hit_(banks) {}

  // `reserved`: for each bank, how many accesses its row was opened for and must stay open for. `blocked`: for each
  // pseudo-channel, whether it takes no commands but those for such accesses; `only_opened_for`: all are.
  [[nodiscard]] Choice choose(const AccessQueue& queue, const BankState& banks,
                              const std::vector<std::uint8_t>& reserved, const std::vector<std::uint8_t>& blocked,
                              bool only_opened_for, DramTick now);

 private:
  bool keeps_hits_;
  std::vector<std::uint32_t> hit_;  // per bank: the latest scan in which an access was found to hit its open row
  std::uint32_t scan_ = 0;
};

}  // namespace podsim::memory
