// Small expressions over parameters and results: constraints of a study, columns derived from others, targets.
//
//   chips <= 64 and size >= 4 KiB * chips
//   step < 2 s
//   algorithm != 'ring' or chips % 2 == 0
//   chips * 1.2 * step_us / 3.6e9
//
// Numbers may carry a unit as in YAML; text stands in quotes. Operators, from the weakest: or, and, not,
// < <= > >= == !=, + -, * / %, unary -. Functions: min(a, b), max(a, b), log2(a), ceil(a), floor(a). Truth is 0 or 1.
#pragma once

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "platform/study/value.h"

namespace podsim::study {

// What is wrong with an expression, as its author is told it.
struct ExpressionError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Expression {
 public:
  // What a name stands for; nothing if there is no such name.
  using Lookup = std::function<std::optional<Value>(const std::string& name)>;
  struct Node;

  // Throws ExpressionError, which says where in the text.
  explicit Expression(std::string text);

  [[nodiscard]] const std::string& text() const { return text_; }
  // The names that it mentions, each once, in the order of their first mention.
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  // Whether the whole is a comparison, or several joined by and, or, not.
  [[nodiscard]] bool is_condition() const;

  // Throws ExpressionError for a name without a value, text where a number is due, dimensions that don't go together,
  // and a division by zero.
  [[nodiscard]] Value evaluate(const Lookup& lookup) const;
  [[nodiscard]] bool holds(const Lookup& lookup) const { return evaluate(lookup).number != 0; }

 private:
  std::string text_;
  std::shared_ptr<const Node> root_;  // shared: never changed, so that copies are cheap
  std::vector<std::string> names_;
};

}  // namespace podsim::study
