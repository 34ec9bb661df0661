#include "firmware/collectives/reduce_stream.h"

namespace podsim::firmware {

const Pieces& ReduceStream::bundle(std::uint64_t item) const {
  const std::uint64_t position = stream_.closed ? stream_.before(item + 1) : stream_.size - 1 - item;
  return phase_.bundles[stream_.coordinate(position)];
}

Range ReduceStream::segment(const Chunk& at) const {
  return stream_.share(bundle(at.item).packed()).part(at.segment, own_.segments);
}

Buffer ReduceStream::in_slot(std::uint64_t number, const Chunk& at) const {
  const std::uint64_t first = number % own_.slot_count * own_.slot_elements;
  return own_.slots.slice({first, first + window(at).size()});
}

Task ReduceStream::run() {
  open_slots();
  std::optional<Chunk> leaving;  // the newest chunk that has been sent
  for (std::uint64_t segment = 0; segment < own_.segments; ++segment) {
    // A closed stream's first item has been sent along with the last one of the segment before: see below.
    const bool under_way = stream_.closed && segment > 0;
    for (std::uint64_t item = under_way ? 1 : 0; item < items(); ++item) {
      for (std::uint64_t c = 0; c < own_.chunks; ++c) {
        const Chunk at{item, segment, c};
        const bool arrived = arrives(at);
        const bool goes_on = item < sends();
        std::optional<Chunk> sent;
        // The last item goes nowhere. The link would be idle while it comes, so the next segment starts.
        if (!goes_on && stream_.closed && segment + 1 < own_.segments) {
          sent = Chunk{0, segment + 1, c};
          if (needs_capacity(*sent)) co_await chip_.wait(own_.capacity);
          send(*sent, true, {});
        }
        Buffer partial;
        if (arrived) {
          const Buffer slot = in_slot(arrival(at), at);
          partial = goes_on ? slot : phase_.result.slice(window(at));
          co_await chip_.wait(own_.recv[arrival(at) % own_.slot_count], slot.bytes());
          start_add(at, slot, partial);
          co_await chip_.wait(own_.added, partial.bytes());
        }
        if (goes_on) {
          if (needs_capacity(at)) co_await chip_.wait(own_.capacity);
          send(at, !arrived, partial);
          sent = at;
        }
        // Slots are freed in the order of their arrival: capacity signals don't say which one they speak of. The chunk
        // before has left by now, or soon will have.
        if (leaving && (sent || !goes_on)) {
          co_await chip_.wait(send_semaphore(*leaving), bytes(window(*leaving).size()));
          if (arrives(*leaving)) free_slot(*leaving);
          leaving.reset();
        }
        if (arrived && !goes_on) free_slot(at);
        if (sent) leaving = sent;
      }
    }
  }
  if (leaving) {
    co_await chip_.wait(send_semaphore(*leaving), bytes(window(*leaving).size()));
    if (arrives(*leaving)) free_slot(*leaving);
  }
}

void ReduceStream::start_add(const Chunk& at, Buffer arrived, Buffer sum) {
  bundle(at.item).for_each(window(at), [&](Range place, Range packed) {
    chip_.start_vector(phase_.op, arrived.slice(packed), phase_.in.slice(place), sum.slice(packed), own_.added);
  });
}

void ReduceStream::send(const Chunk& at, bool own_data, Buffer partial) {
  const Buffer to = to_slot(at) ? in_slot(slot_number(at), at) : own_.last.slice(window(at));
  const DmaSemaphore recv = to_slot(at) ? own_.recv[slot_number(at) % own_.slot_count] : own_.last_recv;
  const DmaSemaphore sent = send_semaphore(at);
  if (!own_data) {
    chip_.start_remote_copy({.src = partial, .dst = to, .to = *stream_.next, .send = sent, .recv = recv});
    return;
  }
  bundle(at.item).for_each_tile(window(at), phase_.in, [&](const Tile& place, Range packed) {
    chip_.start_remote_copy({.src = place, .dst = to.slice(packed), .to = *stream_.next, .send = sent, .recv = recv});
  });
}

void ReduceStream::open_slots() {
  const std::uint64_t slots = std::min(own_.slot_count, own_.segments * arrivals() * own_.chunks);
  if (own_.slots_shared && slots > 0) chip_.signal(own_.capacity, *stream_.previous, slots);
}

void ReduceStream::free_slot(const Chunk& at) {
  if (arrival(at) + own_.slot_count >= own_.segments * arrivals() * own_.chunks) return;
  chip_.signal(own_.capacity, *stream_.previous);
}

Task ReduceStream::join(Buffer to, Pieces from, Buffer sum) {
  const Buffer arrived = own_.last.slice(from.packed());
  co_await chip_.wait(own_.last_recv, arrived.bytes());
  from.for_each(from.packed(), [&](Range place, Range packed) {
    chip_.start_vector(phase_.op, arrived.slice(packed), sum.slice(place), to.slice(packed), own_.added);
  });
  co_await chip_.wait(own_.added, to.bytes());
}

}  // namespace podsim::firmware
