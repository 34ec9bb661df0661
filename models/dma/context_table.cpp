#include "models/dma/context_table.h"

#include <algorithm>
#include <utility>

namespace podsim::dma {

unsigned ContextTable::open(const Descriptor& descriptor, std::uint64_t transfer, bool remote) {
  const auto number = static_cast<unsigned>(std::countr_one(in_use_));
  if (number == table_.size()) table_.emplace_back();
  Context& context = table_[number];
  context = Context{};
  context.descriptor = descriptor;
  context.transfer = transfer;
  context.remote = remote;
  in_use_ |= bit(number);
  if (remote && descriptor.bytes > 0) {
    to_[number] = chip_of(descriptor.destination);
    unsigned older = kNone;  // the newest of those that have bursts to start
    for_each(remote_, [&](unsigned other) {
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
  update(number);
  return number;
}

void ContextTable::close(unsigned number) {
  in_use_ &= ~bit(number);
  remote_ &= ~bit(number);
  ready_ &= ~bit(number);
}

unsigned ContextTable::next() const {
  if (ready_ == 0) return kNone;
  const std::uint64_t after_last = last_ + 1 < kMostContexts ? ready_ & ~(bit(last_ + 1) - 1) : 0;
  return static_cast<unsigned>(std::countr_zero(after_last != 0 ? after_last : ready_));
}

void ContextTable::burst_started(unsigned number, Bytes bytes) {
  Context& context = table_[number];
  context.started += bytes;
  ++context.outstanding;
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
  update(number);
}

void ContextTable::update(unsigned number) {
  const Context& context = table_[number];
  const bool ready = (waiting_ & bit(number)) == 0 && context.left() > 0 && context.outstanding < outstanding_bursts_;
  ready_ = ready ? ready_ | bit(number) : ready_ & ~bit(number);
}

}  // namespace podsim::dma
