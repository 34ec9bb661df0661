// Packets that wait for one output of a router, and which of them goes next.
//
// Virtual output queues: packets of different inputs and channels wait side by side, so that one that lacks credit
// blocks no other. Arbitration decides more than any other choice in a torus: packets in transit go before injected
// ones, and straight before turning; of those injected here, signals before data; within a class, round robin. (With
// round-robin injection an all-to-all on a ring of 16 takes three times its bound; with this order it meets it.) Plain
// class, no kernel.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>

#include "models/ici/packet_pool.h"

namespace podsim::ici {

class SwitchAllocator {
 public:
  enum class Class : std::uint8_t { kStraight, kTurn, kSignal, kInjection };
  static constexpr std::size_t kClasses = 4;

  static constexpr unsigned kMostQueues = 32;  // one for each input and virtual channel
  static constexpr Picoseconds kNever = std::numeric_limits<Picoseconds>::max();

  [[nodiscard]] bool empty() const { return (waiting_[0] | waiting_[1] | waiting_[2] | waiting_[3]) == 0; }

  void enqueue(IciPacket& packet, unsigned queue, Class priority) {
    queues_[queue].push_by_head(packet);
    heads_[queue] = queues_[queue].front().head;
    waiting_[static_cast<unsigned>(priority)] |= 1u << queue;
  }

  // Calls visit(queue, packet) for the first packet of each queue.
  template <class Visit>
  void for_each_head(Visit&& visit) const {
    for (unsigned queue = 0; queue < queues_.size(); ++queue) {
      if (!queues_[queue].empty()) visit(queue, queues_[queue].front());
    }
  }

  // Removes and returns the packet to send at time `now`: its head is there, and it passes `may_go(packet)`. Null if
  // there is none, and then `next_head` is the time at which the next packet's head comes (kNever if none is on the
  // way). `queue` tells where the packet waited.
  template <class MayGo>
  IciPacket* grant(Picoseconds now, MayGo&& may_go, unsigned& queue, Picoseconds& next_head) {
    next_head = kNever;
    for (unsigned priority = 0; priority < waiting_.size(); ++priority) {
      std::uint32_t candidates = waiting_[priority];
      while (candidates != 0) {
        const std::uint32_t after_last = candidates & ~((2u << last_granted_[priority]) - 1);
        queue = static_cast<unsigned>(std::countr_zero(after_last != 0 ? after_last : candidates));
        if (heads_[queue] > now) {
          next_head = std::min(next_head, heads_[queue]);
        } else if (may_go(queues_[queue].front())) {
          IciPacket& packet = queues_[queue].pop();
          if (queues_[queue].empty()) {
            waiting_[priority] &= ~(1u << queue);
          } else {
            heads_[queue] = queues_[queue].front().head;
          }
          last_granted_[priority] = static_cast<std::uint8_t>(queue);
          return &packet;
        }
        candidates &= ~(1u << queue);
      }
    }
    return nullptr;
  }

 private:
  std::array<std::uint32_t, kClasses> waiting_{};      // by class: which queues hold packets
  std::array<std::uint8_t, kClasses> last_granted_{};  // by class, for round robin
  std::array<Picoseconds, kMostQueues> heads_{};  // of the first packets, so that one that has to wait isn't touched
  std::array<PacketQueue, kMostQueues> queues_;
};

}  // namespace podsim::ici
