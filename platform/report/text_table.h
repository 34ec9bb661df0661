// Columns of text that line up, row by row: rows can be printed while later ones are still being worked out.
#pragma once

#include <string>
#include <vector>

namespace podsim::report {

struct Column {
  std::string title;
  std::size_t width;  // at least; a longer cell pushes its row out of line rather than being cut
  bool left = false;  // else aligned to the right
};

class TextTable {
 public:
  // `indent` stands before every line.
  explicit TextTable(std::vector<Column> columns, std::string indent = "  ")
      : columns_(std::move(columns)), indent_(std::move(indent)) {}

  // A line with its newline, without trailing spaces. Cells that are missing stay empty.
  [[nodiscard]] std::string header() const;
  [[nodiscard]] std::string row(const std::vector<std::string>& cells) const;

 private:
  std::vector<Column> columns_;
  std::string indent_;
};

}  // namespace podsim::report
