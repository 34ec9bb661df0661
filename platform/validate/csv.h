// Reference files as tables: comma-separated, a line of column names, comments that begin with '#'. No quoting.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace podsim::validate {

class Csv {
 public:
  // Throws ConfigError when the file can't be read or a line has not as many fields as the head.
  explicit Csv(const std::filesystem::path& file);

  [[nodiscard]] std::size_t rows() const { return rows_.size(); }
  // Throws std::out_of_range for a column that is not there.
  [[nodiscard]] const std::string& text(std::size_t row, std::string_view column) const;
  // Throws ConfigError for what is no number.
  [[nodiscard]] double number(std::size_t row, std::string_view column) const;
  [[nodiscard]] std::uint64_t count(std::size_t row, std::string_view column) const;

 private:
  [[noreturn]] void fail(std::size_t row, std::string_view column, const char* expected) const;

  std::string file_;
  std::vector<std::string> head_;
  std::vector<std::vector<std::string>> rows_;
  std::vector<int> lines_;  // of the rows
};

}  // namespace podsim::validate
