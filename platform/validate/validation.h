// All that podsim is held against: tables of single blocks and of whole runs.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "platform/validate/reference.h"

namespace podsim::validate {

struct Choice {
  std::string only;   // tables and rows whose name or id contains this; empty: all
  unsigned jobs = 1;  // runs at a time, each in a process of its own
  // Told how many of the runs are done.
  std::function<void(std::size_t done, std::size_t of)> on_progress{};
};

// `root`: where configs/ and tests/reference/ are. Tables that are left without a row are left out. Throws ConfigError.
[[nodiscard]] std::vector<Table> validate(const std::filesystem::path& root, const Choice& choice);

}  // namespace podsim::validate
