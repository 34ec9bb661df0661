// A matrix that lies in memory tile by tile: tiles in rows from left to right, and each of them dense and row-major,
// those at the right and bottom edges smaller. A tile is one stretch of memory, and so one copy.
#pragma once

#include <algorithm>

#include "firmware/device/buffer.h"

namespace podsim::firmware {

struct TiledMatrix {
  Buffer data;
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
  std::uint64_t tile_rows = 1;
  std::uint64_t tile_columns = 1;

  static constexpr std::uint64_t divide_up(std::uint64_t value, std::uint64_t by) { return (value + by - 1) / by; }
  [[nodiscard]] std::uint64_t tiles_down() const { return divide_up(rows, tile_rows); }
  [[nodiscard]] std::uint64_t tiles_across() const { return divide_up(columns, tile_columns); }
  // Of the tiles in row i, and in column j.
  [[nodiscard]] std::uint64_t rows_in(std::uint64_t i) const { return std::min(tile_rows, rows - i * tile_rows); }
  [[nodiscard]] std::uint64_t columns_in(std::uint64_t j) const {
    return std::min(tile_columns, columns - j * tile_columns);
  }

  [[nodiscard]] Buffer tile(std::uint64_t i, std::uint64_t j) const {
    const std::uint64_t first = i * tile_rows * columns + rows_in(i) * j * tile_columns;
    return data.slice({first, first + rows_in(i) * columns_in(j)});
  }
  // Where an element lies in `data`.
  [[nodiscard]] std::uint64_t place(std::uint64_t row, std::uint64_t column) const {
    const std::uint64_t i = row / tile_rows;
    const std::uint64_t j = column / tile_columns;
    return i * tile_rows * columns + rows_in(i) * j * tile_columns + (row - i * tile_rows) * columns_in(j) +
           (column - j * tile_columns);
  }
};

}  // namespace podsim::firmware
