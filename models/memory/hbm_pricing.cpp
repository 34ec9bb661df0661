#include "models/memory/hbm_pricing.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace podsim::memory {

namespace {

void require(bool holds, const char* what) {
  if (!holds) throw std::invalid_argument(fmt::format("hbm: {}", what));
}

void check(const HbmConfig& c) {
  require(c.bandwidth.bytes_per_second > 0, "bandwidth must not be zero");
  require(c.stacks > 0 && c.channels_per_stack > 0 && c.pseudo_channels_per_channel > 0,
          "stacks, channels_per_stack and pseudo_channels_per_channel must be at least 1");
  require(c.bank_groups > 0 && c.banks_per_pseudo_channel % c.bank_groups == 0 &&
              std::has_single_bit(c.banks_per_pseudo_channel / c.bank_groups),
          "banks_per_pseudo_channel must be a power of two times bank_groups");
  require(std::has_single_bit(c.row.bytes), "row must be a power of two");
  require(std::has_single_bit(c.interleave.bytes), "interleave must be a power of two");
  require(c.access.bytes > 0 && c.access.bytes <= c.interleave.bytes && c.interleave.bytes <= c.row.bytes,
          "access <= interleave <= row must hold");
  require(c.refresh_cycle.ps + c.row_cycle.ps < c.refresh_interval.ps,
          "refresh_cycle + row_cycle must be less than refresh_interval");
  require(c.turnaround_batch > 0, "turnaround_batch must be at least 1");
}

unsigned pseudo_channels(const HbmConfig& c) { return c.stacks * c.channels_per_stack * c.pseudo_channels_per_channel; }

// What one pseudo-channel would move in `span` at its peak rate, rounded up.
Bytes bytes_in(Picoseconds span, const HbmConfig& c) {
  const auto product = static_cast<Wide>(span) * c.bandwidth.bytes_per_second;
  const auto divisor = static_cast<Wide>(kPicosecondsPerSecond) * pseudo_channels(c);
  return static_cast<Bytes>((product + divisor - 1) / divisor);
}

Bandwidth less_refresh(const HbmConfig& c) {
  const Picoseconds useful = c.refresh_interval.ps - c.refresh_cycle.ps - c.row_cycle.ps;
  const auto product = static_cast<Wide>(c.bandwidth.bytes_per_second) * useful;
  return Bandwidth{static_cast<std::uint64_t>(product / c.refresh_interval.ps)};
}

Picoseconds least_row_time(const HbmConfig& c) {
  const Picoseconds row_use =
      std::max(c.row_cycle.ps, c.row_to_column.ps + c.read_to_precharge.ps + c.row_precharge.ps);
  return std::max({c.activate_to_activate.ps, c.four_activate_window.ps / 4,
                   c.row_commands.ps * c.pseudo_channels_per_channel, row_use / c.banks_per_pseudo_channel});
}

}  // namespace

HbmPricing::HbmPricing(const HbmConfig& config) {
  check(config);
  stream_bandwidth_ = less_refresh(config);
  time_for_ = SerialisationTime(stream_bandwidth_);

  rows_per_stripe_ = Bytes{pseudo_channels(config)} * config.bank_groups;
  // A number of stacks that is no power of two makes a stripe that a shift can't address. Rounding it up only widens
  // the range of addresses that count as the same open rows.
  stripe_shift_ = static_cast<unsigned>(std::countr_zero(std::bit_ceil(rows_per_stripe_ * config.row.bytes)));
  interleave_shift_ = static_cast<unsigned>(std::countr_zero(config.interleave.bytes));
  least_per_row_ = bytes_in(least_row_time(config), config);
  open_.resize(config.banks_per_pseudo_channel / config.bank_groups);

  const Picoseconds lost_gaps = config.read_to_write.ps + config.column_write_latency.ps + config.write_to_read.ps;
  const Bytes lost = bytes_in(lost_gaps, config);
  const Bytes lost_net = lost > config.access.bytes ? lost - config.access.bytes : 0;  // tRTW includes a burst of data
  const Bytes batch = config.access.bytes * config.turnaround_batch;
  turnaround_q16_ = (lost_net << 16) / batch;
  batch_bytes_ = batch * pseudo_channels(config);
  mixing_window_ = config.mixing_window.bytes;
}

Picoseconds HbmPricing::price(Bytes offset, Bytes bytes, bool write, bool idle) {
  return time_for_(row_bytes_equivalent(offset, bytes) + turnaround_bytes_equivalent(bytes, write, idle));
}

HbmPricing::Statistics HbmPricing::statistics() const { return {row_misses_, mixed_ / batch_bytes_}; }

void HbmPricing::reset_statistics() { row_misses_ = mixed_ = 0; }

Bytes HbmPricing::rows_for(Bytes bytes) const {
  const Bytes pieces = (bytes + (Bytes{1} << interleave_shift_) - 1) >> interleave_shift_;
  return std::min(pieces, rows_per_stripe_);
}

Bytes HbmPricing::stripe_price(Bytes moved) const { return std::max(moved, rows_for(moved) * least_per_row_); }

Bytes HbmPricing::row_bytes_equivalent(Bytes offset, Bytes bytes) {
  const Bytes stripe_bytes = Bytes{1} << stripe_shift_;
  Bytes priced = 0;
  while (bytes > 0) {
    const Bytes stripe = offset >> stripe_shift_;
    const Bytes here = std::min(bytes, stripe_bytes - (offset & (stripe_bytes - 1)));
    OpenStripe& open = open_[stripe & (open_.size() - 1)];
    if (open.stripe != stripe) open = {stripe, 0};
    // The price of what has been moved since the rows were opened, less what has been charged already. A start in small
    // pieces costs its row visits at once, and the rest of the rows catches up.
    priced += stripe_price(open.moved + here) - stripe_price(open.moved);
    row_misses_ += rows_for(open.moved + here) - rows_for(open.moved);
    open.moved += here;
    offset += here;
    bytes -= here;
  }
  return priced;
}

Bytes HbmPricing::turnaround_bytes_equivalent(Bytes bytes, bool write, bool idle) {
  if (idle) unmixed_[0] = unmixed_[1] = 0;
  Bytes& same = unmixed_[write ? 1 : 0];
  Bytes& other = unmixed_[write ? 0 : 1];
  // Every byte read mixes with one byte written: the pair's loss is charged to whichever comes second.
  const Bytes mixing = std::min(bytes, other);
  other -= mixing;
  same = std::min(same + bytes - mixing, mixing_window_);
  mixed_ += mixing;
  return (mixing * turnaround_q16_) >> 16;
}

}  // namespace podsim::memory
