#include "platform/report/text_table.h"

#include <fmt/format.h>

#include <algorithm>

namespace podsim::report {

std::string TextTable::header() const {
  std::vector<std::string> titles;
  for (const Column& column : columns_) titles.push_back(column.title);
  return row(titles);
}

std::string TextTable::row(const std::vector<std::string>& cells) const {
  std::string line = indent_;
  for (std::size_t i = 0; i < std::min(cells.size(), columns_.size()); ++i) {
    if (i > 0) line += "  ";
    line += columns_[i].left ? fmt::format("{:<{}}", cells[i], columns_[i].width)
                             : fmt::format("{:>{}}", cells[i], columns_[i].width);
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line + '\n';
}

}  // namespace podsim::report
