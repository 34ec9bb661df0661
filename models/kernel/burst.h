// Bulk data moves as bursts: generic payloads whose timing is a stream, not a point. A sticky extension carries when
// the first and the last byte pass the target's port, so that stages of different speed overlap within a burst and a
// slow stage paces a fast one (cut-through), whatever the burst's size.
//
//   write: the initiator sets first_byte and last_byte, the times at which the data arrives at the target.
//   read:  the target sets them, the times at which the data leaves it.
//
// A reader that takes the data no faster than a certain rate says so with `pace`: the memory then serves it alongside
// others instead of all at once.
//
// A burst may be rows of a tile: `rows` says how its bytes lie at the payload's address, and the target moves and
// prices them row by row. The stream is one all the same.
//
// Both are absolute times. A payload without this extension (from somebody else's initiator) is a point: all of its
// data is there at the annotated delay.
#pragma once

#include <cstdint>
#include <tlm>

#include "models/kernel/address_map.h"
#include "models/kernel/rows.h"
#include "models/kernel/units.h"

namespace podsim::kernel {

struct Burst final : tlm::tlm_extension<Burst> {
  static constexpr Address kNoSemaphore = ~Address{0};

  Picoseconds first_byte = 0;
  Picoseconds last_byte = 0;
  // Read: the time over which the initiator takes the data; 0: as fast as it comes.
  Picoseconds pace = 0;
  // How the data lies at the payload's address.
  Rows rows;
  // Semaphore register on the target's chip that counts the burst's bytes once they are visible there.
  Address notify = kNoSemaphore;
  // The target side's own use: bytes that have arrived, and when the last of them will be visible.
  Bytes arrived = 0;
  Picoseconds visible = 0;
  // Number of the DMA that the burst belongs to, unique in a run; for observers.
  std::uint64_t transfer = 0;
  // The initiator's own use: what the burst is to it.
  std::uintptr_t initiator_tag = 0;
  // Set by the chip's bus on the way in, used on the way back.
  std::uint32_t return_port = 0;
  // A slow stream, however short: memories give it its share of their bandwidth at once, and do not queue it behind
  // what has been reserved. Real memories interleave accesses by the cache line; a trickle does not wait for a flood.
  bool trickles = false;

  tlm::tlm_extension_base* clone() const override { return new Burst(*this); }
  void copy_from(const tlm::tlm_extension_base& other) override { *this = static_cast<const Burst&>(other); }
};

// The payload's burst extension, or null for a payload from outside.
inline Burst* burst_of(tlm::tlm_generic_payload& payload) { return payload.get_extension<Burst>(); }

}  // namespace podsim::kernel
