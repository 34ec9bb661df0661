#include "models/memory/hbm_trial.h"

#include <algorithm>
#include <deque>
#include <utility>
#include <vector>

#include "models/memory/dram/channel_array.h"
#include "models/memory/hbm_pricing.h"

namespace podsim::memory {

namespace {

// Issues requests as the window allows, and follows every access to its end.
class DetailedRun {
 public:
  explicit DetailedRun(const HbmTrial& trial)
      : array_(trial.config),
        requests_(trial.pattern, trial.chunk, trial.config, array_.map()),
        window_(std::max<std::size_t>(trial.outstanding / array_.access_bytes(), 1)),
        left_(trial.requests) {}

  // The time of all requests, and the bytes that they moved.
  std::pair<Picoseconds, Bytes> run() {
    DramTick now = 0;
    DramTick end = 0;
    std::vector<DramDone> done;
    for (;;) {
      issue(now);
      const DramTick next = std::min(array_.next_time(), reading_.empty() ? kNever : reading_.front());
      if (next == kNever) break;
      now = std::max(now, next);
      while (!reading_.empty() && reading_.front() <= now) {
        reading_.pop_front();
        --in_flight_;
      }
      done.clear();
      array_.step(now, done);
      for (const DramDone& one : done) {
        end = std::max(end, one.at);
        if (one.write) {
          --in_flight_;  // a write is out of the issuer's hands
        } else {
          reading_.push_back(one.at);  // in order: all reads take equally long
        }
      }
    }
    return {array_.timing().clock.time(end), bytes_};
  }

 private:
  void issue(DramTick now) {
    while (in_flight_ < window_) {
      if (current_.bytes == 0) {
        if (left_ == 0) return;
        --left_;
        current_ = requests_.next();
        bytes_ += current_.bytes;
      }
      array_.push(current_.offset, current_.write, now, 0);
      const Bytes here = array_.access_bytes() - current_.offset % array_.access_bytes();
      const Bytes moved = std::min(here, current_.bytes);
      current_.offset += moved;
      current_.bytes -= moved;
      ++in_flight_;
    }
  }

  ChannelArray array_;
  HbmRequests requests_;
  std::size_t window_;
  std::uint64_t left_;
  std::size_t in_flight_ = 0;
  Bytes bytes_ = 0;
  HbmRequest current_;
  std::deque<DramTick> reading_;  // ends of the reads whose command has gone out
};

std::pair<Picoseconds, Bytes> run_in_bulk(const HbmTrial& trial) {
  HbmRequests requests(trial.pattern, trial.chunk, trial.config, AddressMap(trial.config));
  HbmPricing pricing(trial.config);
  Picoseconds time = 0;
  Bytes bytes = 0;
  for (std::uint64_t i = 0; i < trial.requests; ++i) {
    const HbmRequest request = requests.next();
    time += pricing.price(request.offset, request.bytes, request.write, false);
    bytes += request.bytes;
  }
  return {time, bytes};
}

}  // namespace

double percent_of_peak(const HbmTrial& trial) {
  const auto [time, bytes] = trial.level == HbmLevel::kBulk ? run_in_bulk(trial) : DetailedRun(trial).run();
  return 100.0 * static_cast<double>(bytes) * kPicosecondsPerSecond / static_cast<double>(time) /
         static_cast<double>(trial.config.bandwidth.bytes_per_second);
}

}  // namespace podsim::memory
