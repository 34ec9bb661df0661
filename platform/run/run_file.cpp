#include "platform/run/run_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "firmware/collectives/algorithm.h"
#include "firmware/collectives/collective.h"
#include "platform/config/pod_reader.h"
#include "platform/config/section_reader.h"
#include "platform/config/suggestion.h"
#include "platform/run/chip_list.h"
#include "platform/run/kernel_reader.h"
#include "platform/run/module_reader.h"
#include "platform/run/permute_pairs.h"
#include "platform/run/program_reader.h"
#include "platform/run/replica_lists.h"
#include "platform/run/run_fields.h"
#include "platform/run/sequence.h"

namespace podsim::run {

namespace {

using config::ConfigError;
using config::ConfigNode;
using config::join_key;

std::uint64_t smallest_group(const firmware::CollectiveCall& call, const ici::TorusShape& torus) {
  std::uint64_t smallest = firmware::group_size(call, torus);
  if (call.groups == nullptr) return smallest;
  for (const firmware::ReplicaGroup& group : call.groups->groups()) smallest = std::min(smallest, group.size());
  return smallest;
}

// "run.yaml:12"
std::string line_text(const config::SourceMark& mark) {
  return fmt::format("{}:{}", mark.source != nullptr ? *mark.source : "", mark.line);
}

// Makes a Step of what is written under steps.N.
class StepReader {
 public:
  StepReader(const StepEntry& entry, const ConfigNode& node, std::string key, const ici::TorusShape& torus)
      : entry_(entry), node_(node), key_(std::move(key)), torus_(torus) {}

  [[nodiscard]] Step read() {
    Step step;
    refuse({"chips", "except", "async", "pause", "name", "of", "done"}, "is for the calls of a sequence");
    if (!entry_.sequence.empty()) {
      read_sequence(step);
      return step;
    }
    if ((step.kernel = read_kernel())) {
      step.name = kernel_name(step.kernel->kind);
      return step;
    }
    if (entry_.module || entry_.workload) {
      read_module_step(step);
      return step;
    }
    step.collective.type = entry_.type;
    step.collective.elements = elements();
    if (entry_.host_copy) {
      read_host_copy(step);
    } else if (entry_.program && !entry_.collective) {
      read_program(step);
    } else {
      read_collective(step);
      if (entry_.program) read_carrier(step);
    }
    if (!entry_.program) refuse({"parameters"}, "is for programs");
    return step;
  }

 private:
  [[noreturn]] void fail(const std::string& key, const std::string& message) const {
    const ConfigNode* node = node_.find(key);
    throw ConfigError(node != nullptr ? node->mark : node_.mark, join_key(key_, key), message);
  }
  void refuse(std::initializer_list<const char*> keys, const std::string& why) const {
    for (const char* key : keys) {
      if (node_.find(key) != nullptr) fail(key, why);
    }
  }

  [[nodiscard]] std::uint64_t elements() const {
    if (entry_.elements) return *entry_.elements;
    const std::optional<ByteSize> size = entry_.host_copy ? entry_.host_copy->bytes : entry_.size;
    if (!size) fail(entry_.host_copy ? "host_copy" : "size", "needs 'bytes', or 'of' in a sequence");
    const Bytes each = tensor_core::size_of(entry_.type);
    if (size->bytes % each != 0) {
      fail(entry_.host_copy ? "host_copy" : "size", fmt::format("{} is no whole number of {} elements of {} B each",
                                                                config::to_string(*size), name(entry_.type), each));
    }
    return size->bytes / each;
  }

  void read_sequence(Step& step) const {
    refuse({"axes", "type", "reduction", "directions", "algorithm", "groups", "root", "window", "pairs", "chunks"},
           "is for the calls of the sequence");
    step.name = "sequence";
    const ConfigNode& calls = *node_.find("sequence");
    for (std::size_t i = 0; i < entry_.sequence.size(); ++i) {
      const StepReader reader(entry_.sequence[i], calls.items[i], join_key(key_, fmt::format("sequence.{}", i)),
                              torus_);
      step.sequence.push_back(reader.read_call(step.sequence));
    }
    number_calls(step.sequence, torus_.chips());
    if (calls_in(step.sequence) == 0) fail("sequence", "a sequence needs at least one call");
  }

  // `before`: the calls of the sequence so far.
  [[nodiscard]] SequenceCall read_call(const std::vector<SequenceCall>& before) const {
    SequenceCall call;
    refuse({"sequence", "repeat", "module", "workload"}, "can't stand in a sequence");
    call.chips = read_chip_list(node_, key_, torus_);
    if (entry_.pause || entry_.done) refuse({"async", "name", "of"}, "is for calls");
    if (entry_.pause) {
      call.pause = entry_.pause->ps;
      return call;
    }
    if (entry_.done) {
      const SequenceCall* const started = find_call(before, *entry_.done);
      if (started == nullptr) fail("done", fmt::format("no call before this one has the name '{}'", *entry_.done));
      if (!started->async) fail("done", fmt::format("'{}' is over already: it is not async", *entry_.done));
      call.done = *entry_.done;
      return call;
    }
    if (entry_.name) {
      if (find_call(before, *entry_.name) != nullptr) fail("name", "is another call's already");
      if (entry_.name->empty()) fail("name", "must not be empty");
      call.name = *entry_.name;
    }
    call.async = entry_.async;
    if ((call.kernel = read_kernel())) {
      refuse({"of"}, "is for programs and host copies");
      call.kernel->written_at = line_text(node_.mark);
      return call;
    }
    Step step;
    step.collective.type = entry_.type;
    step.collective.elements = entry_.of ? elements_of(before) : elements();
    if (entry_.of) call.of = *entry_.of;
    if (entry_.program && entry_.collective) fail("program", "can't carry a collective out in a sequence");
    if (!entry_.program) refuse({"parameters"}, "is for programs");
    if (entry_.host_copy) {
      read_host_copy(step);
    } else if (entry_.program) {
      read_program(step);
    } else {
      refuse({"of"}, "is for programs and host copies");
      read_collective(step);
    }
    call.program = step.program;
    call.parameters = step.parameters;
    call.host_copy = step.host_copy;
    call.collective = std::move(step.collective);
    call.collective.written_at = line_text(node_.mark);
    call.collective.members_only = node_.find("chips") != nullptr;
    return call;
  }

  void read_module_step(Step& step) const {
    const bool own = entry_.module.has_value();
    const std::string key = own ? "module" : "workload";
    refuse({"axes", "type", "reduction", "directions", "algorithm", "groups", "root", "window", "seed", "pairs",
            "shift", "chunks", "beside"},
           "is for collectives; a module's keys stand within it");
    const ConfigNode& node = *node_.find(key);
    auto module = std::make_shared<ModuleStep>();
    const auto take = [&](const auto& entry) {
      module->options = {.mode = entry.schedule, .in_flight = entry.in_flight, .memory = {}};
      if (entry.memory) module->options.memory = entry.memory->bytes;
    };
    if (own) {
      take(*entry_.module);
      module->module = read_module(*entry_.module, node, join_key(key_, key), torus_);
    } else {
      take(*entry_.workload);
      module->module = read_workload(*entry_.workload, node, join_key(key_, key), torus_);
    }
    step.name = module->module.name;
    step.module = std::move(module);
  }

  [[nodiscard]] std::optional<firmware::KernelCall> read_kernel() const {
    if (entry_.kernels.count() == 0) return std::nullopt;
    refuse({"axes", "type", "reduction", "directions", "algorithm", "groups", "root", "window", "seed", "pairs",
            "shift", "chunks"},
           "is for collectives; a kernel's keys stand within it");
    return run::read_kernel(entry_.kernels, node_, key_);
  }

  // How many elements a call has that works on the result of another.
  [[nodiscard]] std::uint64_t elements_of(const std::vector<SequenceCall>& before) const {
    const SequenceCall* const source = find_call(before, *entry_.of);
    if (source == nullptr) fail("of", fmt::format("no call before this one has the name '{}'", *entry_.of));
    if (source->program == nullptr) fail("of", "takes the results of programs and host copies");
    if (source->collective.type != entry_.type) {
      fail("of", fmt::format("'{}' is of type {}, this call of type {}", *entry_.of, name(source->collective.type),
                             name(entry_.type)));
    }
    const bool on_host = source->host_copy && source->host_copy->out;
    const bool from_host = entry_.host_copy && entry_.host_copy->direction == CopyDirection::kIn;
    if (on_host != from_host) {
      fail("of", fmt::format("the result of '{}' is in {}", *entry_.of, on_host ? "the host's memory" : "HBM"));
    }
    const bool sized = entry_.size || entry_.elements || (entry_.host_copy && entry_.host_copy->bytes);
    const std::uint64_t wanted = sized ? elements() : source->collective.elements;
    if (wanted > source->collective.elements) {
      fail("of", fmt::format("'{}' has {} elements, {} are wanted", *entry_.of, source->collective.elements, wanted));
    }
    return wanted;
  }

  void read_host_copy(Step& step) const {
    refuse({"axes", "reduction", "directions", "algorithm", "groups", "root", "window", "seed", "pairs", "shift",
            "chunks"},
           "is for collectives; this is a host copy");
    step.program = &firmware::host_copy_program();
    step.host_copy = {.out = entry_.host_copy->direction == CopyDirection::kOut,
                      .pinning = entry_.host_copy->pinned ? firmware::Pinning::kPinned : firmware::Pinning::kPageable};
    step.name =
        fmt::format("host_copy {}{}", step.host_copy->out ? "out" : "in", entry_.host_copy->pinned ? "" : ", pageable");
  }

  // The collective, read already, is carried out by a program.
  void read_carrier(Step& step) const {
    const firmware::Program& carrier = read_program_name(node_, key_);
    if (carrier.collective != step.collective.kind) {
      fail("program", fmt::format("'{}' does not carry out {}", carrier.name, name(step.collective.kind)));
    }
    refuse({"algorithm"}, "can't stand beside 'program'");
    step.carrier = &carrier;
    step.parameters = read_parameters(carrier, node_, key_);
  }

  void read_program(Step& step) const {
    step.program = &read_program_name(node_, key_);
    if (step.program->collective) {
      fail("program", fmt::format("'{}' carries out a collective: it needs 'collective: {}' beside it",
                                  step.program->name, name(*step.program->collective)));
    }
    step.parameters = read_parameters(*step.program, node_, key_);
    refuse({"axes", "reduction", "directions", "algorithm", "groups", "root", "window", "seed", "pairs", "shift",
            "chunks"},
           "is for collectives; this step is a program");
    step.name = step.program->name;
  }

  void read_collective(Step& step) const {
    firmware::CollectiveCall& call = step.collective;
    call.kind = *entry_.collective;
    if (entry_.type == firmware::DType::kF8) fail("type", "collectives don't take f8; it is for kernels");
    call.reduction = entry_.reduction;
    call.directions = entry_.directions;
    call.chunks = entry_.chunks;
    step.name = name(call.kind);
    read_algorithm(call);
    if (has_root(call.kind)) {
      call.root = entry_.root;
    } else {
      refuse({"root"}, fmt::format("{} has no root", step.name));
    }
    if (!reduces(call.kind)) refuse({"reduction", "chunks"}, fmt::format("{} reduces nothing", step.name));
    if (call.kind == firmware::CollectiveKind::kCollectivePermute) {
      refuse({"axes", "groups", "directions"}, "a permute spans the pod, and takes the shortest ways");
      call.pairs = permute_pairs();
    } else {
      refuse({"pairs", "shift"}, "is for collective_permute");
      read_axes(call);
      read_groups(call);
      const std::uint64_t size = smallest_group(call, torus_);
      if (call.root >= size) fail("root", fmt::format("there is no rank {} in a group of {}", call.root, size));
    }
  }

  [[nodiscard]] ChipPairs permute_pairs() const {
    const ConfigNode* pairs = node_.find("pairs");
    const ConfigNode* shift = node_.find("shift");
    if (pairs == nullptr && shift == nullptr) {
      fail("pairs", "a permute needs its pairs, such as [[0, 1], [1, 0]], or a shift");
    }
    if (pairs != nullptr && shift != nullptr) fail("shift", "can't stand beside 'pairs'");
    if (pairs != nullptr) return read_pairs(*pairs, join_key(key_, "pairs"), torus_);
    if (entry_.shift.size() != torus_.axes()) {
      fail("shift", fmt::format("{} numbers for a pod of {} axes", entry_.shift.size(), torus_.axes()));
    }
    return shifted_pairs(entry_.shift, torus_);
  }

  void read_algorithm(firmware::CollectiveCall& call) const {
    if (entry_.algorithm) {
      const ConfigNode* node = node_.find("algorithm");
      call.algorithm = find_algorithm(*entry_.algorithm, call.kind, node->mark, join_key(key_, "algorithm"));
    }
    call.window = entry_.window;
    call.seed = entry_.seed;
  }

  void read_groups(firmware::CollectiveCall& call) const {
    const ConfigNode* node = node_.find("groups");
    if (node == nullptr) return;
    if (node_.find("axes") != nullptr) fail("groups", "can't stand beside 'axes'");
    call.groups = run::read_groups(*node, join_key(key_, "groups"), torus_);
  }

  void read_axes(firmware::CollectiveCall& call) const {
    for (std::size_t i = 0; i < entry_.axes.size(); ++i) {
      const ConfigNode& node = node_.find("axes")->items[i];
      const std::string key = join_key(key_, fmt::format("axes.{}", i));
      const ici::Axis axis = find_axis(entry_.axes[i], torus_, node.mark, key);
      if (std::find(call.axes.begin(), call.axes.end(), axis) != call.axes.end()) {
        throw ConfigError(node.mark, key, fmt::format("axis '{}' is there twice", entry_.axes[i]));
      }
      call.axes.push_back(axis);
    }
  }

  const StepEntry& entry_;
  const ConfigNode& node_;
  const std::string key_;
  const ici::TorusShape& torus_;
};

StepEntry entry_of(const BesideEntry& beside) {
  StepEntry entry;
  entry.collective = beside.collective;
  entry.kernels = beside.kernels;
  entry.size = beside.size;
  entry.elements = beside.elements;
  entry.type = beside.type;
  entry.shift = beside.shift;
  return entry;
}

}  // namespace

ici::Axis find_axis(const std::string& name, const ici::TorusShape& torus, const config::SourceMark& mark,
                    const std::string& key) {
  if (const auto axis = torus.find_axis(name)) return *axis;
  std::vector<std::string> known;
  for (unsigned i = 0; i < torus.axes(); ++i) known.push_back(torus.axis(static_cast<ici::Axis>(i)).name);
  // One-letter names are all near each other, so say all of them.
  throw ConfigError(mark, key, fmt::format("the pod has no axis '{}'; it has {}", name, fmt::join(known, ", ")));
}

firmware::Algorithm find_algorithm(const std::string& name, firmware::CollectiveKind kind,
                                   const config::SourceMark& mark, const std::string& key) {
  std::vector<std::string> known;
  for (const firmware::AlgorithmInfo& each : firmware::algorithms()) {
    if (each.name == name && each.serves(kind)) return each.algorithm;
    if (each.serves(kind)) known.emplace_back(each.name);
  }
  throw ConfigError(mark, key,
                    fmt::format("there is no algorithm '{}' for {}; there is {}{}", name, run::name(kind),
                                fmt::join(known, ", "), config::suggestion(name, known)));
}

ici::TorusShape checked_shape(const pod::PodConfig& config, const config::SourceMark& mark) {
  try {
    pod::check(config);
    return pod::torus_shape(config);
  } catch (const std::invalid_argument& error) {
    throw ConfigError(mark, {}, error.what());
  }
}

namespace {

Expectation read_expectation(const ExpectEntry& entry, const ConfigNode& node) {
  try {
    return {outcome_from_name(entry.outcome), entry.says, entry.perturb};
  } catch (const std::invalid_argument& error) {
    throw ConfigError(node.find("outcome")->mark, "expect.outcome", error.what());
  }
}

}  // namespace

RunFile read_run(const config::ConfigDocument& document) {
  if (document.find("pod") == nullptr && document.find("topology") == nullptr) {
    throw ConfigError(document.mark, "pod", "required key is missing: the pod to run on; see 'podsim list pods'");
  }
  const RunEntry entry = config::read<RunEntry>(document);
  RunFile run;
  if (const ConfigNode* description = document.find("description")) run.description = description->text;
  run.pod = entry.pod;
  run.data = entry.data;
  run.options.time_limit = entry.time_limit.ps;
  run.options.progress_limit = entry.progress_limit.ps;
  run.options.checks = entry.checks;
  run.options.on_violation = entry.on_violation;
  run.options.symmetry = entry.symmetry;
  if (entry.expect) run.expect = read_expectation(*entry.expect, *document.find("expect"));
  config::check_links(run.pod, document);
  const ici::TorusShape torus = checked_shape(run.pod, document.mark);
  for (std::size_t i = 0; i < entry.steps.size(); ++i) {
    const ConfigNode& node = document.find("steps")->items[i];
    const std::string key = fmt::format("steps.{}", i);
    Step step = StepReader(entry.steps[i], node, key, torus).read();
    for (std::size_t j = 0; j < entry.steps[i].beside.size(); ++j) {
      const ConfigNode& other = node.find("beside")->items[j];
      const StepEntry permute = entry_of(entry.steps[i].beside[j]);
      step.beside.push_back(StepReader(permute, other, fmt::format("{}.beside.{}", key, j), torus).read());
    }
    for (unsigned n = 0; n < entry.steps[i].repeat; ++n) run.steps.push_back({step, node.mark});
  }
  return run;
}

}  // namespace podsim::run
