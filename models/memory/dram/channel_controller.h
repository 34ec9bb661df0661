// One channel of HBM, access by access: a FIFO of what has arrived, a queue for reads and one for writes, FR-FCFS over
// open rows, refresh, and the two command buses. Without a clock: next_time() says when step() may find something to
// do. A plain class that can be copied, so that a caller may look ahead (hbm_timeline.h).
//
// Writes wait until their queue is full enough, then go out in a batch (HbmConfig::write_high, write_low): turning the
// data bus round is what mixed traffic pays for. A channel that is due for a refresh opens no rows and serves nobody
// but those whose row was opened for them; if refreshes are staggered, this holds for the pseudo-channel alone.
#pragma once

#include <cstdint>
#include <vector>

#include "models/memory/dram/access_queue.h"
#include "models/memory/dram/bank_state.h"
#include "models/memory/dram/refresh.h"
#include "models/memory/dram/scheduler.h"

namespace podsim::memory {

struct DramStatistics {
  std::uint64_t row_misses = 0;   // activates
  std::uint64_t turnarounds = 0;  // from reading to writing and back
  std::uint64_t refreshes = 0;

  DramStatistics& operator+=(const DramStatistics& other) {
    row_misses += other.row_misses;
    turnarounds += other.turnarounds;
    refreshes += other.refreshes;
    return *this;
  }
};

class ChannelController {
 public:
  // `timing` is kept and must outlive the controller and its copies.
  ChannelController(const DramTiming& timing, const HbmConfig& config);

  // Waits in the order of arrival, behind those of the same tick.
  void push(const DramAccess& access);

  // The next tick at which step() may get on; kNever when nothing waits.
  [[nodiscard]] DramTick next_time() const { return next_time_; }
  // Gives out the commands of `now`, which is next_time(), and adds the accesses whose column command went out to
  // `done`.
  void step(DramTick now, std::vector<DramDone>& done);

  [[nodiscard]] bool idle() const { return waiting() == 0; }
  [[nodiscard]] std::size_t waiting() const { return fifo_.size() - fifo_front_ + reads_.size() + writes_.size(); }
  // Whether an access of the request still waits.
  [[nodiscard]] bool has(std::uint32_t request) const;
  [[nodiscard]] const DramStatistics& statistics() const { return statistics_; }

 private:
  [[nodiscard]] std::size_t queued(bool write) const {
    return (write ? writes_.size() : reads_.size()) - opened_for_[write ? 1 : 0];
  }
  void fill_queues(DramTick now);
  void choose_direction();
  // The queue's column or row command at `now`, if there is one; moves next_time_ on otherwise.
  void serve(AccessQueue& queue, bool only_opened_for, DramTick now, std::vector<DramDone>& done);
  void column(AccessQueue& queue, std::size_t place, DramTick now, std::vector<DramDone>& done);
  void row(DramAccess& access, DramTick now);
  // Gets on with a refresh that is due. True when the row bus was used.
  bool refresh(DramTick now);
  // Refreshes that were due while nothing waited have been done meanwhile.
  void make_up_refreshes(DramTick now);
  void mark_blocked();
  bool refresh_one(const RefreshDue& due, DramTick now, bool& issued);
  void wake_at(DramTick tick) { next_time_ = std::min(next_time_, tick); }

  const DramTiming* timing_;
  std::size_t queue_size_[2];  // reads, writes
  bool blocks_channel_;        // a refresh stops both pseudo-channels
  std::size_t write_high_, write_low_;
  BankState banks_;
  RefreshPolicy refresh_policy_;
  FrFcfsScheduler scheduler_;
  std::vector<RefreshDue> refreshing_;  // due, and not yet begun
  std::vector<std::uint8_t> reserved_;
  std::vector<std::uint8_t> blocked_;

  std::vector<DramAccess> fifo_;
  std::size_t fifo_front_ = 0;
  AccessQueue reads_, writes_;
  // Reads and writes whose row was opened for them: they have left their place in the queue to others.
  std::size_t opened_for_[2] = {0, 0};
  bool writing_ = false;
  DramTick next_time_ = kNever;
  DramTick busy_until_ = 0;  // nothing has waited since
  DramStatistics statistics_;
};

}  // namespace podsim::memory
