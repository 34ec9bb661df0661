#include "firmware/collectives/segments.h"

#include <algorithm>

#include "firmware/collectives/reduce_stream.h"

namespace podsim::firmware {

namespace {

// A chunk is worth its own issue cost from about here on. Two are enough: one is added while the other is on the link.
constexpr Bytes kSmallestChunk = 128 * kKiB;
constexpr std::uint64_t kMostChunks = 2;
// Slots smaller than this are not worth going round the ring once more for each.
constexpr Bytes kSmallestSlot = 32 * kKiB;

// Of one of several segments.
std::uint64_t chunks_each(std::uint64_t chunks, std::uint64_t segments) {
  return std::max((chunks + segments - 1) / segments, std::min<std::uint64_t>(chunks, 2));
}

// Bytes that a segment can have, so that the slots for its chunks have room.
Bytes largest_segment(std::uint64_t chunks, Bytes room) { return room / ReduceStream::slots(chunks) * chunks; }

}  // namespace

std::uint64_t chunks_of(Bytes share, unsigned wanted) {
  return wanted != 0 ? wanted : std::clamp<std::uint64_t>(share / kSmallestChunk, 1, kMostChunks);
}

Segments cut_to_fit(Bytes share, std::uint64_t chunks, Bytes room) {
  Segments cut{.segments = 1, .chunks = chunks, .slots = ReduceStream::slots(chunks)};
  if (share <= largest_segment(chunks, room)) return cut;
  cut.fits = room / cut.slots >= kSmallestSlot;
  if (!cut.fits) return cut;
  // The most that a segment can have depends on its chunks, and those on the number of segments.
  const auto fits = [&](std::uint64_t segments) {
    return share <= segments * largest_segment(chunks_each(chunks, segments), room);
  };
  cut.segments = (share + room - 1) / room;
  while (!fits(cut.segments)) ++cut.segments;
  cut.chunks = chunks_each(chunks, cut.segments);
  cut.slots = ReduceStream::slots(cut.chunks);
  return cut;
}

}  // namespace podsim::firmware
