// What a scheduler is given: a graph of instructions, what each is expected to cost, and the limits. And what it gives
// back: an order. Plain data, which knows neither chips nor collectives.
//
// A program executes one slot after the other. Instructions that compute are run, and the program goes on when they
// have ended. Instructions that transfer are started, go on beside the program, and are waited for by their done.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "firmware/module/slot.h"
#include "models/kernel/units.h"

namespace podsim::schedule {

using firmware::Order;
using firmware::Slot;

// What transfers occupy, as a set of bits: transfers that share one go one after the other.
using Channels = std::uint32_t;

struct Node {
  std::vector<std::size_t> needs;  // that must have ended before: whose results it reads, and control dependencies
  bool transfer = false;           // is started and waited for; else run
  Picoseconds duration = 0;
  Channels channels = 0;  // of a transfer
  Bytes result = 0;       // memory that is taken from its beginning on, until the last node that needs it has ended
};

struct Problem {
  std::vector<Node> nodes;
  Picoseconds start_cost =
      0;  // what starting a transfer, and waiting for one that has ended, take of the program's time
  Picoseconds done_cost = 0;
  Bytes memory = ~Bytes{0};  // for results
  unsigned in_flight = ~0u;  // transfers between their start and their done
};

// An order that breaks a dependency, or leaves something out.
struct BadOrder : std::logic_error {
  using std::logic_error::logic_error;
};

// When things are expected to happen.
struct Timeline {
  struct Interval {
    Picoseconds begin = 0, end = 0;
  };
  std::vector<Interval> slots;      // by slot: of the program's time
  std::vector<Interval> transfers;  // by node: of a transfer's own
  Picoseconds total = 0;
  Bytes peak = 0;
};

// Throws BadOrder. Limits are not checked.
[[nodiscard]] Timeline predict(const Problem& problem, const Order& order);

// For each node, those that need it.
[[nodiscard]] std::vector<std::vector<std::size_t>> users_of(const Problem& problem);

}  // namespace podsim::schedule
