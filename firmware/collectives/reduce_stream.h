// One stream of a ring reduce-scatter along one axis: partial results pass this chip one bundle at a time, and it adds
// its own contribution to each. A closed stream starts with the bundle of the chip just before this one in the ring
// (which has the longest way to go) and ends with this chip's own; an open one starts with the bundle of the far end.
//
// Bundles are cut twice. A *segment* bounds the memory: the ring is gone round once for each. A *chunk* of it is what
// one copy carries, so that the addition of one overlaps the transfer of the next. Chunks land in slots that take
// turns, one chunk each; a capacity semaphore keeps a faster neighbour from overwriting one that is in use.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "firmware/collectives/pieces.h"
#include "firmware/collectives/ring.h"
#include "firmware/device/device.h"

namespace podsim::firmware {

// What all streams of one axis work on.
struct AxisPhase {
  Opcode op = Opcode::kAdd;
  Buffer in;                      // this chip's contributions
  std::vector<Pieces> bundles{};  // by coordinate: the places in `in` of what each chip ends up with
  Buffer result{};                // this chip's bundle, reduced and packed
};

// A stream's own memory and semaphores.
struct ReduceResources {
  std::uint64_t segments = 1;
  std::uint64_t chunks = 1;  // of a segment
  Buffer slots;
  std::uint64_t slot_elements = 0;
  std::uint64_t slot_count = 0;       // of the rotation; no more of them are there than ever get filled
  bool slots_shared = false;          // with the axis before: the next chip says when it has come to this one
  Buffer last;                        // of an open stream: what the other chips on its side have for this chip
  SemaphoreArray<DmaSemaphore> recv;  // by slot
  SemaphoreArray<DmaSemaphore> send;  // by slot
  DmaSemaphore last_recv;
  DmaSemaphore added;
  RegularSemaphore capacity;  // raised by the next chip for each slot that is free again
};

class ReduceStream {
 public:
  // Slots for chunks that have arrived. A chip sends on what came a step, or `chunks` arrivals, before; it frees a slot
  // when the chunk after it has been sent. So with fewer than two more than chunks, each chip would wait for the other.
  // With four, the word that a slot is free also travels back while others are filled.
  [[nodiscard]] static constexpr std::uint64_t slots(std::uint64_t chunks) {
    return std::max<std::uint64_t>(4, chunks + 2);
  }

  ReduceStream(Device& chip, const Stream& stream, const AxisPhase& phase, const ReduceResources& own)
      : chip_(chip), stream_(stream), phase_(phase), own_(own) {}

  Task run();
  // After run() of both streams of a line: adds what this one has brought to `sum`. False if it brings nothing.
  [[nodiscard]] bool brings() const { return !stream_.closed && stream_.previous.has_value(); }
  Task join(Buffer to, Pieces from, Buffer sum);

 private:
  struct Chunk {
    std::uint64_t item;  // bundles in the order in which they pass
    std::uint64_t segment;
    std::uint64_t chunk;
  };

  [[nodiscard]] std::uint64_t items() const { return stream_.closed ? stream_.size : stream_.size - stream_.position; }
  [[nodiscard]] std::uint64_t sends() const { return items() - 1; }
  // Arrivals in slots, of each segment: all but the last one of an open stream, which has a place of its own.
  [[nodiscard]] std::uint64_t arrivals() const {
    return stream_.closed ? stream_.size - 1 : (stream_.previous ? items() - 1 : 0);
  }
  [[nodiscard]] std::uint64_t sends_to_slots() const { return stream_.closed ? sends() : sends() - 1; }
  [[nodiscard]] bool arrives(const Chunk& at) const { return stream_.closed ? at.item > 0 : at.item < arrivals(); }
  // Number of the chunk's arrival, counted over all segments; it is also its number among what the previous chip sends
  // to slots.
  [[nodiscard]] std::uint64_t arrival(const Chunk& at) const {
    return (at.segment * arrivals() + at.item - (stream_.closed ? 1 : 0)) * own_.chunks + at.chunk;
  }
  [[nodiscard]] const Pieces& bundle(std::uint64_t item) const;
  [[nodiscard]] Range segment(const Chunk& at) const;  // of the packed bundle
  [[nodiscard]] Range window(const Chunk& at) const { return segment(at).part(at.chunk, own_.chunks); }
  [[nodiscard]] Buffer in_slot(std::uint64_t number, const Chunk& at) const;
  [[nodiscard]] Bytes bytes(std::uint64_t elements) const { return elements * tensor_core::size_of(phase_.in.type); }
  // Whether a chunk goes to a slot of the next chip, and whether that has to be freed first. Chunks to slots are
  // numbered like the next chip's arrivals.
  [[nodiscard]] bool to_slot(const Chunk& at) const { return stream_.closed || at.item < sends_to_slots(); }
  [[nodiscard]] std::uint64_t slot_number(const Chunk& at) const {
    return (at.segment * sends_to_slots() + at.item) * own_.chunks + at.chunk;
  }
  [[nodiscard]] bool needs_capacity(const Chunk& at) const {
    return to_slot(at) && (own_.slots_shared || slot_number(at) >= own_.slot_count);
  }
  [[nodiscard]] DmaSemaphore send_semaphore(const Chunk& at) const {
    return own_.send[((at.segment * sends() + at.item) * own_.chunks + at.chunk) % own_.slot_count];
  }

  // No coroutines: these run once for each chunk, and run() does the waiting.
  void start_add(const Chunk& at, Buffer arrived, Buffer sum);
  void send(const Chunk& at, bool own_data, Buffer partial);
  // Tells the previous chip that all slots are free, which it can't know where they are shared.
  void open_slots();
  // Tells the previous chip that a slot is free, if that chip will need it again.
  void free_slot(const Chunk& at);

  Device& chip_;
  const Stream stream_;
  const AxisPhase& phase_;
  const ReduceResources own_;
};

}  // namespace podsim::firmware
