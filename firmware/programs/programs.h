// Programs that can be named in a run file, besides the collectives.
#pragma once

#include <span>
#include <string_view>

#include "firmware/device/device.h"

namespace podsim::firmware {

struct Program {
  std::string_view name;
  std::string_view description;
  // The program of one chip. `in` and `out` are buffers in HBM, of the same size, at the same addresses on every chip.
  Task (*run)(Device& chip, Buffer in, Buffer out);
  // Every chip's `out` must equal its `in` at the end.
  bool copies = false;
};

[[nodiscard]] std::span<const Program> programs();
// What a run file's `host_copy` runs: one of its buffers is in the host's memory.
[[nodiscard]] const Program& host_copy_program();
// Null if there is none of that name.
[[nodiscard]] const Program* find_program(std::string_view name);

}  // namespace podsim::firmware
