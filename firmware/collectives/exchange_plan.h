// Plans for collectives in which chips exchange data in pairs, at growing or shrinking distances: few steps, and so
// little time for small messages. A plan is one chip's list of steps, worked out in advance and free of any device, so
// that it can be checked on its own; exchange.h carries it out.
//
//   recursive doubling   all-reduce: step s with the chip 2^s away, all of the data each time; log2 k steps
//   recursive halving    all-reduce (Rabenseifner): halves of halves out and reduced, then the same way back; 2 log2 k
//   steps,
//                        2 S (1 - 1/k) bytes (Thakur, Rabenseifner and Gropp, IJHPCA 2005)
//   Swing                all-reduce: step s with the chip rho(s) = sum_{i<=s} (-2)^i away, even ranks up and odd ones
//   down, so
//                        that distances are 1, 1, 3, 5, 11 ... in place of 1, 2, 4, 8, 16 (De Sensi et al., NSDI 2024)
//   Swing halving        all-reduce: recursive halving with Swing's peers, the bandwidth-optimal variant of that paper
//
// A step goes along one axis; steps alternate between the axes while distances grow. On an axis whose size is no power
// of two, the chips in excess of the largest one below hand their data to a neighbour first, and get the result from it
// in the end.
#pragma once

#include <vector>

#include "firmware/collectives/group.h"

namespace podsim::firmware {

// One step of one chip. Step s of a chip's plan meets step s of its peer's; a chip may have nothing to do in a step.
struct ExchangeStep {
  enum class Action : std::uint8_t {
    kReduce,   // what arrives is added to what is here
    kReplace,  // what arrives is the result
  };
  Action action = Action::kReduce;  // the same at both ends
  std::uint64_t room = 0;           // elements: no chip receives more in this step
  ChipId peer{};
  Range send;     // to the peer; empty: nothing
  Range receive;  // from the peer
};

using ExchangePlan = std::vector<ExchangeStep>;

[[nodiscard]] ExchangePlan plan_recursive_doubling(const Group& group, std::uint64_t elements);
[[nodiscard]] ExchangePlan plan_recursive_halving(const Group& group, std::uint64_t elements);
[[nodiscard]] ExchangePlan plan_swing(const Group& group, std::uint64_t elements);
[[nodiscard]] ExchangePlan plan_swing_halving(const Group& group, std::uint64_t elements);

// How far up Swing's peer is of an even rank in step s; it is as far down of an odd one.
[[nodiscard]] std::int64_t swing_distance(unsigned step);

}  // namespace podsim::firmware
