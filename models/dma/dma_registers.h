// Register map of a DMA engine: one descriptor, written in one go; the write of its last word is the doorbell. The
// write stalls while the descriptor queue is full. Free of SystemC.
#pragma once

#include <array>
#include <span>

#include "models/kernel/address_map.h"
#include "models/kernel/rows.h"

namespace podsim::dma {

inline constexpr Address kNoSemaphore = ~Address{0};

// Who goes first where copies of one engine compete; priority_turns.h has the rule.
enum class Priority : std::uint8_t { kNormal = 0, kUrgent = 1, kBackground = 2 };

// A copy of `bytes` bytes. Source and destination are global addresses; the source is on this chip (or its host), the
// destination on any chip: DMA is push-only. Addresses of semaphores are those of their kAdd register; the DMA adds the
// number of bytes moved.
//
// With more than one row the copy is strided: `bytes` / `rows` bytes in a piece, and from the start of a piece to that
// of the next as many as the pitch says, on either side. It takes three words more.
struct Descriptor {
  Address source = 0;
  Address destination = 0;
  Bytes bytes = 0;
  Address send_semaphore = kNoSemaphore;  // on this chip: the source has been read and may be reused
  Address recv_semaphore = kNoSemaphore;  // on the destination's chip: the data is visible there
  std::uint64_t tag = 0;                  // the program's own number for the copy, of 56 bits; for observers
  Priority priority = Priority::kNormal;
  std::uint64_t rows = 1;
  Bytes source_pitch = 0;
  Bytes destination_pitch = 0;

  static constexpr std::size_t kWords = 6;
  static constexpr std::size_t kStridedWords = 9;
  // As many words as the copy needs.
  class Words {
   public:
    std::array<std::uint64_t, kStridedWords> all;
    std::size_t count;
    [[nodiscard]] const std::uint64_t* data() const { return all.data(); }
    [[nodiscard]] std::size_t size_bytes() const { return count * sizeof(std::uint64_t); }
    operator std::span<const std::uint64_t>() const { return {all.data(), count}; }
  };
  [[nodiscard]] Words words() const {
    const std::uint64_t control = (tag & kTagMask) | static_cast<std::uint64_t>(priority) << kTagBits;
    return {
        {source, destination, bytes, send_semaphore, recv_semaphore, control, rows, source_pitch, destination_pitch},
        strided() ? kStridedWords : kWords};
  }
  static Descriptor from_words(std::span<const std::uint64_t> w) {
    const bool strided = w.size() >= kStridedWords;
    return {w[0],
            w[1],
            w[2],
            w[3],
            w[4],
            w[5] & kTagMask,
            static_cast<Priority>(w[5] >> kTagBits),
            strided ? w[6] : 1,
            strided ? w[7] : 0,
            strided ? w[8] : 0};
  }

  [[nodiscard]] bool strided() const { return rows != 1; }
  [[nodiscard]] kernel::Rows source_rows() const { return rows_at(source_pitch); }
  [[nodiscard]] kernel::Rows destination_rows() const { return rows_at(destination_pitch); }

 private:
  static constexpr unsigned kTagBits = 56;
  static constexpr std::uint64_t kTagMask = (std::uint64_t{1} << kTagBits) - 1;
  // Rows without a gap between them are one piece.
  [[nodiscard]] kernel::Rows rows_at(Bytes pitch) const {
    if (rows <= 1 || bytes / rows == pitch) return {};
    return {bytes / rows, pitch, 0};
  }
};

inline constexpr Bytes kDescriptor = 0;  // offset in the engine's register window

}  // namespace podsim::dma
