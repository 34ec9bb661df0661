#include "models/memory/hbm_pricing.h"

#include <algorithm>
#include <bit>

namespace podsim::memory {

namespace {

Bytes scaled(Bytes bytes, std::uint64_t q16) { return static_cast<Bytes>((static_cast<Wide>(bytes) * q16) >> 16); }

HbmPattern stream(bool write) { return write ? HbmPattern::kStreamWrite : HbmPattern::kStreamRead; }
HbmPattern random(bool write) { return write ? HbmPattern::kRandomWrite : HbmPattern::kRandomRead; }

}  // namespace

HbmPricing::HbmPricing(const HbmConfig& config) : rates_(HbmRates::shared(config)), time_for_(rates_->bandwidth()) {
  // What a channel writes before it reads again, on all channels.
  const Bytes batch = std::max(config.write_queue * (config.write_high - config.write_low) / 100, 1u);
  batch_bytes_ = batch * config.access.bytes * config.stacks * config.channels_per_stack;
  mixing_window_ = config.mixing_window.bytes;
}

Picoseconds HbmPricing::price(Bytes offset, Bytes bytes, bool write, bool idle) {
  Run& run = run_of(offset);
  const Bytes before = run.moved;
  run.end = offset + bytes;
  run.moved += bytes;
  // The price of the run so far, less what has been charged already. A run's start in small pieces costs its row visits
  // at once, and the rest of the rows catches up.
  const Bytes due = bytes_equivalent(run.moved, write);
  const Bytes own = due > run.charged ? due - run.charged : 0;
  run.charged += own;
  row_misses_ += rows_for(run.moved) - rows_for(before);
  return time_for_(own + turnaround_bytes_equivalent(offset, bytes, write, idle));
}

Bandwidth HbmPricing::stream_bandwidth() const {
  const auto peak = static_cast<Wide>(rates_->bandwidth().bytes_per_second) << 16;
  return Bandwidth{static_cast<std::uint64_t>(peak / rates_->cost_q16(HbmPattern::kStreamRead, 0))};
}

HbmPricing::Statistics HbmPricing::statistics() const { return {row_misses_, mixed_ / batch_bytes_}; }

void HbmPricing::reset_statistics() { row_misses_ = mixed_ = 0; }

HbmPricing::Run& HbmPricing::run_of(Bytes offset) {
  for (Run& run : runs_) {
    if (run.end == offset) return run;
  }
  Run& run = runs_[oldest_];
  oldest_ = (oldest_ + 1) % kRuns;
  run = {offset, 0, 0};
  return run;
}

// A run's price grows with its length, from one known size to the next in a straight line.
Bytes HbmPricing::bytes_equivalent(Bytes moved, bool write) {
  if (moved == 0) return 0;
  const unsigned largest = rates_->largest_chunk();
  const Bytes whole = Bytes{1} << largest;
  if (moved >= whole) {
    const Bytes start = scaled(whole, rates_->cost_q16(random(write), largest));
    return start + scaled(moved - whole, rates_->cost_q16(stream(write), largest));
  }
  const auto log2 = static_cast<unsigned>(std::bit_width(moved)) - 1;
  if (log2 < rates_->smallest_chunk()) {
    return scaled(Bytes{1} << rates_->smallest_chunk(), rates_->cost_q16(random(write), rates_->smallest_chunk()));
  }
  const Bytes low = Bytes{1} << log2;
  const Bytes low_price = scaled(low, rates_->cost_q16(random(write), log2));
  if (moved == low) return low_price;
  const Bytes high_price = std::max(scaled(2 * low, rates_->cost_q16(random(write), log2 + 1)), low_price);
  return low_price + static_cast<Bytes>(static_cast<Wide>(high_price - low_price) * (moved - low) / low);
}

Bytes HbmPricing::turnaround_bytes_equivalent(Bytes offset, Bytes bytes, bool write, bool idle) {
  if (idle) unmixed_[0] = unmixed_[1] = 0;
  Bytes& same = unmixed_[write ? 1 : 0];
  Bytes& other = unmixed_[write ? 0 : 1];
  latest_[write ? 1 : 0] = offset;
  // Every byte read mixes with one byte written: the pair's loss is charged to whichever comes second.
  const Bytes mixing = std::min(bytes, other);
  other -= mixing;
  same = std::min(same + bytes - mixing, mixing_window_);
  mixed_ += mixing;
  return mixing == 0 ? 0 : scaled(mixing, mixing_q16(offset, bytes, write));
}

// What a copy loses against a stream, for each pair of a byte read and one written.
std::uint64_t HbmPricing::mixing_q16(Bytes offset, Bytes bytes, bool write) {
  const DramAddress here = rates_->map()(offset);
  const DramAddress there = rates_->map()(latest_[write ? 0 : 1]);
  const bool same_bank = here.same_bank(there) && here.row != there.row;
  const auto chunk = static_cast<unsigned>(std::bit_width(bytes)) - 1;
  const std::uint64_t copy = 2 * rates_->cost_q16(same_bank ? HbmPattern::kCopy : HbmPattern::kCopyOtherBank, chunk);
  const std::uint64_t streams =
      rates_->cost_q16(HbmPattern::kStreamRead, 0) + rates_->cost_q16(HbmPattern::kStreamWrite, 0);
  return copy > streams ? copy - streams : 0;
}

std::uint64_t HbmPricing::rows_for(Bytes bytes) const {
  const AddressMap& map = rates_->map();
  const Bytes rest = bytes % map.row_span();
  return bytes / map.row_span() * map.rows_in_span() +
         std::min((rest + map.granule() - 1) / map.granule(), map.rows_in_span());
}

}  // namespace podsim::memory
