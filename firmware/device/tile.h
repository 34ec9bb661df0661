// Parts of a matrix. What a copy moves is a tile: rows of elements at equal distances in one chip's memory. A buffer is
// a tile of one row, so copies take either.
//
//   Matrix weights{buffer, 4096};                                    // rows of 4096 elements
//   chip.start_copy(weights.tile({0, 128}, {256, 512}), block, done);  // 128 x 256 of them, gathered into a buffer
#pragma once

#include <cstdint>

#include "firmware/device/buffer.h"

namespace podsim::firmware {

struct Tile {
  Address address = 0;
  std::uint64_t rows = 1;
  std::uint64_t columns = 0;  // elements of a row
  std::uint64_t pitch = 0;    // elements from the start of a row to that of the next
  DType type = DType::kF32;

  Tile() = default;
  Tile(Address at, std::uint64_t row_count, std::uint64_t row_elements, std::uint64_t row_pitch, DType element)
      : address(at), rows(row_count), columns(row_elements), pitch(row_pitch), type(element) {}
  Tile(Address at, std::uint64_t elements, DType element) : Tile(Buffer{at, elements, element}) {}
  Tile(const Buffer& buffer)  // NOLINT(google-explicit-constructor): a buffer is a tile
      : address(buffer.address), columns(buffer.elements), pitch(buffer.elements), type(buffer.type) {}

  [[nodiscard]] Bytes row_bytes() const { return columns * tensor_core::size_of(type); }
  [[nodiscard]] Bytes pitch_bytes() const { return pitch * tensor_core::size_of(type); }
  [[nodiscard]] Bytes bytes() const { return rows * row_bytes(); }
  // All in one piece.
  [[nodiscard]] bool contiguous() const { return rows == 1 || pitch == columns; }
};

// A buffer seen as a matrix, row after row.
struct Matrix {
  Buffer buffer;
  std::uint64_t columns = 1;

  [[nodiscard]] std::uint64_t rows() const { return buffer.elements / columns; }
  // Throws ProgramError where the ranges reach beyond the matrix.
  [[nodiscard]] Tile tile(Range row_range, Range column_range) const;
};

}  // namespace podsim::firmware
