#include "platform/validate/csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <stdexcept>

#include "platform/config/config_error.h"

namespace podsim::validate {

namespace {

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> fields;
  std::size_t from = 0;
  for (std::size_t comma; (comma = line.find(',', from)) != std::string::npos; from = comma + 1) {
    fields.push_back(line.substr(from, comma - from));
  }
  fields.push_back(line.substr(from));
  return fields;
}

config::SourceMark mark(const std::string& file, int line) {
  return {std::make_shared<const std::string>(file), line, 1};
}

}  // namespace

Csv::Csv(const std::filesystem::path& file) : file_(file.string()) {
  std::ifstream stream(file);
  if (!stream) throw config::ConfigError(mark(file_, 0), {}, "can't read this file of reference figures");
  int number = 0;
  for (std::string line; std::getline(stream, line);) {
    ++number;
    if (line.ends_with('\r')) line.pop_back();
    if (line.empty() || line.starts_with('#')) continue;
    std::vector<std::string> fields = split(line);
    if (head_.empty()) {
      head_ = std::move(fields);
      continue;
    }
    if (fields.size() != head_.size()) {
      throw config::ConfigError(mark(file_, number), {},
                                fmt::format("expected {} fields, got {}", head_.size(), fields.size()));
    }
    rows_.push_back(std::move(fields));
    lines_.push_back(number);
  }
}

const std::string& Csv::text(std::size_t row, std::string_view column) const {
  const auto found = std::find(head_.begin(), head_.end(), column);
  if (found == head_.end()) throw std::out_of_range(fmt::format("{} has no column '{}'", file_, column));
  return rows_.at(row)[static_cast<std::size_t>(found - head_.begin())];
}

double Csv::number(std::size_t row, std::string_view column) const {
  const std::string& field = text(row, column);
  double value = 0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
  if (error != std::errc() || end != field.data() + field.size()) fail(row, column, "a number");
  return value;
}

std::uint64_t Csv::count(std::size_t row, std::string_view column) const {
  const std::string& field = text(row, column);
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
  if (error != std::errc() || end != field.data() + field.size()) fail(row, column, "a whole number");
  return value;
}

void Csv::fail(std::size_t row, std::string_view column, const char* expected) const {
  throw config::ConfigError(mark(file_, lines_[row]), std::string(column),
                            fmt::format("expected {}, got '{}'", expected, text(row, column)));
}

}  // namespace podsim::validate
