#include "models/memory/dram/channel_array.h"

#include <algorithm>

namespace podsim::memory {

ChannelArray::ChannelArray(const HbmConfig& config)
    : timing_(std::make_unique<DramTiming>(config)),
      map_(config),
      access_(config.access.bytes),
      groups_(config.bank_groups),
      banks_per_group_(config.banks_per_pseudo_channel / config.bank_groups),
      channels_(std::size_t{config.stacks} * config.channels_per_stack, ChannelController(*timing_, config)) {}

std::uint32_t ChannelArray::push(Bytes offset, bool write, DramTick arrival, std::uint32_t request) {
  const DramAddress where = map_(offset);
  DramAccess access;
  access.arrival = arrival;
  access.row = where.row;
  access.place.pseudo_channel = where.pseudo_channel;
  access.place.group = where.pseudo_channel * groups_ + where.bank_group;
  access.place.bank = access.place.group * banks_per_group_ + where.bank;
  access.request = request;
  access.write = write;
  channels_[where.channel].push(access);
  return where.channel;
}

DramTick ChannelArray::next_time() const {
  DramTick next = kNever;
  for (const ChannelController& channel : channels_) next = std::min(next, channel.next_time());
  return next;
}

void ChannelArray::step(DramTick now, std::vector<DramDone>& done) {
  for (ChannelController& channel : channels_) {
    if (channel.next_time() <= now) channel.step(now, done);
  }
}

}  // namespace podsim::memory
