// Packets that wait for one output of a router, and which of them goes next.
//
// Virtual output queues: packets of different inputs and channels wait side by side, so that one that lacks credit
// blocks no other. Arbitration decides more than any other choice in a torus: packets in transit go before injected
// ones, and straight before turning; of those injected here, signals before data; within a class, round robin. (With
// round-robin injection an all-to-all on a ring of 16 takes three times its bound; with this order it meets it.) Plain
// class, no kernel.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "models/ici/packet_pool.h"

namespace podsim::ici {

class SwitchAllocator {
 public:
  enum class Class : std::uint8_t { kStraight, kTurn, kSignal, kInjection };
  static constexpr std::size_t kClasses = 4;

  // `queues`: one for each input and virtual channel; at most 32.
  explicit SwitchAllocator(unsigned queues) : queues_(queues) {}

  [[nodiscard]] bool empty() const { return (waiting_[0] | waiting_[1] | waiting_[2] | waiting_[3]) == 0; }

  void enqueue(IciPacket& packet, unsigned queue, Class priority) {
    queues_[queue].push(packet);
    waiting_[static_cast<unsigned>(priority)] |= 1u << queue;
  }

  // Calls visit(queue, packet) for the first packet of each queue.
  template <class Visit>
  void for_each_head(Visit&& visit) const {
    for (unsigned queue = 0; queue < queues_.size(); ++queue) {
      if (!queues_[queue].empty()) visit(queue, queues_[queue].front());
    }
  }

  // Removes and returns the packet to send, or null if none of the queues' heads passes `may_go(packet)`. `queue` tells
  // where it waited.
  template <class MayGo>
  IciPacket* grant(MayGo&& may_go, unsigned& queue) {
    for (unsigned priority = 0; priority < waiting_.size(); ++priority) {
      std::uint32_t candidates = waiting_[priority];
      while (candidates != 0) {
        const std::uint32_t after_last = candidates & ~((2u << last_granted_[priority]) - 1);
        queue = static_cast<unsigned>(std::countr_zero(after_last != 0 ? after_last : candidates));
        if (may_go(queues_[queue].front())) {
          IciPacket& packet = queues_[queue].pop();
          if (queues_[queue].empty()) waiting_[priority] &= ~(1u << queue);
          last_granted_[priority] = static_cast<std::uint8_t>(queue);
          return &packet;
        }
        candidates &= ~(1u << queue);
      }
    }
    return nullptr;
  }

 private:
  std::vector<PacketQueue> queues_;
  std::array<std::uint32_t, kClasses> waiting_{};      // by class: which queues hold packets
  std::array<std::uint8_t, kClasses> last_granted_{};  // by class, for round robin
};

}  // namespace podsim::ici
