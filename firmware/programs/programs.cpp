#include "firmware/programs/programs.h"

#include <array>

#include "firmware/programs/copies.h"
#include "firmware/programs/send_waits_for_recv.h"

namespace podsim::firmware {

std::span<const Program> programs() {
  static constexpr std::array<Program, 3> kPrograms{{
      {"local_copy", "each chip copies a buffer within its HBM", &local_copy, true},
      {"host_offload", "each chip sends a buffer to its host's memory and fetches it back", &host_offload, true},
      {"send_waits_for_recv", "a deadlock: neighbours each wait for the other's data before they send their own",
       &send_waits_for_recv, false},
  }};
  return kPrograms;
}

const Program* find_program(std::string_view name) {
  for (const Program& program : programs()) {
    if (program.name == name) return &program;
  }
  return nullptr;
}

}  // namespace podsim::firmware
