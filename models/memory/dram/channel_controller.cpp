#include "models/memory/dram/channel_controller.h"

#include <algorithm>
#include <utility>

namespace podsim::memory {

ChannelController::ChannelController(const DramTiming& timing, const HbmConfig& config)
    : timing_(&timing),
      queue_size_{config.queue, config.write_queue},
      blocks_channel_(!config.refresh_staggered),
      write_high_(std::size_t{config.write_queue} * config.write_high / 100),
      write_low_(std::size_t{config.write_queue} * config.write_low / 100),
      banks_(timing, config),
      refresh_policy_(timing, config),
      scheduler_(config.scheduler, std::size_t{config.pseudo_channels_per_channel} * config.banks_per_pseudo_channel),
      reserved_(std::size_t{config.pseudo_channels_per_channel} * config.banks_per_pseudo_channel),
      blocked_(config.pseudo_channels_per_channel) {
  reads_.reserve(queue_size_[0]);
  writes_.reserve(queue_size_[1]);
}

void ChannelController::push(const DramAccess& access) {
  if (fifo_front_ == fifo_.size()) {
    fifo_.clear();
    fifo_front_ = 0;
  }
  fifo_.push_back(access);
  for (std::size_t i = fifo_.size() - 1; i > fifo_front_ && fifo_[i - 1].arrival > access.arrival; --i) {
    std::swap(fifo_[i - 1], fifo_[i]);
  }
  wake_at(std::max<DramTick>(access.arrival, 0));
}

bool ChannelController::has(std::uint32_t request) const {
  const auto of_request = [request](const DramAccess& access) { return access.request == request; };
  return std::any_of(reads_.begin(), reads_.end(), of_request) ||
         std::any_of(writes_.begin(), writes_.end(), of_request) ||
         std::any_of(fifo_.begin() + static_cast<std::ptrdiff_t>(fifo_front_), fifo_.end(), of_request);
}

void ChannelController::step(DramTick now, std::vector<DramDone>& done) {
  next_time_ = kNever;
  make_up_refreshes(now);
  fill_queues(now);
  if (refresh(now)) wake_at(now + 1);
  if (idle()) return;
  busy_until_ = now;
  wake_at(std::max(refresh_policy_.next_at(), now + 1));
  choose_direction();
  if (opened_for_[writing_ ? 0 : 1] > 0) serve(writing_ ? reads_ : writes_, true, now, done);
  serve(writing_ ? writes_ : reads_, false, now, done);
  fill_queues(now);
}

void ChannelController::make_up_refreshes(DramTick now) {
  if (!refreshing_.empty() || reads_.size() + writes_.size() > 0) return;
  while (refresh_policy_.next_at() > busy_until_ && refresh_policy_.next_at() < now) {
    const DramTick at = refresh_policy_.next_at();
    const RefreshDue due = refresh_policy_.next();
    refresh_policy_.advance();
    ++statistics_.refreshes;
    if (at + timing_->refresh_interval < now) continue;  // over and done with
    if (due.bank) {
      banks_.precharge(*due.bank, at);
      banks_.refresh_bank(*due.bank, at + timing_->precharge_to_activate);
    } else {
      banks_.precharge_all(due.pseudo_channel, at);
      banks_.refresh(due.pseudo_channel, at + timing_->precharge_to_activate);
    }
  }
}

void ChannelController::fill_queues(DramTick now) {
  while (fifo_front_ < fifo_.size()) {
    const DramAccess& first = fifo_[fifo_front_];
    if (first.arrival > now) {
      wake_at(first.arrival);
      break;
    }
    AccessQueue& queue = first.write ? writes_ : reads_;
    if (queued(first.write) >= queue_size_[first.write ? 1 : 0]) break;  // and all behind it wait: one FIFO
    queue.push_back(first);
    ++fifo_front_;
    wake_at((now / kClock + 1) * kClock);
  }
  // Rarely, so that moving what is left costs little.
  if (fifo_front_ > 4096 && fifo_front_ * 2 > fifo_.size()) {
    fifo_.erase(fifo_.begin(), fifo_.begin() + static_cast<std::ptrdiff_t>(fifo_front_));
    fifo_front_ = 0;
  }
}

void ChannelController::choose_direction() {
  const bool before = writing_;
  if (writing_) {
    if (queued(true) == 0 || (queued(true) < write_low_ && queued(false) > 0)) writing_ = false;
  }
  if (!writing_ && queued(true) > 0 && (queued(true) > write_high_ || queued(false) == 0)) writing_ = true;
  if (before && !writing_) ++statistics_.turnarounds;
}

void ChannelController::serve(AccessQueue& queue, bool only_opened_for, DramTick now, std::vector<DramDone>& done) {
  const FrFcfsScheduler::Choice choice = scheduler_.choose(queue, banks_, reserved_, blocked_, only_opened_for, now);
  wake_at(choice.next);
  const bool has_column = choice.column != FrFcfsScheduler::kNone;
  if (choice.row != FrFcfsScheduler::kNone) {
    DramAccess& access = queue[choice.row];
    const std::uint32_t bank = access.place.bank;
    // The column command at the same tick may be another access's to the row that this one would close.
    if (!has_column || queue[choice.column].place.bank != bank) row(access, now);
    wake_at(std::max(now + 1, banks_.row_bus_free()));
  }
  if (has_column) {
    column(queue, choice.column, now, done);
    wake_at(now + kClock);
  }
}

void ChannelController::column(AccessQueue& queue, std::size_t place, DramTick now, std::vector<DramDone>& done) {
  const DramAccess& access = queue[place];
  banks_.column(access.place, access.write, now);
  if (access.activated) {
    --reserved_[access.place.bank];
    --opened_for_[access.write ? 1 : 0];
  }
  done.push_back({now + (access.write ? timing_->write_data : timing_->read_data), now, access.request, access.write});
  queue.erase(queue.begin() + static_cast<std::ptrdiff_t>(place));
}

void ChannelController::row(DramAccess& access, DramTick now) {
  if (banks_.open_row(access.place.bank) == BankState::kClosed) {
    if (banks_.activate_at(access.place) > now) return;
    banks_.activate(access.place, access.row, now);
    access.activated = true;
    ++reserved_[access.place.bank];
    ++opened_for_[access.write ? 1 : 0];
    ++statistics_.row_misses;
  } else if (banks_.precharge_at(access.place.bank) <= now) {
    banks_.precharge(access.place.bank, now);
  }
}

bool ChannelController::refresh(DramTick now) {
  if (refresh_policy_.next_at() <= now) {
    while (refresh_policy_.next_at() <= now) {
      refreshing_.push_back(refresh_policy_.next());
      refresh_policy_.advance();
    }
    mark_blocked();
  }
  if (refreshing_.empty()) return false;
  bool issued = false;
  if (refresh_one(refreshing_.front(), now, issued)) {
    refreshing_.erase(refreshing_.begin());
    mark_blocked();
    if (!refreshing_.empty()) wake_at(now + 1);
  }
  return issued;
}

void ChannelController::mark_blocked() {
  std::fill(blocked_.begin(), blocked_.end(), blocks_channel_ && !refreshing_.empty() ? 1 : 0);
  for (const RefreshDue& due : refreshing_) blocked_[due.pseudo_channel] = 1;
}

// True when the refresh has begun.
bool ChannelController::refresh_one(const RefreshDue& due, DramTick now, bool& issued) {
  const std::uint32_t first = due.bank.value_or(due.pseudo_channel * banks_.banks_per_pseudo_channel());
  const std::uint32_t count = due.bank ? 1 : banks_.banks_per_pseudo_channel();
  bool open = false;
  for (std::uint32_t bank = first; bank < first + count; ++bank) {
    if (reserved_[bank] != 0) return false;  // served first
    open = open || banks_.open_row(bank) != BankState::kClosed;
  }
  if (open) {
    const DramTick at = due.bank ? banks_.precharge_at(first) : banks_.precharge_all_at(due.pseudo_channel);
    if (at > now) {
      wake_at(at);
      return false;
    }
    if (due.bank) {
      banks_.precharge(first, now);
    } else {
      banks_.precharge_all(due.pseudo_channel, now);
    }
    issued = true;
    return false;
  }
  const DramTick at = due.bank ? banks_.refresh_bank_at(first) : banks_.refresh_at(due.pseudo_channel);
  if (at > now) {
    wake_at(at);
    return false;
  }
  if (due.bank) {
    banks_.refresh_bank(first, now);
  } else {
    banks_.refresh(due.pseudo_channel, now);
  }
  ++statistics_.refreshes;
  issued = true;
  return true;
}

}  // namespace podsim::memory
