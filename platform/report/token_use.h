// Tokens of a step, over the chips that had them: how long what they stand for took, how much of it programs waited for
// (exposed), and how much they did not (hidden).
#pragma once

#include <string>

#include "platform/report/block_json.h"
#include "platform/report/run_record.h"

namespace podsim::report {

// Mean and largest over chips.
struct Spread {
  Picoseconds mean = 0;
  Picoseconds most = 0;
};

struct TokenUse {
  std::string name;
  std::size_t chips = 0;
  Picoseconds issued = 0;    // by the first, since the step began
  Picoseconds finished = 0;  // of the last; -1: one never did
  Spread took;
  Spread exposed;
  Spread hidden;
};

[[nodiscard]] TokenUse token_use(const run::TokenResult& token);
// A table of the tokens of all steps; empty if there are none.
[[nodiscard]] std::string token_summary(const RunRecord& run);
// [{name, chips, issued_ps, finished_ps, took_ps, exposed_ps, hidden_ps: {mean, max}, by_chip: [...]}]
[[nodiscard]] Json tokens_json(const std::vector<run::TokenResult>& tokens);

}  // namespace podsim::report
