// YAML keys of a step that is a module: see module_reader.h.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "platform/config/fields.h"
#include "platform/run/known_names.h"
#include "platform/run/module_plan.h"

namespace podsim::run {

enum class ModuleOp {
  kParameter,
  kMatmul,
  kElementwise,
  kSoftmax,
  kReduce,
  kAttention,
  kEinsum,
  kAllGather,
  kReduceScatter,
  kAllReduce,
  kAllToAll,
  kPermute,
  kHostOut,
  kHostIn,
  kConcat,
  kWait,
};

struct InstructionEntry {
  std::string name;
  ModuleOp op = ModuleOp::kParameter;
  std::vector<std::string> of;
  std::vector<std::uint64_t> shape;
  std::string tensor;
  std::optional<firmware::DType> dtype;
  std::string function;
  std::vector<std::string> axes;
  unsigned dim = 0;
  unsigned concat = 0;
  std::string axis;
  int by = 1;
  bool async = false;
  bool pinned = true;
  std::vector<std::string> after;
};

struct ExtentEntry {
  std::string name;
  std::uint64_t size = 0;
};

struct ModuleEntry {
  std::string name = "module";
  ScheduleMode schedule = ScheduleMode::kAsWritten;
  unsigned in_flight = 4;
  std::optional<ByteSize> memory;
  std::vector<ExtentEntry> dimensions;
  std::vector<InstructionEntry> instructions;
};

enum class WorkloadForm { kNaive, kOverlapped };

struct WorkloadEntry {
  std::string kind;
  std::string model;
  std::uint64_t layers = 1;
  std::uint64_t tokens = 0;
  std::uint64_t sequence = 0;
  WorkloadForm form = WorkloadForm::kOverlapped;
  std::vector<std::string> axes;
  ByteSize bucket{64 * kMiB};
  ScheduleMode schedule = ScheduleMode::kAsWritten;
  unsigned in_flight = 4;
  std::optional<ByteSize> memory;
};

}  // namespace podsim::run

namespace podsim::config {

constexpr auto names(EnumTag<run::WorkloadForm>) {
  using run::WorkloadForm;
  return EnumNames<WorkloadForm, 2>{{{"naive", WorkloadForm::kNaive}, {"overlapped", WorkloadForm::kOverlapped}}};
}

constexpr auto names(EnumTag<run::ScheduleMode>) {
  using run::ScheduleMode;
  return EnumNames<ScheduleMode, 3>{{{"sync", ScheduleMode::kSync},
                                     {"as_written", ScheduleMode::kAsWritten},
                                     {"latency_hiding", ScheduleMode::kLatencyHiding}}};
}

constexpr auto names(EnumTag<run::ModuleOp>) {
  using run::ModuleOp;
  return EnumNames<ModuleOp, 16>{{{"parameter", ModuleOp::kParameter},
                                  {"matmul", ModuleOp::kMatmul},
                                  {"elementwise", ModuleOp::kElementwise},
                                  {"softmax", ModuleOp::kSoftmax},
                                  {"reduce", ModuleOp::kReduce},
                                  {"attention", ModuleOp::kAttention},
                                  {"einsum", ModuleOp::kEinsum},
                                  {"all_gather", ModuleOp::kAllGather},
                                  {"reduce_scatter", ModuleOp::kReduceScatter},
                                  {"all_reduce", ModuleOp::kAllReduce},
                                  {"all_to_all", ModuleOp::kAllToAll},
                                  {"permute", ModuleOp::kPermute},
                                  {"host_out", ModuleOp::kHostOut},
                                  {"host_in", ModuleOp::kHostIn},
                                  {"concat", ModuleOp::kConcat},
                                  {"wait", ModuleOp::kWait}}};
}

template <class Visitor>
void fields(Visitor& visit, run::InstructionEntry& instruction) {
  visit("op", instruction.op, "what it does", required);
  visit("name", instruction.name, "of its result; nothing else may have it");
  visit("of", instruction.of, "names of what it reads");
  visit("shape", instruction.shape, "parameter: of one chip's, such as [4096, 1024]");
  visit("tensor", instruction.tensor, "parameter, einsum: or the pod's, with the axes it is sharded over: 'B[x] D'",
        spelled(R"(^ *([A-Za-z](\[[^\]]*\])? *)*$)", "dimensions such as 'B[x] D'"));
  visit("dtype", instruction.dtype, "parameter, matmul, einsum: of an element of the result");
  visit("function", instruction.function, "elementwise: add, multiply, max, min; reduce: sum, max");
  visit("axes", instruction.axes, "collectives: chips that differ in these; all axes if left out");
  visit("dim", instruction.dim,
        "all_gather: the dimension that becomes whole; reduce_scatter, all_to_all: that is cut");
  visit("concat", instruction.concat, "all_to_all: the dimension along which what comes is joined");
  visit("axis", instruction.axis, "permute: along which every chip sends");
  visit("by", instruction.by, "permute: how far, round the axis");
  visit("async", instruction.async, "transfers: started here, and waited for at a 'wait' or before the first user");
  visit("pinned", instruction.pinned, "host_out: whether the host's buffer is");
  visit("after", instruction.after, "names of what must have ended before, besides what it reads");
  visit.note("chips", "the chips that execute it; all if left out", form<std::vector<ChipForm>>);
  visit.note("except", "or the chips that do not", form<std::vector<ChipForm>>);
}

template <class Visitor>
void fields(Visitor& visit, run::WorkloadEntry& workload) {
  visit("kind", workload.kind, "see 'podsim list workloads'", required, one_of(&run::workload_names));
  visit("model", workload.model, "such as llama3-8b; see 'podsim list models'", required, one_of(&run::model_names));
  visit("layers", workload.layers, "of the model's", at_least(1u), at_most(1000u));
  visit("tokens", workload.tokens, "of each chip", required, at_least(1u), at_most(1u << 30));
  visit("sequence", workload.sequence, "tokens of a sequence; all of a chip's if left out");
  visit("form", workload.form, "overlapped: transfers may go on beside work; naive: one thing after the other");
  visit("axes", workload.axes, "over which it is spread; all axes if left out");
  visit("bucket", workload.bucket, "data_parallel: of gradients that are reduced together, at least", positive);
  visit("schedule", workload.schedule, "sync, as_written or latency_hiding");
  visit("in_flight", workload.in_flight, "transfers between their start and their done, at most", at_least(1u),
        at_most(16u));
  visit("memory", workload.memory, "for buffers, parameters included; the chip's HBM if left out", positive);
}

template <class Visitor>
void fields(Visitor& visit, run::ExtentEntry& dimension) {
  visit("name", dimension.name, "a letter", required, spelled("^[A-Za-z]$", "one letter"));
  visit("size", dimension.size, "elements, over the whole pod", required, at_least(1u));
}

template <class Visitor>
void fields(Visitor& visit, run::ModuleEntry& module) {
  visit("name", module.name, "what results call it");
  visit("schedule", module.schedule, "sync, as_written or latency_hiding");
  visit("in_flight", module.in_flight, "transfers between their start and their done, at most", at_least(1u),
        at_most(16u));
  visit("memory", module.memory, "for buffers, parameters included; the chip's HBM if left out", positive);
  visit("dimensions", module.dimensions, "of tensors that are given by name");
  visit("instructions", module.instructions, "the program, in an order that could be executed", required);
  visit.check(!module.instructions.empty(), "instructions", "a module needs at least one instruction");
}

}  // namespace podsim::config
