#include "platform/study/study_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "platform/config/section_reader.h"
#include "platform/config/suggestion.h"
#include "platform/config/yaml_document.h"
#include "platform/study/parameter_values.h"

namespace podsim::study {

namespace {

using config::ConfigError;
using config::ConfigNode;
using config::join_key;

// Names that columns have of themselves.
const char* const kOwnColumns[] = {"point", "chips", "outcome", "exit_code", "diagnosis", "command"};

// Where in the document something stands: a node and its key, step by step.
struct Place {
  const ConfigNode* node;
  std::string key;

  [[nodiscard]] Place operator/(const char* name) const {
    const ConfigNode* const inner = node->find(name);
    return {inner != nullptr ? inner : node, join_key(key, name)};
  }
  [[nodiscard]] Place operator/(std::size_t index) const {
    const bool there = index < node->items.size();
    return {there ? &node->items[index] : node, join_key(key, std::to_string(index))};
  }
  [[noreturn]] void refuse(const std::string& why) const { throw ConfigError(node->mark, key, why); }
};

class StudyReader {
 public:
  StudyReader(const ConfigNode& document, const std::filesystem::path& folder)
      : root_{&document, {}}, folder_(folder), entry_(config::read<StudyEntry>(document)) {}

  Study read() {
    study_.description = entry_.description;
    read_base();
    for (std::size_t i = 0; i < entry_.set.size(); ++i) study_.set.push_back(read_set(i));
    for (std::size_t i = 0; i < entry_.vary.size(); ++i) read_group(entry_.vary[i], root_ / "vary" / i);
    if (!entry_.seeds.empty()) add_seeds();
    for (std::size_t i = 0; i < entry_.constraints.size(); ++i) {
      const Place place = root_ / "constraints" / i;
      study_.constraints.push_back({condition(entry_.constraints[i], place), place.node->mark});
    }
    read_collect();
    for (std::size_t i = 0; i < entry_.derive.size(); ++i) read_derive(entry_.derive[i], root_ / "derive" / i);
    for (std::size_t i = 0; i < entry_.plots.size(); ++i) check_plot(entry_.plots[i], root_ / "plots" / i);
    study_.plots = entry_.plots;
    return std::move(study_);
  }

 private:
  void read_base() {
    study_.base.kind = entry_.run.empty() ? BaseKind::kBench : BaseKind::kRun;
    study_.base.what = entry_.run.empty() ? entry_.bench : entry_.run;
    if (entry_.run.find('/') != std::string::npos || entry_.run.ends_with(".yaml")) {
      study_.base.what = (folder_ / entry_.run).lexically_normal().string();
    }
  }

  void check_key(const std::string& key, const Place& place) const {
    if (const auto why = objection(study_.base.kind, key)) place.refuse(*why);
  }

  Setting read_set(std::size_t i) const {
    const Place place = root_ / "set" / i;
    try {
      Setting setting = parse_setting(entry_.set[i]);
      check_key(setting.key, place);
      return setting;
    } catch (const std::invalid_argument& error) {
      place.refuse(error.what());
    }
  }

  void claim(const std::string& name, const Place& place) {
    const bool own = std::find(std::begin(kOwnColumns), std::end(kOwnColumns), name) != std::end(kOwnColumns);
    if (own || std::find(names_.begin(), names_.end(), name) != names_.end()) {
      place.refuse(fmt::format("there is a column '{}' already", name));
    }
    names_.push_back(name);
  }

  Expression expression(const std::string& text, const Place& place, const std::vector<std::string>& known) const {
    try {
      Expression expression(text);
      for (const std::string& name : expression.names()) {
        if (std::find(known.begin(), known.end(), name) == known.end()) {
          place.refuse(fmt::format("there is no '{}'{}", name, config::suggestion(name, known)));
        }
      }
      return expression;
    } catch (const ExpressionError& error) {
      place.refuse(error.what());
    }
  }
  Expression condition(const std::string& text, const Place& place) const {
    Expression result = expression(text, place, study_.parameter_names());
    if (!result.is_condition()) place.refuse("expected a comparison, such as 'chips <= 64'");
    return result;
  }

  Parameter read_parameter(const ParameterEntry& entry, const Place& place) {
    check_key(entry.key, place / "key");
    Parameter parameter{entry.name.empty() ? entry.key : entry.name, entry.key, entry.values, {}, place.node->mark};
    claim(parameter.name, place / (entry.name.empty() ? "key" : "name"));
    try {
      if (entry.range) parameter.values = even_range(*entry.range);
      if (entry.log_range) parameter.values = log_range(*entry.log_range);
    } catch (const std::invalid_argument& error) {
      (place / (entry.range ? "range" : "log_range")).refuse(error.what());
    }
    if (!entry.compute.empty()) {
      parameter.compute = expression(entry.compute, place / "compute", study_.parameter_names());
    }
    return parameter;
  }

  void read_group(const ParameterEntry& entry, const Place& place) {
    if (entry.zip.empty()) {
      Parameter parameter = read_parameter(entry, place);
      if (parameter.compute) {
        study_.computed.push_back(std::move(parameter));
      } else {
        study_.groups.push_back({std::move(parameter)});
      }
      return;
    }
    std::vector<Parameter> together;
    for (std::size_t i = 0; i < entry.zip.size(); ++i) {
      const Place inner = place / "zip" / i;
      if (!entry.zip[i].zip.empty()) inner.refuse("a zip can't stand in a zip");
      together.push_back(read_parameter(entry.zip[i], inner));
      if (together.back().compute) inner.refuse("what is computed stands outside of a zip");
      const std::size_t first = together.front().values.size(), here = together.back().values.size();
      if (here != first) {
        inner.refuse(fmt::format("has {} values and '{}' has {}: zipped parameters need as many", here,
                                 together.front().name, first));
      }
    }
    study_.groups.push_back(std::move(together));
  }

  void add_seeds() {
    const Place place = root_ / "seeds";
    claim("seed", place);
    Parameter seeds{"seed", "seed", {}, {}, place.node->mark};
    for (const std::uint64_t seed : entry_.seeds) seeds.values.push_back(std::to_string(seed));
    study_.groups.push_back({std::move(seeds)});
  }

  void read_collect() {
    study_.collect = entry_.collect;
    if (study_.collect.empty()) {
      study_.collect.push_back({"time_us", "results.-1.time_us"});
      if (study_.base.kind == BaseKind::kBench) {
        study_.collect.push_back({"algbw_GBps", "results.-1.algbw_GBps"});
        study_.collect.push_back({"busbw_GBps", "results.-1.busbw_GBps"});
      }
    }
    for (std::size_t i = 0; i < study_.collect.size(); ++i) {
      const CollectEntry& each = study_.collect[i];
      const Place place = root_ / "collect" / i;
      claim(each.name, place / "name");
      const bool many = each.path.find('*') != std::string::npos;
      if (many == (each.take == Take::kOnly)) {
        (place / "take")
            .refuse(many ? "a path with '*' needs one of min, max, mean, sum"
                         : "is for a path with '*': this one leads to one value");
      }
    }
  }

  void read_derive(const DeriveEntry& entry, const Place& place) {
    Expression of = expression(entry.of, place / "of", study_.columns());
    claim(entry.name, place / "name");
    study_.derive.emplace_back(entry.name, std::move(of));
  }

  void check_plot(const PlotEntry& plot, const Place& place) const {
    const std::vector<std::string> known = study_.columns();
    const auto check = [&](const char* key, const std::string& column) {
      if (column.empty() || std::find(known.begin(), known.end(), column) != known.end()) return;
      (place / key).refuse(fmt::format("there is no column '{}'{}", column, config::suggestion(column, known)));
    };
    check("x", plot.x);
    check("y", plot.y);
    check("series", plot.series);
    check("value", plot.value);
    for (const std::string& axis : plot.log) {
      if (axis != "x" && axis != "y") (place / "log").refuse(fmt::format("expected x or y, got '{}'", axis));
    }
  }

  Place root_;
  std::filesystem::path folder_;
  StudyEntry entry_;
  Study study_;
  std::vector<std::string> names_;
};

}  // namespace

std::vector<std::string> Study::parameter_names() const {
  std::vector<std::string> names;
  for (const std::vector<Parameter>& group : groups) {
    for (const Parameter& parameter : group) names.push_back(parameter.name);
  }
  for (const Parameter& parameter : computed) names.push_back(parameter.name);
  names.emplace_back("chips");
  return names;
}

std::vector<std::string> Study::columns() const {
  std::vector<std::string> names = parameter_names();
  for (const CollectEntry& each : collect) names.push_back(each.name);
  for (const auto& each : derive) names.push_back(each.first);
  return names;
}

Study read_study(const ConfigNode& document, const std::filesystem::path& folder) {
  return StudyReader(document, folder).read();
}

Study load_study(const std::filesystem::path& file) { return read_study(config::load_yaml(file), file.parent_path()); }

}  // namespace podsim::study
