#include "platform/study/expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <string_view>

namespace podsim::study {

struct Expression::Node {
  std::string op;  // "name", "value", an operator ("neg" is the unary -) or a function
  Value value;     // of "value"; the text of "name"
  std::vector<std::shared_ptr<const Node>> operands;
};

namespace {

using Node = Expression::Node;
using NodePtr = std::shared_ptr<const Node>;

constexpr int kDeepest = 64;
constexpr std::size_t kLongest = 1000;  // characters: chains of operators are evaluated as deep as they are long

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

bool is_comparison(const std::string& op) {
  return op == "<" || op == "<=" || op == ">" || op == ">=" || op == "==" || op == "!=";
}

struct Function {
  std::string_view name;
  std::size_t operands;
};
constexpr Function kFunctions[] = {{"min", 2}, {"max", 2}, {"log2", 1}, {"ceil", 1}, {"floor", 1}};

const Function* find_function(std::string_view name) {
  const auto* found =
      std::find_if(std::begin(kFunctions), std::end(kFunctions), [&](const auto& f) { return f.name == name; });
  return found == std::end(kFunctions) ? nullptr : found;
}

// Recursive descent, a member function for each level of the grammar.
class Parser {
 public:
  explicit Parser(const std::string& text) : text_(text) {}

  NodePtr parse() {
    NodePtr root = disjunction();
    skip_spaces();
    if (at_ < text_.size()) fail("expected an operator");
    return root;
  }
  [[nodiscard]] std::vector<std::string> names() const { return names_; }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    const std::string got = at_ < text_.size() ? fmt::format("'{}'", text_.substr(at_, 20)) : "the end";
    throw ExpressionError(fmt::format("{}, got {} (column {} of '{}')", what, got, at_ + 1, text_));
  }

  void skip_spaces() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
  }
  bool take(std::string_view token) {
    skip_spaces();
    if (std::string_view(text_).substr(at_, token.size()) != token) return false;
    const std::size_t end = at_ + token.size();
    if (is_letter(token[0]) && end < text_.size() && (is_letter(text_[end]) || is_digit(text_[end]))) return false;
    at_ = end;
    return true;
  }

  static NodePtr make(std::string op, std::vector<NodePtr> operands) {
    return std::make_shared<const Node>(Node{std::move(op), {}, std::move(operands)});
  }

  NodePtr disjunction() {
    NodePtr left = conjunction();
    while (take("or")) left = make("or", {left, conjunction()});
    return left;
  }
  NodePtr conjunction() {
    NodePtr left = negation();
    while (take("and")) left = make("and", {left, negation()});
    return left;
  }
  NodePtr negation() {
    if (!take("not")) return comparison();
    const Depth depth(*this);
    return make("not", {negation()});
  }
  NodePtr comparison() {
    NodePtr left = sum();
    for (const char* op : {"<=", ">=", "==", "!=", "<", ">"}) {
      if (take(op)) return make(op, {left, sum()});
    }
    skip_spaces();
    if (at_ < text_.size() && text_[at_] == '=') fail("a comparison is written '=='");
    return left;
  }
  NodePtr sum() {
    NodePtr left = product();
    for (;;) {
      const char* const op = take("+") ? "+" : take("-") ? "-" : nullptr;
      if (op == nullptr) return left;
      left = make(op, {left, product()});
    }
  }
  NodePtr product() {
    NodePtr left = factor();
    for (;;) {
      const char* const op = take("*") ? "*" : take("/") ? "/" : take("%") ? "%" : nullptr;
      if (op == nullptr) return left;
      left = make(op, {left, factor()});
    }
  }
  NodePtr factor() {
    const Depth depth(*this);
    if (take("-")) return make("neg", {factor()});
    if (take("(")) {
      NodePtr inner = disjunction();
      if (!take(")")) fail("expected ')'");
      return inner;
    }
    skip_spaces();
    if (at_ == text_.size()) fail("expected a name or a number");
    const char c = text_[at_];
    if (c == '\'' || c == '"') return quoted(c);
    if (is_digit(c) || c == '.') return number();
    if (is_letter(c)) return name_or_call();
    fail("expected a name or a number");
  }

  NodePtr quoted(char quote) {
    const std::size_t end = text_.find(quote, at_ + 1);
    if (end == std::string::npos) fail("text has no end");
    const std::string inner = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return std::make_shared<const Node>(Node{"value", Value::of_text(inner), {}});
  }

  // Digits, and a unit if what follows is one: '2 s', '45 GB/s', '4 KiB'.
  NodePtr number() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && (is_digit(text_[at_]) || text_[at_] == '.')) ++at_;
    if (at_ < text_.size() && (text_[at_] == 'e' || text_[at_] == 'E')) take_exponent();
    const std::string digits = text_.substr(begin, at_ - begin);
    std::size_t unit = at_;
    while (unit < text_.size() && text_[unit] == ' ') ++unit;
    std::size_t end = unit;
    while (end < text_.size() && is_letter(text_[end])) ++end;
    const std::string word = text_.substr(unit, end - unit);
    if (word.empty() || word == "and" || word == "or") return plain_number(digits, begin);
    if (text_.compare(end, 2, "/s") == 0 && (end + 2 == text_.size() || !is_letter(text_[end + 2]))) {
      const Value rate = parse_value(fmt::format("{} {}/s", digits, word));
      if (!rate.text) return unit_number(rate, end + 2);
    }
    const Value quantity = parse_value(fmt::format("{} {}", digits, word));
    if (quantity.text) {
      at_ = unit;
      fail("expected an operator or a unit such as s, us, MiB, GB/s, MHz");
    }
    return unit_number(quantity, end);
  }
  void take_exponent() {
    std::size_t end = at_ + 1;
    if (end < text_.size() && (text_[end] == '-' || text_[end] == '+')) ++end;
    if (end == text_.size() || !is_digit(text_[end])) return;
    while (end < text_.size() && is_digit(text_[end])) ++end;
    at_ = end;
  }
  NodePtr plain_number(const std::string& digits, std::size_t begin) {
    const Value value = parse_value(digits);
    if (value.text) {
      at_ = begin;
      fail("expected a number");
    }
    return std::make_shared<const Node>(Node{"value", value, {}});
  }
  NodePtr unit_number(const Value& value, std::size_t end) {
    at_ = end;
    return std::make_shared<const Node>(Node{"value", value, {}});
  }

  // A name may be a key's: 'steps.0.size'.
  NodePtr name_or_call() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]) || text_[at_] == '.')) ++at_;
    const std::string name = text_.substr(begin, at_ - begin);
    if (const Function* const function = find_function(name); function != nullptr && take("(")) {
      std::vector<NodePtr> operands{disjunction()};
      while (operands.size() < function->operands) {
        if (!take(",")) fail(fmt::format("{} takes {} operands", name, function->operands));
        operands.push_back(disjunction());
      }
      if (!take(")")) fail("expected ')'");
      return make(name, std::move(operands));
    }
    if (std::find(names_.begin(), names_.end(), name) == names_.end()) names_.push_back(name);
    return std::make_shared<const Node>(Node{"name", Value::of_text(name), {}});
  }

  // Text may come from hostile scripts; the parser recurses as deep as it goes.
  struct Depth {
    explicit Depth(Parser& parser) : parser_(parser) {
      if (++parser_.depth_ > kDeepest) parser_.fail(fmt::format("nested more than {} deep", kDeepest));
    }
    ~Depth() { --parser_.depth_; }
    Depth(const Depth&) = delete;
    Depth& operator=(const Depth&) = delete;
    Parser& parser_;
  };

  const std::string& text_;
  std::size_t at_ = 0;
  int depth_ = 0;
  std::vector<std::string> names_;
};

std::string words(const Value& value) {
  return value.text ? fmt::format("text, '{}'", *value.text) : in_words(value.dimension);
}

Value truth(bool holds) { return Value::plain(holds ? 1 : 0); }

void demand_number(const Value& value, const std::string& op) {
  if (value.text) throw ExpressionError(fmt::format("'{}' takes numbers, got '{}'", op, *value.text));
}

void demand_same(const Value& a, const Value& b, const std::string& op) {
  if (a.text.has_value() == b.text.has_value() && a.dimension == b.dimension) return;
  throw ExpressionError(fmt::format("the sides of '{}' don't go together: {} and {}", op, words(a), words(b)));
}

Value compared(const std::string& op, const Value& a, const Value& b) {
  demand_same(a, b, op);
  if (a.text) {
    if (op == "==") return truth(*a.text == *b.text);
    if (op == "!=") return truth(*a.text != *b.text);
    demand_number(a, op);
  }
  if (op == "<") return truth(a.number < b.number);
  if (op == "<=") return truth(a.number <= b.number);
  if (op == ">") return truth(a.number > b.number);
  if (op == ">=") return truth(a.number >= b.number);
  return truth((a.number == b.number) == (op == "=="));
}

Value computed(const std::string& op, const Value& a, const Value& b) {
  demand_number(a, op);
  demand_number(b, op);
  const auto [bytes, seconds] = b.dimension;
  if (op == "*") return {a.number * b.number, {a.dimension.bytes + bytes, a.dimension.seconds + seconds}, {}};
  if (op == "/") {
    if (b.number == 0) throw ExpressionError("division by zero");
    return {a.number / b.number, {a.dimension.bytes - bytes, a.dimension.seconds - seconds}, {}};
  }
  demand_same(a, b, op);
  if (op == "%") {
    if (b.number == 0) throw ExpressionError("division by zero");
    return {std::fmod(a.number, b.number), a.dimension, {}};
  }
  if (op == "min") return {std::min(a.number, b.number), a.dimension, {}};
  if (op == "max") return {std::max(a.number, b.number), a.dimension, {}};
  return {op == "+" ? a.number + b.number : a.number - b.number, a.dimension, {}};
}

Value computed(const std::string& op, const Value& a) {
  demand_number(a, op);
  if (op == "not") return truth(a.number == 0);
  if (op == "neg") return {-a.number, a.dimension, {}};
  if (op == "ceil") return {std::ceil(a.number), a.dimension, {}};
  if (op == "floor") return {std::floor(a.number), a.dimension, {}};
  if (a.number <= 0) throw ExpressionError("log2 takes numbers above zero");
  return Value::plain(std::log2(a.number));
}

Value evaluated(const Node& node, const Expression::Lookup& lookup) {
  if (node.op == "value") return node.value;
  if (node.op == "name") {
    if (std::optional<Value> value = lookup(*node.value.text)) return *value;
    throw ExpressionError(fmt::format("there is no '{}'", *node.value.text));
  }
  const Value a = evaluated(*node.operands[0], lookup);
  // What stands behind may be defined only where the first part does not decide: 'chips > 0 and 8 / chips > 1'.
  if (node.op == "and" || node.op == "or") {
    demand_number(a, node.op);
    if ((a.number != 0) == (node.op == "or")) return truth(a.number != 0);
    const Value b = evaluated(*node.operands[1], lookup);
    demand_number(b, node.op);
    return truth(b.number != 0);
  }
  if (node.operands.size() == 1) return computed(node.op, a);
  const Value b = evaluated(*node.operands[1], lookup);
  return is_comparison(node.op) ? compared(node.op, a, b) : computed(node.op, a, b);
}

bool is_truth(const Node& node) {
  if (node.op == "and" || node.op == "or" || node.op == "not") {
    return std::all_of(node.operands.begin(), node.operands.end(), [](const NodePtr& each) { return is_truth(*each); });
  }
  return is_comparison(node.op);
}

}  // namespace

Expression::Expression(std::string text) : text_(std::move(text)) {
  if (text_.size() > kLongest) throw ExpressionError(fmt::format("longer than {} characters", kLongest));
  Parser parser(text_);
  root_ = parser.parse();
  names_ = parser.names();
}

bool Expression::is_condition() const { return is_truth(*root_); }

Value Expression::evaluate(const Lookup& lookup) const { return evaluated(*root_, lookup); }

}  // namespace podsim::study
