// From a point's parameters to the command line that runs it: an ordinary `podsim run` or `podsim bench`.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace podsim::study {

enum class BaseKind { kRun, kBench };

// What all points of a study have in common.
struct Base {
  BaseKind kind = BaseKind::kRun;
  std::string what;  // the run file, as it is to stand on the command line; or the collective
};

struct Setting {
  std::string key;
  std::string value;
};

// "KEY=VALUE". Throws std::invalid_argument if there is no '=' behind a key.
[[nodiscard]] Setting parse_setting(const std::string& text);

// Why `key` can't be set for such a base, with a suggestion; nothing if it can.
[[nodiscard]] std::optional<std::string> objection(BaseKind kind, const std::string& key);

struct PointCommand {
  std::vector<std::string> arguments;  // behind `podsim`
  std::string pod;                     // a bench's
  std::vector<std::string> sets;       // the arguments of --set among them

  // As one would type it: "podsim bench all_reduce --pod tpu-v5e-4x4 -b '1 MiB' -e '1 MiB'".
  [[nodiscard]] std::string text() const;
};

// Of several settings of a key the last one counts. Every key must be without objection.
[[nodiscard]] PointCommand point_command(const Base& base, const std::vector<Setting>& settings);

// For a POSIX shell: quoted where need be.
[[nodiscard]] std::string shell_word(const std::string& text);

}  // namespace podsim::study
