#include "models/dma/context_table.h"

#include <algorithm>
#include <utility>

namespace podsim::dma {

ContextTable::ContextTable(const DmaConfig& config)
    : contexts_(config.contexts),
      urgent_contexts_(config.urgent_contexts),
      outstanding_bursts_(config.outstanding_bursts),
      turns_(std::max(1u, config.overtakes)) {
  limit_.fill(config.outstanding_bursts);
  limit_[kAll] = config.engine_outstanding_bursts;
}

unsigned ContextTable::groups_of(const Descriptor& descriptor) const {
  unsigned groups = 0;
  if (limit_[kAll] > 0) groups |= 1u << kAll;
  if (descriptor.priority == Priority::kBackground) groups |= 1u << kBackgroundCopies;
  if (is_on_host(region_of(descriptor.source))) groups |= 1u << kFromHost;
  if (is_on_host(region_of(descriptor.destination))) groups |= 1u << kToHost;
  return groups;
}

unsigned ContextTable::open(const Descriptor& descriptor, std::uint64_t transfer, bool remote) {
  const auto number = static_cast<unsigned>(std::countr_one(in_use_));
  if (number == table_.size()) table_.emplace_back();
  Context& context = table_[number];
  context = Context{};
  context.descriptor = descriptor;
  context.transfer = transfer;
  context.remote = remote;
  context.host = is_on_host(region_of(descriptor.source)) || is_on_host(region_of(descriptor.destination));
  context.groups = groups_of(descriptor);
  for_each(context.groups, [&](unsigned group) { members_[group] |= bit(number); });
  count(context.groups, 0);
  in_use_ |= bit(number);
  std::uint64_t& level = level_[level_of(descriptor.priority)];
  if (remote && descriptor.bytes > 0) {
    to_[number] = chip_of(descriptor.destination);
    unsigned older = kNone;  // the newest of those that have bursts to start
    for_each(remote_ & level, [&](unsigned other) {
      if (to_[other] != to_[number]) return;
      context.turn = std::max(context.turn, table_[other].way_free);
      const bool newest = older == kNone || table_[other].transfer > table_[older].transfer;
      if (table_[other].left() > 0 && newest) older = other;
    });
    if (older != kNone) {
      table_[older].followers |= bit(number);
      waiting_ |= bit(number);
    }
    remote_ |= bit(number);
  }
  level |= bit(number);
  update(number);
  return number;
}

void ContextTable::close(unsigned number) {
  in_use_ &= ~bit(number);
  remote_ &= ~bit(number);
  ready_ &= ~bit(number);
  held_back_ &= ~bit(number);
  level_[level_of(table_[number].descriptor.priority)] &= ~bit(number);
  for_each(table_[number].groups, [&](unsigned group) { members_[group] &= ~bit(number); });
}

unsigned ContextTable::levels_in(std::uint64_t set) const {
  unsigned present = 0;
  for (unsigned level = 0; level < kLevels; ++level) present |= (level_[level] & set) != 0 ? 1u << level : 0;
  return present;
}

unsigned ContextTable::next() const {
  std::uint64_t able = ready_ & ~held_back_;
  if (able == 0) return kNone;
  const unsigned present = levels_in(able);
  if (!std::has_single_bit(present)) able &= level_[turns_.next(present)];
  const std::uint64_t after_last = last_ + 1 < kMostContexts ? able & ~(bit(last_ + 1) - 1) : 0;
  return static_cast<unsigned>(std::countr_zero(after_last != 0 ? after_last : able));
}

void ContextTable::burst_started(unsigned number, Bytes bytes) {
  Context& context = table_[number];
  turns_.took(level_of(context.descriptor.priority), levels_in(ready_ & ~held_back_));
  context.started += bytes;
  ++context.outstanding;
  if (context.groups != 0) count(context.groups, 1);
  last_ = number;
  if (context.left() == 0 && context.followers != 0) {
    waiting_ &= ~context.followers;
    for_each(std::exchange(context.followers, 0), [&](unsigned follower) { update(follower); });
  }
  update(number);
}

void ContextTable::burst_done(unsigned number, Bytes bytes) {
  Context& context = table_[number];
  context.finished += bytes;
  --context.outstanding;
  if (context.groups != 0) count(context.groups, -1);
  update(number);
}

void ContextTable::count(unsigned groups, int change) {
  if (groups == 0) return;
  held_back_ = 0;
  for_each(groups, [&](unsigned group) { outstanding_[group] += static_cast<unsigned>(change); });
  for (unsigned group = 0; group < kGroups; ++group) {
    if (outstanding_[group] >= limit_[group]) held_back_ |= members_[group];
  }
}

void ContextTable::update(unsigned number) {
  const Context& context = table_[number];
  const bool ready = (waiting_ & bit(number)) == 0 && context.left() > 0 && context.outstanding < outstanding_bursts_;
  ready_ = ready ? ready_ | bit(number) : ready_ & ~bit(number);
}

}  // namespace podsim::dma
