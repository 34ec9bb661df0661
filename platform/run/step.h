// One step of a run: a collective, a kernel or a named program on all chips of the pod, and what came of it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "firmware/collectives/call.h"
#include "firmware/collectives/replica_groups.h"
#include "firmware/device/allocator.h"
#include "firmware/device/token.h"
#include "firmware/kernels/kernel_call.h"
#include "firmware/programs/programs.h"
#include "platform/run/outcome.h"

namespace podsim::check {
struct WaitForGraph;
}

namespace podsim::run {

struct ModuleResult;  // module_result.h
struct ModuleStep;    // module_plan.h

// A copy between a chip's HBM and its host's memory.
struct HostCopy {
  bool out = true;  // to the host
  firmware::Pinning pinning = firmware::Pinning::kPinned;
  bool operator==(const HostCopy&) const = default;
};

// Something that a chip does in a sequence: a collective, a program, a kernel, a host copy, a pause, or waiting for
// something that it has started.
struct SequenceCall {
  const firmware::Program* program = nullptr;  // if null, the collective; both use the latter's `type` and `elements`
  firmware::CollectiveCall collective;
  std::vector<std::int64_t> parameters{};        // the program's
  std::optional<HostCopy> host_copy{};           // the program copies from or to the host
  std::optional<firmware::KernelCall> kernel{};  // instead of a collective
  std::optional<Picoseconds> pause;              // likewise
  bool async = false;                            // the next call does not wait for its end
  std::string name{};                            // of its token
  std::string of{};                              // name of the call whose result is this one's input
  std::string done{};                            // instead of a collective: name of the call whose end is waited for
  std::vector<bool> chips;                       // who does it, by chip; empty: all
  // Number of the call: the same call, made by other chips at another place of the sequence, has the same one.
  unsigned number = 0;

  [[nodiscard]] bool is_call() const { return !pause && done.empty(); }
  [[nodiscard]] bool made_by(ChipId chip) const { return chips.empty() || chips[index(chip)]; }
};

struct Step {
  std::string name;                            // what results call it: "all_reduce", or the program's name
  const firmware::Program* program = nullptr;  // if null, the collective
  std::vector<std::int64_t> parameters{};      // the program's, or `carrier`'s
  firmware::CollectiveCall collective;         // a program uses its `type` and `elements`
  // Carries the collective out in place of the library's program: the same buffers, the same data check. Either a
  // program that a run file names, or a function.
  const firmware::Program* carrier = nullptr;
  std::function<firmware::Task(firmware::Device&, firmware::Buffer in, firmware::Buffer out)> stand_in{};
  std::vector<Step> beside{};                    // what every chip does at the same time, in the background
  std::optional<HostCopy> host_copy{};           // the program copies from or to the host
  std::vector<SequenceCall> sequence{};          // if not empty, instead: one program that does one after the other
  std::optional<firmware::KernelCall> kernel{};  // instead: each chip computes
  std::shared_ptr<const ModuleStep> module{};    // instead: a module

  // Whether it is a single collective.
  [[nodiscard]] bool is_collective() const { return program == nullptr && !kernel && !module && sequence.empty(); }
};

// What kernels made of their chip's hardware. Of a chip, and of the step's whole time: shares are from 0 to 1.
struct KernelFigures {
  std::vector<firmware::KernelCall> kernels;  // that the step is made of
  double flops = 0;                           // of all of them
  double tflops = 0;                          // TFLOP/s
  double peak_share = 0;                      // of what the kernels' units could do
  double hbm_GBps = 0;                        // read and written
  double hbm_share = 0;                       // of HBM's bandwidth
  // Time for which they were busy: the matrix and vector units of the cores in use, HBM and VMEM.
  double mxu_busy = 0, vpu_busy = 0, hbm_busy = 0, vmem_busy = 0;
  std::string bound;  // "MXU", "HBM", "VPU", "VMEM": the busiest; "latency" if none is busy for half of the time
};

// What became of a named token, on each chip that had it. `issued` and `finished` count from the step's start.
struct TokenResult {
  struct OfChip {
    ChipId chip{};
    firmware::TokenTimes times;
  };
  std::string name;
  std::vector<OfChip> chips;
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
  std::optional<KernelFigures> kernels;  // of a step with kernels that ran to its end
  std::shared_ptr<const ModuleResult> module;
  std::vector<TokenResult> tokens;
  std::vector<StepResult> beside;  // what ran in the background; events and wall_s are those of all together
};

// The text that YAML, the command line and results use: "all_gather", "f32", "sum", "both".
[[nodiscard]] std::string_view name(firmware::CollectiveKind kind);
[[nodiscard]] std::string_view name(firmware::DType type);
[[nodiscard]] std::string_view name(firmware::Reduction reduction);
[[nodiscard]] bool reduces(firmware::CollectiveKind kind);
[[nodiscard]] bool has_root(firmware::CollectiveKind kind);

}  // namespace podsim::run
