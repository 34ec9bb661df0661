#include "firmware/device/tile.h"

#include <fmt/format.h>

#include "firmware/device/errors.h"

namespace podsim::firmware {

Tile Matrix::tile(Range row_range, Range column_range) const {
  const auto within = [](Range range, std::uint64_t end) { return range.first <= range.last && range.last <= end; };
  if (!within(row_range, rows()) || !within(column_range, columns)) {
    throw ProgramError(fmt::format("rows {} to {} and columns {} to {} of a matrix of {} x {}", row_range.first,
                                   row_range.last, column_range.first, column_range.last, rows(), columns));
  }
  const Bytes first = (row_range.first * columns + column_range.first) * tensor_core::size_of(buffer.type);
  return {buffer.address + first, row_range.size(), column_range.size(), columns, buffer.type};
}

}  // namespace podsim::firmware
