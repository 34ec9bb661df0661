#include "models/memory/hbm_trial.h"

#include <algorithm>
#include <array>
#include <deque>
#include <random>
#include <utility>
#include <vector>

#include "models/memory/dram/channel_array.h"
#include "models/memory/hbm_pricing.h"

namespace podsim::memory {

namespace {

struct Request {
  Bytes offset = 0;
  Bytes bytes = 0;
  bool write = false;
};

// The requests of a pattern, one after the other.
class Requests {
 public:
  Requests(const HbmTrial& trial, const AddressMap& map)
      : pattern_(trial.pattern),
        chunk_(std::max(trial.chunk, trial.config.access.bytes)),
        range_(std::min<Bytes>(kGiB, trial.config.capacity.bytes)),
        space_(trial.config.capacity.bytes) {
    // Half of the memory away, in the same bank; or a bank further.
    const Bytes row = map.next_row_of_bank();
    target_ = std::max<Bytes>(space_ / 2 / row, 1) * row;
    if (pattern_ == HbmPattern::kCopyOtherBank) {
      target_ += map.next_bank_of_group() > 0 ? map.next_bank_of_group() : chunk_;
    }
  }

  Request next() {
    const std::uint64_t i = number_++;
    switch (pattern_) {
      case HbmPattern::kStreamRead: return {i * chunk_ % space_, chunk_, false};
      case HbmPattern::kStreamWrite: return {i * chunk_ % space_, chunk_, true};
      case HbmPattern::kCopy:
      case HbmPattern::kCopyOtherBank: return {(i / 2 * chunk_ + i % 2 * target_) % space_, chunk_, i % 2 == 1};
      case HbmPattern::kRandomRead: return {random_() % (range_ / chunk_) * chunk_, chunk_, false};
      case HbmPattern::kRandomWrite: return {random_() % (range_ / chunk_) * chunk_, chunk_, true};
      case HbmPattern::kStreamMixed: return {i * chunk_ % space_, chunk_, (random_() >> 32 & 1) != 0};
    }
    return {};
  }

 private:
  HbmPattern pattern_;
  Bytes chunk_;
  Bytes range_;
  Bytes space_;
  Bytes target_ = 0;
  std::uint64_t number_ = 0;
  std::mt19937_64 random_{1};
};

// Issues requests as the window allows, and follows every access to its end.
class DetailedRun {
 public:
  explicit DetailedRun(const HbmTrial& trial)
      : array_(trial.config),
        requests_(trial, array_.map()),
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
  Requests requests_;
  std::size_t window_;
  std::uint64_t left_;
  std::size_t in_flight_ = 0;
  Bytes bytes_ = 0;
  Request current_;
  std::deque<DramTick> reading_;  // ends of the reads whose command has gone out
};

std::pair<Picoseconds, Bytes> run_in_bulk(const HbmTrial& trial) {
  Requests requests(trial, AddressMap(trial.config));
  HbmPricing pricing(trial.config);
  Picoseconds time = 0;
  Bytes bytes = 0;
  for (std::uint64_t i = 0; i < trial.requests; ++i) {
    const Request request = requests.next();
    time += pricing.price(request.offset, request.bytes, request.write, false);
    bytes += request.bytes;
  }
  return {time, bytes};
}

}  // namespace

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

double percent_of_peak(const HbmTrial& trial) {
  const auto [time, bytes] = trial.level == HbmLevel::kBulk ? run_in_bulk(trial) : DetailedRun(trial).run();
  return 100.0 * static_cast<double>(bytes) * kPicosecondsPerSecond / static_cast<double>(time) /
         static_cast<double>(trial.config.bandwidth.bytes_per_second);
}

}  // namespace podsim::memory
