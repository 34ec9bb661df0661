#include "models/memory/dram/bank_state.h"

#include <algorithm>

namespace podsim::memory {

namespace {

void no_sooner(DramTick& time, DramTick than) { time = std::max(time, than); }
DramTick whole_clock(DramTick tick) { return (tick + kClock - 1) / kClock * kClock; }
constexpr DramTick kLongAgo = -(DramTick{1} << 40);

}  // namespace

BankState::BankState(const DramTiming& timing, const HbmConfig& config)
    : timing_(&timing),
      per_pseudo_channel_(config.banks_per_pseudo_channel),
      per_group_(config.banks_per_pseudo_channel / config.bank_groups),
      banks_(std::size_t{config.pseudo_channels_per_channel} * config.banks_per_pseudo_channel),
      groups_(std::size_t{config.pseudo_channels_per_channel} * config.bank_groups),
      pseudo_channels_(config.pseudo_channels_per_channel) {
  for (PseudoChannel& one : pseudo_channels_) one.activates.fill(kLongAgo);
}

bool BankState::any_open(std::uint32_t pseudo_channel) const {
  const auto first = banks_.begin() + pseudo_channel * per_pseudo_channel_;
  return std::any_of(first, first + per_pseudo_channel_, [](const Bank& bank) { return bank.row != kClosed; });
}

DramTick BankState::column_at(const BankPlace& place, bool write) const {
  return std::max({banks_[place.bank].column[write], groups_[place.group].column[write],
                   pseudo_channels_[place.pseudo_channel].column[write], column_bus_});
}

DramTick BankState::activate_at(const BankPlace& place) const {
  const PseudoChannel& pc = pseudo_channels_[place.pseudo_channel];
  return whole_clock(std::max({banks_[place.bank].activate, groups_[place.group].activate, pc.activate,
                               pc.activates[pc.oldest] + timing_->four_activates, row_bus_}));
}

DramTick BankState::precharge_at(std::uint32_t bank) const { return std::max(banks_[bank].precharge, row_bus_); }

DramTick BankState::precharge_all_at(std::uint32_t pseudo_channel) const {
  DramTick at = row_bus_;
  for (std::uint32_t i = 0; i < per_pseudo_channel_; ++i) {
    const Bank& bank = banks_[pseudo_channel * per_pseudo_channel_ + i];
    if (bank.row != kClosed) no_sooner(at, bank.precharge);
  }
  return at;
}

DramTick BankState::refresh_at(std::uint32_t pseudo_channel) const {
  // A closed bank may be activated tRP after its precharge and tRC after its activate, and so may all be refreshed.
  DramTick at = row_bus_;
  for (std::uint32_t i = 0; i < per_pseudo_channel_; ++i) {
    no_sooner(at, banks_[pseudo_channel * per_pseudo_channel_ + i].activate);
  }
  return whole_clock(at);
}

DramTick BankState::refresh_bank_at(std::uint32_t bank) const {
  return whole_clock(
      std::max({banks_[bank].activate, pseudo_channels_[bank / per_pseudo_channel_].activate, row_bus_}));
}

void BankState::column(const BankPlace& place, bool write, DramTick now) {
  const DramTiming& t = *timing_;
  column_bus_ = now + kClock;
  PseudoChannel& pc = pseudo_channels_[place.pseudo_channel];
  Group& group = groups_[place.group];
  no_sooner(pc.column[write], now + t.burst);
  no_sooner(group.column[write], now + t.same_group);
  no_sooner(pc.column[!write], now + (write ? t.write_to_read : t.read_to_write));
  if (write) no_sooner(group.column[0], now + t.write_to_read_same_group);
  no_sooner(banks_[place.bank].precharge, now + (write ? t.write_to_precharge : t.read_to_precharge));
}

void BankState::activate(const BankPlace& place, std::uint64_t row, DramTick now) {
  const DramTiming& t = *timing_;
  Bank& bank = banks_[place.bank];
  bank.row = row;
  bank.activate = now + t.activate_to_activate;
  no_sooner(bank.precharge, now + t.activate_to_precharge);
  bank.column[0] = now + t.activate_to_read;
  bank.column[1] = now + t.activate_to_write;
  no_sooner(groups_[place.group].activate, now + t.activate_to_same_group);
  PseudoChannel& pc = pseudo_channels_[place.pseudo_channel];
  no_sooner(pc.activate, now + t.activate_to_other);
  pc.activates[pc.oldest] = now;
  pc.oldest = (pc.oldest + 1) % pc.activates.size();
  use_row_bus(now, t.activate_command);
}

void BankState::precharge(std::uint32_t bank, DramTick now) {
  banks_[bank].row = kClosed;
  no_sooner(banks_[bank].activate, now + timing_->precharge_to_activate);
  use_row_bus(now, timing_->precharge_command);
}

void BankState::precharge_all(std::uint32_t pseudo_channel, DramTick now) {
  for (std::uint32_t i = 0; i < per_pseudo_channel_; ++i) {
    Bank& bank = banks_[pseudo_channel * per_pseudo_channel_ + i];
    if (bank.row == kClosed) continue;
    bank.row = kClosed;
    no_sooner(bank.activate, now + timing_->precharge_to_activate);
  }
  use_row_bus(now, timing_->precharge_command);
}

void BankState::refresh(std::uint32_t pseudo_channel, DramTick now) {
  for (std::uint32_t i = 0; i < per_pseudo_channel_; ++i) {
    no_sooner(banks_[pseudo_channel * per_pseudo_channel_ + i].activate, now + timing_->refresh);
  }
  use_row_bus(now, timing_->precharge_command);
}

void BankState::refresh_bank(std::uint32_t bank, DramTick now) {
  no_sooner(banks_[bank].activate, now + timing_->refresh_bank);
  no_sooner(pseudo_channels_[bank / per_pseudo_channel_].activate, now + timing_->refresh_to_activate);
  use_row_bus(now, timing_->precharge_command);
}

// One command on the row bus in a clock at any rate, even where it is not shared between pseudo-channels.
void BankState::use_row_bus(DramTick now, DramTick command) { no_sooner(row_bus_, now + command); }

}  // namespace podsim::memory
