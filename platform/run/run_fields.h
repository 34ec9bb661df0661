// YAML keys of a run file: `data`, `time_limit` and `steps` beside the keys of the pod that it overrides.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "platform/config/pod_fields.h"
#include "platform/run/known_names.h"
#include "platform/run/module_fields.h"
#include "platform/run/runner.h"

namespace podsim::run {

// A kernel as it is written: `matmul: {m: 4096, k: 4096, n: 4096}`. Each kind has keys of its own.
struct KernelEntry {
  std::optional<std::uint64_t> m, k, n, rows, columns, elements, heads, queries, keys, head_dim;
  firmware::DType dtype = firmware::DType::kBf16;
  std::optional<firmware::DType> out;
  std::string op;
  unsigned cores = 1;
  unsigned buffers = 2;
};
enum class AutoWord : std::uint8_t { kAuto };
struct TilesEntry {
  std::optional<std::uint64_t> m, k, n;
};
template <firmware::KernelKind kind>
struct KernelEntryOf : KernelEntry {};
struct KernelEntries {
  std::optional<KernelEntryOf<firmware::KernelKind::kMatmul>> matmul;
  std::optional<KernelEntryOf<firmware::KernelKind::kElementwise>> elementwise;
  std::optional<KernelEntryOf<firmware::KernelKind::kReduce>> reduce;
  std::optional<KernelEntryOf<firmware::KernelKind::kSoftmax>> softmax;
  std::optional<KernelEntryOf<firmware::KernelKind::kAttention>> attention;

  [[nodiscard]] int count() const {
    return int{matmul.has_value()} + int{elementwise.has_value()} + int{reduce.has_value()} + int{softmax.has_value()} +
           int{attention.has_value()};
  }
};

// What runs beside a step, in the background.
struct BesideEntry {
  KernelEntries kernels;
  std::optional<firmware::CollectiveKind> collective;
  std::optional<ByteSize> size;
  std::optional<std::uint64_t> elements;
  firmware::DType type = firmware::DType::kF32;
  std::vector<int> shift;
};

// A copy between HBM and the host's memory.
enum class CopyDirection : std::uint8_t { kOut, kIn };
struct HostCopyEntry {
  CopyDirection direction = CopyDirection::kOut;
  std::optional<ByteSize> bytes;
  bool pinned = true;
};

// A step as it is written; run_file.cpp makes a Step of it, once the pod's shape is known.
struct StepEntry {
  std::optional<firmware::CollectiveKind> collective;
  std::optional<std::string> program;
  KernelEntries kernels;
  std::optional<HostCopyEntry> host_copy;
  std::optional<ModuleEntry> module;
  std::optional<WorkloadEntry> workload;
  std::vector<std::string> axes;
  std::optional<ByteSize> size;
  std::optional<std::uint64_t> elements;
  firmware::DType type = firmware::DType::kF32;
  firmware::Reduction reduction = firmware::Reduction::kSum;
  firmware::Directions directions = firmware::Directions::kBothWays;
  std::optional<std::string> algorithm;
  std::uint64_t root = 0;
  unsigned window = 0;
  std::uint64_t seed = 0;
  unsigned chunks = 0;
  unsigned repeat = 1;
  std::vector<int> shift;
  std::vector<BesideEntry> beside;
  std::vector<StepEntry> sequence;
  // In a sequence only.
  bool async = false;
  std::optional<Duration> pause;
  std::optional<std::string> name;
  std::optional<std::string> of;
  std::optional<std::string> done;
};

struct ExpectEntry {
  std::string outcome;
  std::vector<std::string> says;
  unsigned perturb = 0;
};

struct RunEntry {
  pod::PodConfig pod;
  DataMode data = DataMode::kAuto;
  Duration time_limit{RunOptions::kDefaultTimeLimit};
  Duration progress_limit{RunOptions::kDefaultProgressLimit};
  CheckLevel checks = CheckLevel::kAuto;
  OnViolation on_violation = OnViolation::kStop;
  Symmetry symmetry = Symmetry::kAuto;
  std::optional<ExpectEntry> expect;
  std::vector<StepEntry> steps;
};

}  // namespace podsim::run

namespace podsim::config {

constexpr auto names(EnumTag<firmware::CollectiveKind>) {
  using Kind = firmware::CollectiveKind;
  return EnumNames<Kind, 8>{{{"all_gather", Kind::kAllGather},
                             {"reduce_scatter", Kind::kReduceScatter},
                             {"all_reduce", Kind::kAllReduce},
                             {"all_to_all", Kind::kAllToAll},
                             {"collective_permute", Kind::kCollectivePermute},
                             {"broadcast", Kind::kBroadcast},
                             {"scatter", Kind::kScatter},
                             {"gather", Kind::kGather}}};
}

constexpr auto names(EnumTag<firmware::DType>) {
  using firmware::DType;
  return EnumNames<DType, 5>{
      {{"f32", DType::kF32}, {"bf16", DType::kBf16}, {"s32", DType::kS32}, {"s8", DType::kS8}, {"f8", DType::kF8}}};
}

constexpr auto names(EnumTag<firmware::Reduction>) {
  using firmware::Reduction;
  return EnumNames<Reduction, 3>{{{"sum", Reduction::kSum}, {"max", Reduction::kMax}, {"min", Reduction::kMin}}};
}

constexpr auto names(EnumTag<firmware::Directions>) {
  using firmware::Directions;
  return EnumNames<Directions, 2>{{{"one", Directions::kOneWay}, {"both", Directions::kBothWays}}};
}

constexpr auto names(EnumTag<run::DataMode>) {
  using run::DataMode;
  return EnumNames<DataMode, 3>{{{"real", DataMode::kReal}, {"none", DataMode::kNone}, {"auto", DataMode::kAuto}}};
}

constexpr auto names(EnumTag<run::AutoWord>) { return EnumNames<run::AutoWord, 1>{{{"auto", run::AutoWord::kAuto}}}; }

inline constexpr Bytes kLargestBuffer = Bytes{1} << kOffsetBits;  // what the address map has room for

template <class Visitor>
void fields(Visitor& visit, run::TilesEntry& tiles) {
  visit("m", tiles.m, "rows of a tile", at_least(1u));
  visit("k", tiles.k, "columns of a's tile, rows of b's", at_least(1u));
  visit("n", tiles.n, "columns of a tile", at_least(1u));
}

template <class Visitor, firmware::KernelKind kind>
void fields(Visitor& visit, run::KernelEntryOf<kind>& kernel) {
  using Kind = firmware::KernelKind;
  constexpr auto kMost = at_most(std::uint64_t{1} << 31);
  constexpr auto kTiles = form<EitherForm<run::AutoWord, run::TilesEntry>>;
  const auto extent = [&](std::string_view key, std::optional<std::uint64_t>& value, std::string_view help) {
    visit(key, value, help, required, at_least(1u), kMost);
  };
  if constexpr (kind == Kind::kMatmul) {
    extent("m", kernel.m, "rows of a and of the result");
    extent("k", kernel.k, "columns of a, rows of b");
    extent("n", kernel.n, "columns of b and of the result");
    visit.note("tiles", "auto, or {m: 1024, k: 512, n: 2048}; what is left out is chosen", kTiles);
  } else if constexpr (kind == Kind::kAttention) {
    extent("queries", kernel.queries, "of a head");
    extent("keys", kernel.keys, "of a head, and values");
    extent("head_dim", kernel.head_dim, "elements of a query, key and value");
    visit("heads", kernel.heads, "1 if left out", at_least(1u), kMost);
    visit.note("tiles", "auto, or {m: 512, n: 1024}: queries and keys of a tile", kTiles);
  } else if constexpr (kind == Kind::kElementwise) {
    extent("elements", kernel.elements, "of each operand");
    visit("op", kernel.op, "add, multiply, max, min; add if left out");
    visit.note("tiles", "auto, or {n: 65536}: elements of a tile", kTiles);
  } else {
    extent("rows", kernel.rows, "that are worked on each for itself");
    extent("columns", kernel.columns, "of a row");
    if constexpr (kind == Kind::kReduce) visit("op", kernel.op, "sum, max; sum if left out");
    visit.note("tiles", "auto, or {m: 512, n: 4096}: rows and columns of a tile", kTiles);
  }
  visit("dtype", kernel.dtype, "of the operands");
  visit("out", kernel.out, "type of the result; by default as the operands (s8: s32, f8: bf16)");
  visit("cores", kernel.cores, "TensorCores of each chip that share the work", at_least(1u));
  visit("buffers", kernel.buffers, "places of a tile in VMEM, of each operand", at_least(2u), at_most(16u));
}

template <class Visitor>
void kernel_fields(Visitor& visit, run::KernelEntries& kernels) {
  visit("matmul", kernels.matmul, "a kernel: out = a b, such as {m: 4096, k: 4096, n: 4096}");
  visit("elementwise", kernels.elementwise, "a kernel: out = a op b, such as {elements: 1000000, op: add}");
  visit("reduce", kernels.reduce, "a kernel: op over each row, such as {rows: 1024, columns: 4096, op: sum}");
  visit("softmax", kernels.softmax, "a kernel: softmax of each row, such as {rows: 1024, columns: 4096}");
  visit("attention", kernels.attention, "a kernel: such as {heads: 8, queries: 2048, keys: 2048, head_dim: 128}");
}

template <class Visitor>
void fields(Visitor& visit, run::BesideEntry& beside) {
  visit("collective", beside.collective, "collective_permute");
  kernel_fields(visit, beside.kernels);
  visit("size", beside.size, "bytes that each source sends", at_most(ByteSize{kLargestBuffer}));
  visit("elements", beside.elements, "or elements", at_most(kLargestBuffer));
  visit("type", beside.type, "of an element");
  visit.note("pairs", "[source, target] each, chips as numbers or as coordinates", form<std::vector<PairForm>>);
  visit("shift", beside.shift, "or how far every chip sends on each axis, such as [1, 0]");
  visit.check(!beside.collective || beside.collective == firmware::CollectiveKind::kCollectivePermute, "collective",
              "of collectives, only a collective_permute can run beside a step");
  const int kinds = int{beside.collective.has_value()} + beside.kernels.count();
  visit.check(kinds > 0, "collective", "what runs beside a step needs 'collective' or a kernel such as 'matmul'");
  visit.check(kinds < 2, "collective", "can't stand beside a kernel");
  const bool sized = beside.size || beside.elements;
  visit.check(sized || beside.kernels.count() > 0, "size", "a permute beside a step needs 'size' or 'elements'");
  visit.check(!sized || beside.kernels.count() == 0, "size", "is for collectives");
  visit.check(!(beside.size && beside.elements), "elements", "can't stand beside 'size'");
}

constexpr auto names(EnumTag<run::CheckLevel>) {
  using run::CheckLevel;
  return EnumNames<CheckLevel, 4>{{{"auto", CheckLevel::kAuto},
                                   {"all", CheckLevel::kAll},
                                   {"contracts", CheckLevel::kContracts},
                                   {"none", CheckLevel::kNone}}};
}

constexpr auto names(EnumTag<run::OnViolation>) {
  using run::OnViolation;
  return EnumNames<OnViolation, 2>{{{"stop", OnViolation::kStop}, {"run", OnViolation::kRun}}};
}

constexpr auto names(EnumTag<run::Symmetry>) {
  using run::Symmetry;
  return EnumNames<Symmetry, 3>{{{"auto", Symmetry::kAuto}, {"on", Symmetry::kOn}, {"off", Symmetry::kOff}}};
}

constexpr auto names(EnumTag<run::CopyDirection>) {
  using run::CopyDirection;
  return EnumNames<CopyDirection, 2>{{{"out", CopyDirection::kOut}, {"in", CopyDirection::kIn}}};
}

template <class Visitor>
void fields(Visitor& visit, run::HostCopyEntry& copy) {
  visit("direction", copy.direction, "out: to the host's memory; in: from there to HBM", required);
  visit("bytes", copy.bytes, "of each chip; in a sequence as many as 'of' has, if left out",
        at_most(ByteSize{kLargestBuffer}));
  visit("pinned", copy.pinned, "whether DMA may go to the host's buffer, or a CPU has to copy");
}

template <class Visitor>
void fields(Visitor& visit, run::StepEntry& step) {
  visit("collective", step.collective, "what all chips do together");
  visit("program", step.program,
        "or the name of a program; see 'podsim list programs'. Beside 'collective': the program carries it out",
        such_as(&run::program_names));
  visit.note("parameters", "whole numbers that the program takes, by name", form<NumbersForm>);
  kernel_fields(visit, step.kernels);
  visit("module", step.module, "or a module: instructions that are scheduled and run");
  visit("workload", step.workload, "or a module of those that podsim knows; see 'podsim list workloads'");
  visit("host_copy", step.host_copy, "or a copy between HBM and the host's memory, on every chip");
  visit("axes", step.axes, "the group: chips that differ in these axes; all axes if left out");
  visit("size", step.size, "S, the total size as nccl-tests has it", at_most(ByteSize{kLargestBuffer}));
  visit("elements", step.elements, "or S in elements", at_most(kLargestBuffer));
  visit("type", step.type, "of an element");
  visit("reduction", step.reduction, "of reduce_scatter and all_reduce");
  visit("directions", step.directions, "ways round a ring that data travels");
  visit("algorithm", step.algorithm, "how it is carried out; see 'podsim list algorithms'",
        one_of(&run::algorithm_names));
  visit.note("groups", "or the groups chip by chip, such as [[0, 2], [1, 3]]; ranks in the order of each list",
             form<std::vector<std::vector<ChipForm>>>);
  visit("root", step.root, "of broadcast, scatter and gather: a rank");
  visit("window", step.window, "direct all_to_all: copies on their way out of a chip at a time; 0: all");
  visit("seed", step.seed, "direct all_to_all: draws a random order of copies for each chip; 0: the same for all");
  visit.note("pairs", "permute: [source, target] each, chips as numbers or as coordinates",
             form<std::vector<PairForm>>);
  visit("shift", step.shift, "or, permute: how far every chip sends on each axis, such as [1, 0]");
  visit("chunks", step.chunks, "pieces of a reduction's step; 0: chosen by size", at_most(4096u));
  visit("beside", step.beside, "permutes in the background, which begin when the step does");
  visit("repeat", step.repeat, "times, one after the other", at_least(1u), at_most(10'000u));
  visit("sequence", step.sequence, "or several collectives, as one program that calls one after the other");
  visit.note("chips", "in a sequence: the chips that make the call; all if left out", form<std::vector<ChipForm>>);
  visit.note("except", "in a sequence: or the chips that do not", form<std::vector<ChipForm>>);
  visit("async", step.async, "in a sequence: the next call does not wait for the end of this one");
  visit("name", step.name, "in a sequence: of the call's token, whose exposed and hidden time are reported");
  visit("of", step.of, "in a sequence: the call whose result this program or host copy works on");
  visit("done", step.done, "in a sequence: instead of a call, wait for the end of the one of that name");
  visit("pause", step.pause, "in a sequence: instead of a call, time that passes");
  const bool has_sequence = !step.sequence.empty();
  const int kinds = int{step.collective.has_value() || step.program.has_value()} + int{has_sequence} +
                    int{step.pause.has_value()} + int{step.host_copy.has_value()} + int{step.done.has_value()} +
                    step.kernels.count() + int{step.module.has_value()} + int{step.workload.has_value()};
  visit.check(kinds > 0, "collective",
              "a step needs 'collective', 'program', 'host_copy', a kernel such as 'matmul', a 'sequence', a 'module' "
              "or a 'workload'");
  visit.check(kinds < 2,
              step.program     ? "program"
              : step.host_copy ? "host_copy"
              : has_sequence   ? "sequence"
              : step.pause     ? "pause"
              : step.done      ? "done"
                               : "collective",
              "can't stand beside another of 'collective', 'program', 'host_copy', 'sequence', 'pause', 'done' and the "
              "kernels");
  const bool sized = step.size || step.elements;
  const bool needs_none = has_sequence || step.pause || step.done || step.host_copy || step.kernels.count() > 0 ||
                          step.module || step.workload;
  visit.check(sized || needs_none || step.of, "size", "a step needs 'size' or 'elements'");
  visit.check(!sized || !needs_none, "size", "is for collectives and programs");
  visit.check(!(step.size && step.elements), "elements", "can't stand beside 'size'");
}

template <class Visitor>
void fields(Visitor& visit, run::ExpectEntry& expect) {
  visit("outcome", expect.outcome, "how the run ends", required, one_of(&run::outcome_names));
  visit("says", expect.says, "what the explanation contains");
  visit("perturb", expect.perturb, "with --perturb of so many seeds; 0: without");
}

template <class Visitor>
void fields(Visitor& visit, run::RunEntry& run) {
  visit.layer(run.pod);
  visit("data", run.data, "whether bytes move and are checked");
  visit("time_limit", run.time_limit, "simulated time that a step may take", positive);
  visit("progress_limit", run.progress_limit, "simulated time that it may be busy without getting on", positive);
  visit("checks", run.checks, "what is watched: all: contracts and hazards; auto: all on up to 64 chips");
  visit("on_violation", run.on_violation, "when a check finds something: stop at once, or run on as hardware would");
  visit("symmetry", run.symmetry,
        "on: model one chip, which stands for all; off: each; auto: one on more than 64 chips or with checks: none, "
        "where they do the same");
  visit("expect", run.expect, "how this run ends, for tests");
  visit("steps", run.steps, "what to run, one after the other", required);
  visit.check(!run.steps.empty(), "steps", "a run needs at least one step");
}

}  // namespace podsim::config
