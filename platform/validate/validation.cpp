#include "platform/validate/validation.h"

#include <algorithm>
#include <cstring>
#include <map>

#include "platform/config/layers.h"
#include "platform/run/apart.h"
#include "platform/validate/block_tables.h"
#include "platform/validate/run_cases.h"

namespace podsim::validate {

namespace {

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

void keep(Table& table, const std::string& only) {
  if (contains(table.name, only)) return;
  std::erase_if(table.rows, [&](const Row& row) { return !contains(row.reference.id, only); });
}

// A figure, or why there is none, on its way out of a child process.
std::string packed(const std::function<double()>& figure) {
  try {
    const double value = figure();
    std::string text(1 + sizeof value, '=');
    std::memcpy(text.data() + 1, &value, sizeof value);
    return text;
  } catch (const std::exception& error) {
    return std::string("!") + error.what();
  }
}

struct Figure {
  std::optional<double> value;
  std::string failure;
};

Figure unpacked(const std::optional<std::string>& text) {
  if (!text || text->empty()) return {{}, "the simulation broke off"};
  if (text->front() == '!') return {{}, text->substr(1)};
  double value = 0;
  std::memcpy(&value, text->data() + 1, sizeof value);
  return {value, {}};
}

class RunTables {
 public:
  void add(const std::filesystem::path& file, const std::filesystem::path& root, const std::string& only) {
    RunCases cases = read_run_cases(file, root);
    Table table{cases.name, cases.description, {}};
    for (const RunCase& each : cases.cases) table.rows.push_back({each.reference, {}});
    keep(table, only);
    for (RunCase& each : cases.cases) {
      const bool kept = std::any_of(table.rows.begin(), table.rows.end(),
                                    [&](const Row& row) { return row.reference.id == each.reference.id; });
      if (kept) cases_.push_back(std::move(each));
    }
    tables_.push_back(std::move(table));
  }

  std::vector<Table> simulated(const Choice& choice) {
    std::vector<run::Work> works;
    for (const RunCase& each : cases_) {
      works.push_back([&each] { return packed([&] { return simulate(each, false); }); });
      if (each.against) works.push_back([&each] { return packed([&] { return simulate(each, true); }); });
    }
    std::size_t done = 0;
    const auto answers = run::do_apart(works, choice.jobs, [&](std::size_t) {
      if (choice.on_progress) choice.on_progress(++done, works.size());
    });
    auto answer = answers.begin();
    auto each = cases_.begin();
    for (Table& table : tables_) {
      for (Row& row : table.rows) {
        Figure figure = unpacked(*answer++);
        if (each->against) {
          const Figure against = unpacked(*answer++);
          if (figure.value && against.value) {
            figure.value = *against.value / *figure.value;
          } else if (figure.value) {
            figure = against;
          }
        }
        row.model = figure.value;
        row.failure = figure.failure;
        ++each;
      }
    }
    return std::move(tables_);
  }

 private:
  std::vector<Table> tables_;
  std::vector<RunCase> cases_;  // of all rows, in their order
};

}  // namespace

std::vector<Table> validate(const std::filesystem::path& root, const Choice& choice) {
  const std::filesystem::path references = root / "tests" / "reference";
  std::vector<Table> tables;
  tables.push_back(systolic_table(references));
  tables.push_back(pcie_table(references));
  tables.push_back(hbm_table(references, root));
  for (Table& table : tables) keep(table, choice.only);
  RunTables runs;
  for (const std::string& name : config::preset_names(root, "validation")) {
    runs.add(root / "configs" / "validation" / (name + ".yaml"), root, choice.only);
  }
  for (Table& table : runs.simulated(choice)) tables.push_back(std::move(table));
  std::erase_if(tables, [](const Table& table) { return table.rows.empty(); });
  return tables;
}

}  // namespace podsim::validate
