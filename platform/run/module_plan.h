// A module on its way to being run: scheduled, and with a place for every buffer.
#pragma once

#include <optional>
#include <vector>

#include "firmware/module/executor.h"
#include "platform/module/memory_plan.h"
#include "platform/schedule/scheduler.h"

namespace podsim::run {

enum class ScheduleMode {
  kSync,           // each transfer waited for where it is started
  kAsWritten,      // started and waited for where the module says
  kLatencyHiding,  // platform/schedule/scheduler.h
};

struct ScheduleOptions {
  ScheduleMode mode = ScheduleMode::kAsWritten;
  unsigned in_flight = 4;       // transfers between start and done, at most
  std::optional<Bytes> memory;  // for buffers, parameters included; the chip's HBM if left out
};

// A step that is a module.
struct ModuleStep {
  firmware::Module module;
  ScheduleOptions options;
};

// What instructions take when each runs alone on the idle pod, by instruction: what the scheduler goes by.
using Durations = std::vector<Picoseconds>;

// The module as the scheduler sees it. Parameters are nodes that take no time.
[[nodiscard]] schedule::Problem problem_of(const firmware::Module& module, const Durations& durations,
                                           const ici::TorusShape& torus, const ScheduleOptions& options);

// Small kernels have their operands and results row by row, so that one's result can be another's operand; larger ones
// have them tile by tile, each as it likes, which takes the same time. Data can be moved and checked where all lie in
// rows.
inline constexpr Bytes kMostInRows = 256 * kKiB;
[[nodiscard]] bool lies_in_rows(const firmware::KernelCall& call);
[[nodiscard]] bool lies_in_rows(const firmware::Module& module);
// Bytes of all results, on one chip.
[[nodiscard]] Bytes module_bytes(const firmware::Module& module);

struct ModulePlan {
  firmware::Order written;  // in the mode `as_written`
  firmware::Order order;    // as it will run; without parameters
  schedule::Timeline expected;
  std::vector<schedule::Gap> gaps;
  module::MemoryPlan memory;  // of HBM
  Bytes host = 0;             // of host memory
  firmware::Lanes lanes;
  // Place of each buffer in HBM: of results, and of scratch before and behind a collective. By instruction.
  std::vector<Bytes> result_at, before_at, after_at;
};
[[nodiscard]] ModulePlan plan_module(const firmware::Module& module, const Durations& durations,
                                     const ici::TorusShape& torus, const ScheduleOptions& options);

// The buffers of a plan on one chip, which are allocated there.
[[nodiscard]] firmware::Placement place(const firmware::Module& module, const ModulePlan& plan,
                                        firmware::Allocator& allocator);

}  // namespace podsim::run
