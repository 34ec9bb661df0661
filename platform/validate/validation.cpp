#include "platform/validate/validation.h"

#include <algorithm>
#include <cstring>
#include <memory>

#include "platform/config/layers.h"
#include "platform/run/apart.h"
#include "platform/validate/block_tables.h"
#include "platform/validate/run_cases.h"

namespace podsim::validate {

namespace {

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

void keep(OpenTable& table, const std::string& only) {
  if (contains(table.name, only)) return;
  std::erase_if(table.rows, [&](const OpenRow& row) { return !contains(row.reference.id, only); });
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

OpenTable run_table(const std::filesystem::path& file, const std::filesystem::path& root) {
  RunCases cases = read_run_cases(file, root);
  OpenTable table{cases.name, cases.description, {}};
  for (RunCase& each : cases.cases) {
    OpenRow row{each.reference};
    const auto shared = std::make_shared<const RunCase>(std::move(each));
    row.simulations.push_back([shared] { return simulate(*shared, false); });
    if (shared->against) row.simulations.push_back([shared] { return simulate(*shared, true); });
    table.rows.push_back(std::move(row));
  }
  return table;
}

// The row with its figure; `answer` goes on over those of its simulations.
Row answered(const OpenRow& open, std::vector<std::optional<std::string>>::const_iterator& answer) {
  Row row{open.reference, open.known};
  std::vector<Figure> figures;
  for (std::size_t i = 0; i < open.simulations.size(); ++i) figures.push_back(unpacked(*answer++));
  for (const Figure& figure : figures) {
    if (!figure.value && row.failure.empty()) row.failure = figure.failure;
  }
  if (figures.empty() || !row.failure.empty()) return row;
  row.model = figures.size() == 2 ? *figures[1].value / *figures[0].value : figures[0].value;
  return row;
}

std::vector<Table> answered(const std::vector<OpenTable>& open, const Choice& choice) {
  std::vector<run::Work> works;
  for (const OpenTable& table : open) {
    for (const OpenRow& row : table.rows) {
      for (const auto& simulation : row.simulations) works.push_back([&simulation] { return packed(simulation); });
    }
  }
  std::size_t done = 0;
  const std::vector<std::optional<std::string>> answers = run::do_apart(works, choice.jobs, [&](std::size_t) {
    if (choice.on_progress) choice.on_progress(++done, works.size());
  });
  std::vector<Table> tables;
  auto answer = answers.cbegin();
  for (const OpenTable& each : open) {
    Table& table = tables.emplace_back(Table{each.name, each.description, {}, each.long_one});
    for (const OpenRow& row : each.rows) table.rows.push_back(answered(row, answer));
  }
  return tables;
}

}  // namespace

std::vector<Table> validate(const std::filesystem::path& root, const Choice& choice) {
  const std::filesystem::path references = root / "tests" / "reference";
  std::vector<OpenTable> tables{systolic_table(references), pcie_table(references), hbm_table(references, root)};
  for (const std::string& name : config::preset_names(root, "validation")) {
    tables.push_back(run_table(root / "configs" / "validation" / (name + ".yaml"), root));
  }
  for (OpenTable& table : tables) keep(table, choice.only);
  std::erase_if(tables, [](const OpenTable& table) { return table.rows.empty(); });
  return answered(tables, choice);
}

}  // namespace podsim::validate
