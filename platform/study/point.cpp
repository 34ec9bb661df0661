#include "platform/study/point.h"

#include <fmt/format.h>

#include <stdexcept>

namespace podsim::study {

namespace {

// What a point is called in messages: "size=1 KiB, algorithm=ring".
std::string name_of(const Point& point) {
  std::string text;
  for (const Setting& each : point.parameters) {
    text += fmt::format("{}{}={}", text.empty() ? "" : ", ", each.key, each.value);
  }
  return text;
}

Value evaluated(const Expression& expression, const Point& point, const config::SourceMark& mark) {
  try {
    return expression.evaluate([&](const std::string& name) {
      std::optional<Value> value = point.find(name);
      if (!value && name == "chips") throw ExpressionError("no pod can be built, so there is no 'chips'");
      return value;
    });
  } catch (const ExpressionError& error) {
    throw config::ConfigError(mark, {}, fmt::format("'{}' at {}: {}", expression.text(), name_of(point), error.what()));
  }
}

// The values that a combination gives to the groups' parameters.
void assign(const Study& study, const std::vector<std::size_t>& choice, Point& point, std::vector<Setting>& settings) {
  for (std::size_t g = 0; g < study.groups.size(); ++g) {
    for (const Parameter& parameter : study.groups[g]) {
      point.parameters.push_back({parameter.name, parameter.values[choice[g]]});
      settings.push_back({parameter.key, parameter.values[choice[g]]});
    }
  }
}

// The next combination, the last group fastest; false after the last one.
bool advance(const Study& study, std::vector<std::size_t>& choice) {
  for (std::size_t g = study.groups.size(); g-- > 0;) {
    if (++choice[g] < study.groups[g].front().values.size()) return true;
    choice[g] = 0;
  }
  return false;
}

}  // namespace

std::optional<Value> Point::find(const std::string& name) const {
  if (name == "chips") return chips ? std::optional(Value::plain(static_cast<double>(*chips))) : std::nullopt;
  for (const Setting& parameter : parameters) {
    if (parameter.key == name) return parse_value(parameter.value);
  }
  return std::nullopt;
}

std::vector<Point> points_of(const Study& study, const ChipsOf& chips_of) {
  std::vector<Point> points;
  std::vector<std::size_t> choice(study.groups.size(), 0);
  std::size_t tried = 0;
  do {
    if (++tried > kMostPoints) {
      const config::SourceMark mark = study.groups.empty() ? config::SourceMark{} : study.groups.front().front().mark;
      throw config::ConfigError(mark, "vary", fmt::format("these are more than {} points", kMostPoints));
    }
    Point point;
    std::vector<Setting> settings = study.set;
    assign(study, choice, point, settings);
    // What is computed may need the number of chips, and does not change it.
    point.chips = chips_of(point_command(study.base, settings));
    for (const Parameter& parameter : study.computed) {
      const Value value = evaluated(*parameter.compute, point, parameter.mark);
      try {
        point.parameters.push_back({parameter.name, value_text(value)});
      } catch (const std::invalid_argument& error) {
        throw config::ConfigError(parameter.mark, parameter.name,
                                  fmt::format("at {}: {}", name_of(point), error.what()));
      }
      settings.push_back({parameter.key, point.parameters.back().value});
    }
    bool wanted = true;
    for (const Condition& constraint : study.constraints) {
      wanted = wanted && evaluated(constraint.expression, point, constraint.mark).number != 0;
    }
    if (wanted) {
      point.command = point_command(study.base, settings);
      point.number = points.size() + 1;
      points.push_back(std::move(point));
    }
  } while (advance(study, choice));
  return points;
}

}  // namespace podsim::study
