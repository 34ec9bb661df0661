// Tables before the model has been asked: so that only those figures are found that somebody wants to see.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "platform/validate/reference.h"

namespace podsim::validate {

struct OpenRow {
  Reference reference;
  std::optional<double> known{};  // the model's figure, where it takes no time to find; else
  // the simulations that give it, each in a process of its own. Of two, the figure is the second's over the first's.
  // Throw what the row then says in place of a figure.
  std::vector<std::function<double()>> simulations{};
};

struct OpenTable {
  std::string name;
  std::string description;
  std::vector<OpenRow> rows;
  bool long_one = false;  // as Table's
};

}  // namespace podsim::validate
