// One step of a run: a collective or a named program on all chips of the pod, and what came of it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "firmware/collectives/call.h"
#include "firmware/collectives/replica_groups.h"
#include "firmware/programs/programs.h"
#include "platform/run/outcome.h"

namespace podsim::check {
struct WaitForGraph;
}

namespace podsim::run {

// Something that a chip does in a sequence: a collective, or a pause.
struct SequenceCall {
  firmware::CollectiveCall collective;
  std::optional<Picoseconds> pause;  // instead of a collective
  bool async = false;                // the next call does not wait for its end
  std::vector<bool> chips;           // who does it, by chip; empty: all
  // Number of the call: the same call, made by other chips at another place of the sequence, has the same one.
  unsigned number = 0;

  [[nodiscard]] bool made_by(ChipId chip) const { return chips.empty() || chips[index(chip)]; }
};

struct Step {
  std::string name;                            // what results call it: "all_reduce", or the program's name
  const firmware::Program* program = nullptr;  // if null, the collective
  firmware::CollectiveCall collective;         // a program uses its `type` and `elements`
  // Carries the collective out on one chip in place of the library's program: the same buffers, the same data check.
  std::function<firmware::Task(firmware::Device&, firmware::Buffer in, firmware::Buffer out)> stand_in{};
  std::vector<Step> beside{};                  // what every chip does at the same time, in the background
  std::vector<SequenceCall> sequence{};        // if not empty, instead: one program that does one after the other
};

struct StepResult {
  std::string name;
  Outcome outcome = Outcome::kCompleted;
  std::string explanation;                           // one screen; empty when completed
  std::vector<std::string> details;                  // the explanation's facts, one each
  std::shared_ptr<const check::WaitForGraph> graph;  // who waits for whom, of a run that hangs

  Bytes bytes = 0;          // S: total size, as in nccl-tests
  std::uint64_t count = 0;  // elements of S
  firmware::DType type = firmware::DType::kF32;
  std::string reduction;         // "sum", "max", "min"; "none" where nothing is reduced
  std::uint64_t group_size = 1;  // chips of a group
  std::string algorithm;         // that carried the collective out; empty for programs and permutes
  firmware::HopStretch stretch;  // of listed groups: how many links an edge of their rings passes
  Picoseconds time = 0;
  std::uint64_t cycles = 0;  // of the scalar core's clock
  double algbw_GBps = 0;     // S / time, of a step that ran to its end; GB = 1e9 B
  double busbw_GBps = 0;     // algbw x 2(n-1)/n for all-reduce, (n-1)/n for all-gather, reduce-scatter, all-to-all
  std::optional<std::uint64_t> wrong;  // elements that differ from what they must be; none when data was not moved
  std::uint64_t digest = 0;            // of all outputs, when data was moved
  std::uint64_t events = 0;
  double wall_s = 0;
  std::vector<StepResult> beside;  // what ran in the background; events and wall_s are those of all together
};

// The text that YAML, the command line and results use: "all_gather", "f32", "sum", "both".
[[nodiscard]] std::string_view name(firmware::CollectiveKind kind);
[[nodiscard]] std::string_view name(firmware::DType type);
[[nodiscard]] std::string_view name(firmware::Reduction reduction);
[[nodiscard]] bool reduces(firmware::CollectiveKind kind);
[[nodiscard]] bool has_root(firmware::CollectiveKind kind);

}  // namespace podsim::run
