// What programs start and do not do themselves: copies, and commands of the TensorCores. Each reads and writes memory
// at times of its own between its start and the moment at which a semaphore says that it is done.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "firmware/device/device_observer.h"
#include "models/kernel/address_map.h"
#include "models/kernel/rows.h"
#include "platform/check/vector_clock.h"

namespace podsim::check {

using OperationId = std::uint32_t;

// The moment from which on somebody knows that a part of an operation is over: the end of a wait.
struct Completion {
  Epoch epoch;
  ChipId chip{};  // whose program waited, and where
  scalar_core::ProgramPoint point{};
};

struct Span {
  Address address = 0;
  Bytes bytes = 0;
  kernel::Rows rows{};  // how they lie

  // Calls visit(span) for each contiguous piece.
  template <class Visit>
  void for_each_piece(Visit&& visit) const {
    rows.for_each(bytes, [&](Bytes at, Bytes piece) { visit(Span{address + at, piece}); });
  }
};

struct Operation {
  enum class Kind : std::uint8_t { kCopy, kVector };
  Kind kind = Kind::kCopy;
  ChipId chip{};  // that started it
  firmware::TaskId task = 0;
  scalar_core::ProgramPoint point{};
  std::array<Span, 3> sources{};
  Span destination;
  std::optional<Address> unit{};  // vector: the core's unit, which works in order
  bool reads_ahead = false;       // product: its a and b may be read while the one before still writes
  Address send_semaphore = 0;     // kAdd registers; ~0: none
  Address done_semaphore = 0;
  Completion read{};    // all sources have been read
  Completion landed{};  // the destination has been written
};

}  // namespace podsim::check
