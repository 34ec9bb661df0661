// Programs that can be named in a run file, besides the collectives.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "firmware/collectives/call.h"
#include "firmware/device/device.h"

namespace podsim::firmware {

// A whole number that a run file may give a program: `parameters: {rounds: 3}`.
struct ProgramParameter {
  std::string_view name;
  std::string_view description;
  std::int64_t value = 0;  // if left out
  std::int64_t least = 0;
  std::int64_t most = std::int64_t{1} << 31;
};

// What a step says to its program. `in` and `out` as for Program::run, or of the sizes that the collective asks for.
struct ProgramCall {
  Buffer in;
  Buffer out;
  CollectiveCall collective;             // of a program that carries one out
  std::vector<std::int64_t> parameters;  // in the order of Program::parameters
};

struct Program {
  std::string_view name;
  std::string_view description;
  // The program of one chip. `in` and `out` are buffers in HBM, of the same size, at the same addresses on every chip.
  Task (*run)(Device& chip, Buffer in, Buffer out) = nullptr;
  // Every chip's `out` must equal its `in` at the end.
  bool copies = false;
  // In place of `run`: the program is told all that its step says.
  Task (*run_call)(Device& chip, ProgramCall call) = nullptr;
  std::span<const ProgramParameter> parameters{};
  // The program carries this collective out: `{collective: all_gather, program: mine, size: 1 MiB}`. Its data is
  // checked as the collective's.
  std::optional<CollectiveKind> collective{};
};

// Starts it on a chip.
[[nodiscard]] Task start(const Program& program, Device& chip, ProgramCall call);

// podsim's own, then those that were added.
[[nodiscard]] std::span<const Program> programs();
// What a run file's `host_copy` runs: one of its buffers is in the host's memory.
[[nodiscard]] const Program& host_copy_program();
// Null if there is none of that name.
[[nodiscard]] const Program* find_program(std::string_view name);
// For programs from elsewhere, whose texts must live as long as the process. Pointers and spans from before are void:
// add first, then look for programs.
void add_programs(std::span<const Program> programs);

}  // namespace podsim::firmware
