// The chips that a collective call binds together. Chips are in the same clique when their calls name the same
// members, however they say it: by axes, or chip by chip in any order.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "firmware/collectives/call.h"
#include "models/ici/torus.h"

namespace podsim::check {

// A clique, short enough to be compared on every call: {axes' bits | kAxes, lowest member} where the members are all
// chips that differ in certain axes, else the sorted members.
using CliqueKey = std::vector<std::uint32_t>;

// The clique of a call that `chip` makes; none if the call lists groups, or pairs, and the chip is in none of them.
[[nodiscard]] std::optional<CliqueKey> clique_of(const firmware::CollectiveCall& call, const ici::TorusShape& torus,
                                                 ChipId chip);
// Sorted.
[[nodiscard]] std::vector<ChipId> clique_members(const CliqueKey& key, const ici::TorusShape& torus);
// "all 16 chips", "chips 0, 1, 2, 3 (axes x)", "chips 0, 5, 10, 15"
[[nodiscard]] std::string clique_name(const CliqueKey& key, const ici::TorusShape& torus);

}  // namespace podsim::check
