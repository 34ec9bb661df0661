#include "platform/report/token_use.h"

#include <fmt/format.h>

#include <algorithm>

#include "platform/report/number_text.h"
#include "platform/report/text_table.h"

namespace podsim::report {

namespace {

template <class Time>
Spread spread(const run::TokenResult& token, Time&& time) {
  Spread spread;
  for (const auto& chip : token.chips) {
    spread.mean += time(chip.times);
    spread.most = std::max(spread.most, time(chip.times));
  }
  if (!token.chips.empty()) spread.mean /= static_cast<Picoseconds>(token.chips.size());
  return spread;
}

std::string text(const Spread& spread) {
  return fmt::format("{:.3f}/{:.3f}", microseconds(spread.mean), microseconds(spread.most));
}

Json json(const Spread& spread) { return {{"mean", spread.mean}, {"max", spread.most}}; }

}  // namespace

TokenUse token_use(const run::TokenResult& token) {
  TokenUse use;
  use.name = token.name;
  use.chips = token.chips.size();
  if (token.chips.empty()) return use;
  use.issued = token.chips.front().times.issued;
  bool all = true;
  for (const auto& chip : token.chips) {
    use.issued = std::min(use.issued, chip.times.issued);
    use.finished = std::max(use.finished, chip.times.finished);
    all = all && chip.times.finished >= 0;
  }
  if (!all) use.finished = -1;
  use.took = spread(token, [](const firmware::TokenTimes& times) { return times.took(); });
  use.exposed = spread(token, [](const firmware::TokenTimes& times) { return times.exposed; });
  use.hidden = spread(token, [](const firmware::TokenTimes& times) { return times.hidden(); });
  return use;
}

std::string token_summary(const RunRecord& run) {
  const TextTable table({{"step", 4},
                         {"token", 19, true},
                         {"chips", 5},
                         {"issued", 10},
                         {"finished", 10},
                         {"took", 17},
                         {"exposed", 17},
                         {"hidden", 17},
                         {"hidden %", 8}});
  std::string rows;
  for (std::size_t i = 0; i < run.steps.size(); ++i) {
    for (const run::TokenResult& token : run.steps[i].result.tokens) {
      const TokenUse use = token_use(token);
      const double share = use.took.mean > 0 ? 100 * static_cast<double>(use.hidden.mean) / use.took.mean : 0;
      rows += table.row({fmt::format("{}", i + 1), use.name, fmt::format("{}", use.chips),
                         fmt::format("{:.3f}", microseconds(use.issued)),
                         use.finished < 0 ? "never" : fmt::format("{:.3f}", microseconds(use.finished)), text(use.took),
                         text(use.exposed), text(use.hidden), fmt::format("{:.0f}", share)});
    }
  }
  if (rows.empty()) return {};
  return "\nTokens: what was waited for (exposed) of what was started, and the rest (hidden); us, mean/max over "
         "chips\n" +
         table.header() + rows;
}

Json tokens_json(const std::vector<run::TokenResult>& tokens) {
  Json list = Json::array();
  for (const run::TokenResult& token : tokens) {
    const TokenUse use = token_use(token);
    Json chips = Json::array();
    for (const auto& chip : token.chips) {
      chips.push_back({{"chip", index(chip.chip)},
                       {"issued_ps", chip.times.issued},
                       {"finished_ps", chip.times.finished < 0 ? Json() : Json(chip.times.finished)},
                       {"exposed_ps", chip.times.exposed},
                       {"hidden_ps", chip.times.hidden()}});
    }
    list.push_back({{"name", use.name},
                    {"chips", use.chips},
                    {"issued_ps", use.issued},
                    {"finished_ps", use.finished < 0 ? Json() : Json(use.finished)},
                    {"took_ps", json(use.took)},
                    {"exposed_ps", json(use.exposed)},
                    {"hidden_ps", json(use.hidden)},
                    {"by_chip", std::move(chips)}});
  }
  return list;
}

}  // namespace podsim::report
