#include "models/memory/hbm_rates.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <mutex>
#include <stdexcept>
#include <utility>
#include <vector>

#include "models/memory/dram/channel_controller.h"

namespace podsim::memory {

namespace {

// In accesses.
constexpr std::size_t kWarmUp = 512;
constexpr std::size_t kMeasured = 1536;
// Where a stream falls short of the peak, the pseudo-channels of a channel drift apart until a refresh stops both: what
// it sustains shows over some refreshes.
constexpr DramTick kRefreshes = 4;
// What falls short of the peak by less than a short run tells exactly is the peak.
constexpr double kExact = 0.985;

void require(bool holds, const char* what) {
  if (!holds) throw std::invalid_argument(fmt::format("hbm: {}", what));
}

const HbmConfig& checked(const HbmConfig& c) {
  require(c.bandwidth.bytes_per_second > 0, "bandwidth must not be zero");
  require(c.stacks > 0 && c.channels_per_stack > 0 && c.pseudo_channels_per_channel > 0,
          "stacks, channels_per_stack and pseudo_channels_per_channel must be at least 1");
  require(c.bank_groups > 0 && c.banks_per_pseudo_channel > 0 && c.banks_per_pseudo_channel % c.bank_groups == 0,
          "banks_per_pseudo_channel must be a multiple of bank_groups");
  require(std::has_single_bit(c.row.bytes), "row must be a power of two");
  require(std::has_single_bit(c.access.bytes), "access must be a power of two");
  require(c.access <= c.row, "access must be at most row");
  require(c.refresh == HbmRefresh::kNone || c.refresh_cycle.ps + c.row_cycle.ps < c.refresh_interval.ps,
          "refresh_cycle + row_cycle must be less than refresh_interval");
  require(c.queue > 0 && c.write_queue > 0, "queue and write_queue must be at least 1");
  return c;
}

// The time in every tREFI in which a channel does nothing else.
Picoseconds refresh_time(const HbmConfig& c) {
  const Picoseconds all = c.refresh_cycle.ps + c.row_cycle.ps;
  switch (c.refresh) {
    case HbmRefresh::kNone: return 0;
    // One pseudo-channel after the other: what waits for the one that refreshes holds up those behind it.
    case HbmRefresh::kAllBank: return c.refresh_staggered ? all * c.pseudo_channels_per_channel : all;
    case HbmRefresh::kPerBank: return c.row_precharge.ps * c.pseudo_channels_per_channel * c.banks_per_pseudo_channel;
  }
  return 0;
}

Bandwidth less_refresh(const HbmConfig& c) {
  const Picoseconds useful = std::max<Picoseconds>(c.refresh_interval.ps - refresh_time(c), 1);
  if (c.refresh == HbmRefresh::kNone) return c.bandwidth;
  const auto product = static_cast<Wide>(c.bandwidth.bytes_per_second) * static_cast<std::uint64_t>(useful);
  return Bandwidth{static_cast<std::uint64_t>(product / static_cast<std::uint64_t>(c.refresh_interval.ps))};
}

}  // namespace

HbmRates::HbmRates(const HbmConfig& config)
    : config_(checked(config)), map_(config), timing_(config), less_refresh_(less_refresh(config)) {
  smallest_ = static_cast<unsigned>(std::countr_zero(config.access.bytes));
  // A chunk that fills a row of every bank group of every pseudo-channel is as good as a stream.
  const Bytes all_rows = config.row.bytes * config.bank_groups * config.stacks * config.channels_per_stack *
                         config.pseudo_channels_per_channel;
  largest_ = static_cast<unsigned>(std::bit_width(all_rows - 1)) + 1;
}

std::shared_ptr<HbmRates> HbmRates::shared(const HbmConfig& config) {
  static std::mutex mutex;
  static std::vector<std::weak_ptr<HbmRates>> known;
  const std::lock_guard lock(mutex);
  std::erase_if(known, [](const auto& one) { return one.expired(); });
  for (const auto& one : known) {
    if (auto rates = one.lock(); rates && rates->config_ == config) return rates;
  }
  auto rates = std::make_shared<HbmRates>(config);
  known.push_back(rates);
  return rates;
}

std::uint64_t HbmRates::cost_q16(HbmPattern pattern, unsigned log2_chunk) {
  const bool stream = pattern == HbmPattern::kStreamRead || pattern == HbmPattern::kStreamWrite;
  const unsigned size = stream ? largest_ : std::clamp(log2_chunk, smallest_, largest_);
  std::uint64_t& cost = costs_[static_cast<std::size_t>(pattern)][size];
  if (cost == 0) {
    double share = sustained(pattern, Bytes{1} << size, false);
    if (stream && share < kExact) share = std::min(sustained(pattern, Bytes{1} << size, true), 1.0);
    cost = share >= kExact ? 65536 : static_cast<std::uint64_t>(65536.0 / share);
  }
  return cost;
}

// Runs the first channel with as much waiting for it as it can look at.
double HbmRates::sustained(HbmPattern pattern, Bytes chunk, bool over_refreshes) const {
  HbmConfig config = config_;
  over_refreshes = over_refreshes && config.refresh != HbmRefresh::kNone;
  if (!over_refreshes) config.refresh = HbmRefresh::kNone;
  ChannelController channel(timing_, config);
  HbmRequests requests(pattern, chunk, config, map_);
  const std::size_t ahead = 2 * (std::size_t{config.queue} + config.write_queue);
  const std::uint32_t banks_per_group = config.banks_per_pseudo_channel / config.bank_groups;
  std::uint64_t generated = 0;
  std::uint64_t pushed = 0;
  std::vector<DramDone> done;
  DramTick now = 0;
  DramTick from = 0;
  std::size_t finished = 0;
  std::size_t before = 0;  // finished when the measurement began
  const auto warm = [&] { return over_refreshes ? now >= timing_.refresh_interval : finished >= kWarmUp; };
  const auto over = [&] {
    return over_refreshes ? now >= (kRefreshes + 1) * timing_.refresh_interval : finished >= kWarmUp + kMeasured;
  };
  HbmRequest current;
  while (!over()) {
    while (channel.waiting() < ahead) {
      if (current.bytes == 0) current = requests.next();
      const DramAddress where = map_(current.offset);
      // All accesses up to the next that may lie in another channel.
      const Bytes together = std::min(current.bytes, map_.granule() - current.offset % map_.granule());
      for (Bytes offset = 0; offset < together; offset += config.access.bytes) {
        ++generated;
        if (where.channel != 0) continue;
        ++pushed;
        const std::uint32_t group = where.pseudo_channel * config.bank_groups + where.bank_group;
        channel.push({now,
                      where.row,
                      {where.pseudo_channel, group, group * banks_per_group + where.bank},
                      0,
                      current.write,
                      false});
      }
      current.offset += together;
      current.bytes -= together;
    }
    now = channel.next_time();
    done.clear();
    channel.step(now, done);
    finished += done.size();
    if (before == 0 && warm()) {
      before = finished;
      from = now;
    }
  }
  const double channels = static_cast<double>(config.stacks) * config.channels_per_stack;
  const double each = static_cast<double>(timing_.burst) / config.pseudo_channels_per_channel;
  double busy = static_cast<double>(finished - before) * each / static_cast<double>(now - from);
  if (over_refreshes) {
    busy *=
        static_cast<double>(config.bandwidth.bytes_per_second) / static_cast<double>(less_refresh_.bytes_per_second);
  }
  // Usually all channels get their share. With a mapping that leaves some idle, the first one gets more.
  const double share = static_cast<double>(pushed) * channels / static_cast<double>(generated);
  return std::min(busy / (share > 1.5 ? share : 1.0), 1.0);
}

}  // namespace podsim::memory
