// The banks of one channel: which rows are open, and from when on each command may be given to each of them. Every
// constraint of dram_timing.h is kept by moving these times on when a command is issued, so a command's earliest time
// is a maximum over its bank, its bank group, its pseudo-channel and its command bus.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/memory/dram/dram_timing.h"

namespace podsim::memory {

// Numbers within a channel: groups count on over the pseudo-channels, banks over the groups.
struct BankPlace {
  std::uint32_t pseudo_channel = 0;
  std::uint32_t group = 0;
  std::uint32_t bank = 0;
};

class BankState {
 public:
  static constexpr std::uint64_t kClosed = ~std::uint64_t{0};

  BankState(const DramTiming& timing, const HbmConfig& config);

  [[nodiscard]] std::uint64_t open_row(std::uint32_t bank) const { return banks_[bank].row; }
  [[nodiscard]] bool any_open(std::uint32_t pseudo_channel) const;
  [[nodiscard]] std::uint32_t banks_per_pseudo_channel() const { return per_pseudo_channel_; }
  [[nodiscard]] std::uint32_t group_of(std::uint32_t bank) const { return bank / per_group_; }

  // Earliest ticks. Column commands and activates go out at a whole clock.
  [[nodiscard]] DramTick column_at(const BankPlace& place, bool write) const;
  [[nodiscard]] DramTick activate_at(const BankPlace& place) const;
  [[nodiscard]] DramTick precharge_at(std::uint32_t bank) const;
  [[nodiscard]] DramTick precharge_all_at(std::uint32_t pseudo_channel) const;
  [[nodiscard]] DramTick refresh_at(std::uint32_t pseudo_channel) const;  // all banks are closed
  [[nodiscard]] DramTick refresh_bank_at(std::uint32_t bank) const;       // the bank is closed

  [[nodiscard]] DramTick row_bus_free() const { return row_bus_; }

  void column(const BankPlace& place, bool write, DramTick now);
  void activate(const BankPlace& place, std::uint64_t row, DramTick now);
  void precharge(std::uint32_t bank, DramTick now);
  void precharge_all(std::uint32_t pseudo_channel, DramTick now);
  void refresh(std::uint32_t pseudo_channel, DramTick now);
  void refresh_bank(std::uint32_t bank, DramTick now);

 private:
  struct Bank {
    std::uint64_t row = kClosed;
    DramTick activate = 0;
    DramTick precharge = 0;
    DramTick column[2] = {0, 0};  // read, write
  };
  struct Group {
    DramTick activate = 0;
    DramTick column[2] = {0, 0};
  };
  struct PseudoChannel {
    DramTick activate = 0;
    DramTick column[2] = {0, 0};
    std::array<DramTick, 4> activates{};  // the latest four, oldest at `oldest`
    std::uint32_t oldest = 0;
  };

  void use_row_bus(DramTick now, DramTick command);

  const DramTiming* timing_;  // a pointer: states are copied and assigned
  std::uint32_t per_pseudo_channel_;
  std::uint32_t per_group_;
  std::vector<Bank> banks_;
  std::vector<Group> groups_;
  std::vector<PseudoChannel> pseudo_channels_;
  DramTick row_bus_ = 0;
  DramTick column_bus_ = 0;
};

}  // namespace podsim::memory
