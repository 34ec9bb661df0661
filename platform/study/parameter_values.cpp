#include "platform/study/parameter_values.h"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "platform/study/value.h"

namespace podsim::study {

namespace {

// Of a step: what rounding may add up to before the last value is lost.
constexpr double kSlack = 1e-9;

[[noreturn]] void refuse(const std::string& why) { throw std::invalid_argument(why); }

Value number_of(const std::string& text, const char* which) {
  Value value = parse_value(text);
  if (value.text) refuse(fmt::format("'{}' must be a number with a unit, got '{}'", which, text));
  return value;
}

struct Ends {
  double from;
  double to;
  Dimension dimension;
};

Ends ends_of(const RangeEntry& range) {
  const Value from = number_of(range.from, "from"), to = number_of(range.to, "to");
  if (from.dimension != to.dimension) {
    refuse(fmt::format("'from' is {}, and 'to' {}", in_words(from.dimension), in_words(to.dimension)));
  }
  return {from.number, to.number, from.dimension};
}

std::vector<std::string> written(const std::vector<double>& numbers, Dimension dimension) {
  std::vector<std::string> texts;
  for (const double number : numbers) {
    std::string text = value_text({number, dimension, {}});
    if (texts.empty() || texts.back() != text) texts.push_back(std::move(text));
  }
  return texts;
}

// As many values as fit, of which there are `more` behind the first.
std::size_t count_of(double more) {
  if (!(more < static_cast<double>(kMostValues))) refuse(fmt::format("more than {} values", kMostValues));
  return 1 + static_cast<std::size_t>(more + kSlack);
}

}  // namespace

std::vector<std::string> even_range(const RangeEntry& range) {
  const Ends ends = ends_of(range);
  if (range.factor != 0) refuse("'factor' is for a log_range; a range has 'step'");
  if (range.step.empty() == (range.points == 0)) refuse("expected 'step' or 'points'");
  double step = 0;
  std::size_t count = range.points;
  if (range.points > 0) {
    step = range.points > 1 ? (ends.to - ends.from) / (range.points - 1) : 0;
  } else {
    const Value given = number_of(range.step, "step");
    if (given.dimension != ends.dimension) {
      refuse(fmt::format("'step' must be {} as well, got '{}'", in_words(ends.dimension), range.step));
    }
    step = given.number;
    if (step == 0 || (ends.to - ends.from) / step < 0) refuse("'step' does not lead from 'from' to 'to'");
    count = count_of((ends.to - ends.from) / step);
  }
  std::vector<double> numbers;
  for (std::size_t i = 0; i < count; ++i) numbers.push_back(ends.from + static_cast<double>(i) * step);
  return written(numbers, ends.dimension);
}

std::vector<std::string> log_range(const RangeEntry& range) {
  const Ends ends = ends_of(range);
  if (!range.step.empty()) refuse("'step' is for a range; a log_range has 'factor'");
  if ((range.factor == 0) == (range.points == 0)) refuse("expected 'factor' or 'points'");
  if (ends.from <= 0 || ends.to <= 0) refuse("both ends must be more than zero");
  double factor = range.factor;
  std::size_t count = range.points;
  if (range.points > 0) {
    factor = range.points > 1 ? std::pow(ends.to / ends.from, 1.0 / (range.points - 1)) : 1;
  } else {
    const double more = factor == 1 ? -1 : std::log(ends.to / ends.from) / std::log(factor);
    if (more < 0) refuse("'factor' does not lead from 'from' to 'to'");
    count = count_of(more);
  }
  std::vector<double> numbers;
  for (std::size_t i = 0; i < count; ++i) numbers.push_back(ends.from * std::pow(factor, static_cast<double>(i)));
  // The end exactly, rather than what the root of the ratio makes of it.
  if (range.points > 1) numbers.back() = ends.to;
  return written(numbers, ends.dimension);
}

}  // namespace podsim::study
