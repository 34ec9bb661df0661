// Pool of packets with reference counts, shared by the network interfaces of a pod.
#pragma once

#include <deque>

#include "models/ici/packet.h"

namespace podsim::ici {

class PacketPool {
 public:
  PacketPool() = default;
  PacketPool(const PacketPool&) = delete;
  PacketPool& operator=(const PacketPool&) = delete;

  // A packet with one reference; all fields at their defaults.
  IciPacket& acquire() {
    IciPacket* packet = free_;
    if (packet != nullptr) {
      free_ = packet->next;
      *packet = IciPacket{};
    } else {
      packet = &all_.emplace_back();
    }
    packet->pool = this;
    packet->references = 1;
    ++in_flight_;
    return *packet;
  }
  void give_back(IciPacket& packet) {
    packet.next = free_;
    free_ = &packet;
    --in_flight_;
  }
  [[nodiscard]] std::size_t in_flight() const { return in_flight_; }

 private:
  std::deque<IciPacket> all_;  // a deque never moves its elements
  IciPacket* free_ = nullptr;
  std::size_t in_flight_ = 0;
};

inline void hold(IciPacket& packet) { ++packet.references; }
inline void release(IciPacket& packet) {
  if (--packet.references == 0) packet.pool->give_back(packet);
}

// First-in first-out queue of packets, linked through the packets themselves.
class PacketQueue {
 public:
  [[nodiscard]] bool empty() const { return first_ == nullptr; }
  [[nodiscard]] IciPacket& front() const { return *first_; }
  void push(IciPacket& packet) {
    packet.next = nullptr;
    (last_ ? last_->next : first_) = &packet;
    last_ = &packet;
  }
  // Keeps the queue ordered by head time, equal times in order of arrival.
  void push_by_head(IciPacket& packet) {
    if (last_ == nullptr || last_->head <= packet.head) return push(packet);
    IciPacket** place = &first_;
    while ((*place)->head <= packet.head) place = &(*place)->next;
    packet.next = *place;
    *place = &packet;
  }
  IciPacket& pop() {
    IciPacket& packet = *first_;
    first_ = packet.next;
    if (first_ == nullptr) last_ = nullptr;
    return packet;
  }

 private:
  IciPacket* first_ = nullptr;
  IciPacket* last_ = nullptr;
};

}  // namespace podsim::ici
