#include "models/ici/flow.h"

#include <algorithm>

#include "models/ici/route_walk.h"

namespace podsim::ici {

void FlowNetwork::Flow::take(IciPacket& packet) {
  packet_ = &packet;
  rate_ = 0;
  flows_ = arrived_ = ended_ = false;
  plan();
  turn_.arm_at(packet.head);
}

void FlowNetwork::Flow::plan() {
  const IciConfig& config = network_.config_;
  const Bytes packets = (packet_->bytes + config.packet.bytes - 1) / config.packet.bytes;
  bytes_ = packet_->bytes + packets * config.link.packet_header.bytes;
  path_.clear();
  latency_ = link_time_ = 0;
  walk_route(network_.shape_, network_.routing_, *packet_, [&](ChipId chip, const Hop& hop) {
    const std::uint32_t number = index(chip) * network_.shape_.link_ports() + hop.port;
    const Link& link = network_.links_[number];
    path_.push_back(number);
    latency_ += link.latency;
    link_time_ = std::max(link_time_, link.time(bytes_));
    return true;
  });
}

MaxMinSharing::Rate FlowNetwork::Flow::source_limit() const {
  const Picoseconds source_time = packet_->tail - packet_->head;
  if (source_time <= link_time_) return MaxMinSharing::kUnlimited;
  const Fluid all = static_cast<Fluid>(bytes_) * kPicosecondsPerSecond;
  return std::max<MaxMinSharing::Rate>(1, static_cast<MaxMinSharing::Rate>(all / static_cast<Fluid>(source_time)));
}

void FlowNetwork::Flow::begin() {
  started_ = settled_ = network_.queue_.now();
  left_ = static_cast<Fluid>(bytes_) * kPicosecondsPerSecond;
  id_ = network_.sharing_.add(path_, source_limit());
  ++network_.links_[path_.front()].open;
  if (static_cast<std::size_t>(id_) >= network_.by_id_.size()) {
    network_.by_id_.resize(static_cast<std::size_t>(id_) + 1);
  }
  network_.by_id_[static_cast<std::size_t>(id_)] = this;
  flow_at(network_.sharing_.rate(id_));
  const auto crowd = static_cast<Picoseconds>(network_.sharing_.crowd(id_));
  network_.shares_changed(link_time_ * crowd);
}

void FlowNetwork::Flow::flow_at(MaxMinSharing::Rate rate) {
  settle();
  rate_ = rate;
  if (rate == 0) return end_.cancel();
  const auto rest = static_cast<Picoseconds>((left_ + rate - 1) / rate);
  end_.arm_at(settled_ + rest);
  if (flows_) return;
  flows_ = true;
  packet_->head = settled_ + latency_;
  arrival_.arm_at(packet_->head);
}

void FlowNetwork::Flow::settle() {
  const Picoseconds now = network_.queue_.now();
  left_ -= std::min(left_, static_cast<Fluid>(rate_) * static_cast<Fluid>(now - settled_));
  settled_ = now;
}

void FlowNetwork::Flow::first_byte_arrives() {
  arrived_ = true;
  if (!ended_) packet_->tail = (end_.armed() ? end_.due() : network_.queue_.now()) + latency_;
  network_.send_head(*packet_);
  if (ended_) give_tail();
}

void FlowNetwork::Flow::end() {
  ended_ = true;
  packet_->tail = network_.queue_.now() + latency_;
  network_.sharing_.remove(id_);
  --network_.links_[path_.front()].open;
  network_.call_up(path_.front());
  network_.shares_changed(network_.queue_.now() - started_);
  network_.count(*this);
  network_.ended.tell([&] { return FlowEnded{*packet_, started_, network_.queue_.now(), path_}; });
  network_.tell_sender(*packet_);
  if (arrived_) give_tail();
}

void FlowNetwork::Flow::give_tail() {
  IciPacket& packet = *packet_;
  network_.give_back(*this);
  network_.send_tail(packet);
}

}  // namespace podsim::ici
