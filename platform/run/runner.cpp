#include "platform/run/runner.h"

#include <algorithm>
#include <chrono>

#include "firmware/collectives/algorithm.h"
#include "firmware/collectives/collective.h"
#include "firmware/collectives/cost_model.h"
#include "firmware/kernels/kernel.h"
#include "firmware/programs/side_by_side.h"
#include "platform/check/digest.h"
#include "platform/check/kernel_data.h"
#include "platform/check/step_data.h"
#include "platform/run/figures.h"
#include "platform/run/kernel_figures.h"
#include "platform/run/run_ahead.h"
#include "platform/run/whole_ring.h"

namespace podsim::run {

using firmware::CollectiveKind;

namespace {

// What nccl-tests multiplies the algorithm bandwidth by to compare it with the hardware's.
double bus_factor(const Step& step, std::uint64_t group) {
  if (!step.is_collective() || group == 0) return 1;
  const double others = static_cast<double>(group - 1) / static_cast<double>(group);
  switch (step.collective.kind) {
    case CollectiveKind::kAllReduce: return 2 * others;
    case CollectiveKind::kAllGather:
    case CollectiveKind::kReduceScatter:
    case CollectiveKind::kAllToAll:
    case CollectiveKind::kScatter:
    case CollectiveKind::kGather: return others;
    case CollectiveKind::kBroadcast:
    case CollectiveKind::kCollectivePermute: break;
  }
  return 1;
}

std::uint64_t group_size(const Step& step, const ici::TorusShape& torus) {
  if (step.kernel) return 1;
  if (!step.is_collective()) return torus.chips();
  return firmware::group_size(step.collective, torus);
}

Step with_ring(Step step, const ici::TorusShape& torus) {
  const auto ring = whole_ring(torus);
  if (ring == nullptr || step.program != nullptr || step.kernel) return step;
  const auto lay = [&](firmware::CollectiveCall& call) {
    if (!call.groups && call.kind != CollectiveKind::kCollectivePermute) call.groups = ring;
  };
  lay(step.collective);
  for (SequenceCall& call : step.sequence) lay(call.collective);
  return step;
}

Bytes bytes_of(const firmware::KernelCall& call) {
  return firmware::input_elements(call) * tensor_core::size_of(call.type) +
         firmware::output_elements(call) * tensor_core::size_of(call.result);
}

Bytes bytes_of(const firmware::CollectiveCall& call) { return call.elements * tensor_core::size_of(call.type); }

// What a step is made of, each with buffers of its own: itself, or the calls of its sequence.
std::vector<Step> parts_of(const Step& step) {
  if (step.sequence.empty()) return {step};
  std::vector<Step> parts(calls_in(step.sequence));
  for (const SequenceCall& call : step.sequence) {
    if (!call.is_call()) continue;
    Step& part = parts[call.number];
    part.kernel = call.kernel;
    part.program = call.program;
    part.collective = call.collective;
    part.parameters = call.parameters;
    part.host_copy = call.host_copy;
    part.name = call.kernel               ? kernel_name(call.kernel->kind)
                : call.program != nullptr ? call.program->name
                                          : name(call.collective.kind);
  }
  return parts;
}

}  // namespace

Bytes total_bytes(const Step& step) {
  if (step.module != nullptr) return module_bytes(step.module->module);
  Bytes bytes = 0;
  for (const Step& part : parts_of(step)) bytes += part.kernel ? bytes_of(*part.kernel) : bytes_of(part.collective);
  return bytes;
}

Bytes footprint(const Step& step, const ici::TorusShape& torus) {
  // In, out, and about as much again for the slots of the collective.
  Bytes bytes = 3 * total_bytes(step) * torus.chips();
  for (const Step& other : step.beside) bytes += footprint(other, torus);
  return bytes;
}

namespace {

// Operations of the kernels of a step, over all chips.
double kernel_flops(const Step& step, const ici::TorusShape& torus) {
  if (step.module != nullptr) return firmware::flops_of(step.module->module) * torus.chips();
  double flops = 0;
  for (const Step& part : parts_of(step)) flops += part.kernel ? firmware::flops_of(*part.kernel) : 0;
  for (const Step& other : step.beside) flops += kernel_flops(other, torus) / torus.chips();
  return flops * torus.chips();
}

}  // namespace

bool moves_data(DataMode mode, const std::vector<Step>& steps, const ici::TorusShape& torus) {
  if (mode != DataMode::kAuto) return mode == DataMode::kReal;
  return std::all_of(steps.begin(), steps.end(), [&](const Step& step) {
    return footprint(step, torus) <= kMostAutoBytes && kernel_flops(step, torus) <= kMostAutoFlops &&
           (step.module == nullptr || lies_in_rows(step.module->module));
  });
}

Runner::Runner(pod::Pod& pod, const RunOptions& options) : pod_(pod), launcher_(pod, options) {}

struct Runner::Part {
  Step step;
  std::vector<CallBuffers> buffers;  // by chip
};

struct Runner::Strand {
  Step step;
  std::vector<Part> parts;
  Picoseconds time = 0;  // until the last chip's program has ended

  [[nodiscard]] firmware::Task program(firmware::Device& device) const {
    std::vector<CallBuffers> own;
    for (const Part& part : parts) own.push_back(part.buffers[index(device.id())]);
    if (!step.sequence.empty()) return run_sequence(device, step, std::move(own));
    if (step.program != nullptr) {
      firmware::Task program =
          firmware::start(*step.program, device, {own.front().in, own.front().out, {}, step.parameters});
      return step.host_copy ? firmware::as_token(device, std::move(program), step.name) : std::move(program);
    }
    if (step.kernel) {
      return firmware::run_kernel(device, *step.kernel, operands_in(*step.kernel, own.front().in), own.front().out);
    }
    if (step.carrier != nullptr) {
      return firmware::start(*step.carrier, device,
                             {own.front().in, own.front().out, step.collective, step.parameters});
    }
    if (step.stand_in) return step.stand_in(device, own.front().in, own.front().out);
    return firmware::run_collective(device, step.collective, own.front().in, own.front().out);
  }
};

CallBuffers Runner::allocate(const Step& step, ChipId chip) {
  firmware::Allocator& allocator = launcher_.device(chip).allocate();
  if (step.kernel) {
    const firmware::Buffer in = allocator.hbm(firmware::input_elements(*step.kernel), step.kernel->type);
    return {in, allocator.hbm(firmware::output_elements(*step.kernel), step.kernel->result)};
  }
  const firmware::CollectiveCall& call = step.collective;
  // Each chip reserves the same room, so that addresses agree, and uses what its rank has.
  const firmware::CallSizes sizes = step.program != nullptr ? firmware::CallSizes{call.elements, call.elements}
                                                            : firmware::call_sizes(call, pod_.torus(), chip);
  const std::uint64_t room = call.elements + pod_.torus().chips();
  const auto buffer = [&](bool on_host) {
    return on_host ? allocator.host(room, call.type, step.host_copy->pinning) : allocator.hbm(room, call.type);
  };
  const firmware::Buffer in = buffer(step.host_copy && !step.host_copy->out);
  const firmware::Buffer out = buffer(step.host_copy && step.host_copy->out);
  return {in.slice({0, sizes.in}), out.slice({0, sizes.out})};
}

Runner::Part Runner::prepare(const Step& step, const Part* of) {
  Part part{step, {}};
  for (std::uint32_t i = 0; i < pod_.size(); ++i) {
    CallBuffers& own = part.buffers.emplace_back(allocate(step, static_cast<ChipId>(i)));
    if (of == nullptr) {
      launcher_.note_written(own.in);
    } else {
      own.in = of->buffers[i].out.slice({0, own.in.elements});
    }
  }
  if (!pod_.with_data()) return part;
  const check::StepData data(pod_, step);
  for (const auto& chip : pod_.chips()) {
    const CallBuffers& own = part.buffers[index(chip->id())];
    if (step.kernel) {
      check::KernelData(*step.kernel).fill(*chip, own.in, own.out);
    } else {
      data.fill(*chip, of == nullptr ? own.in : own.in.slice({0, 0}), own.out);
    }
  }
  return part;
}

std::vector<Runner::Strand> Runner::strands_of(const Step& step) {
  std::vector<Strand> strands;
  Strand& main = strands.emplace_back(Strand{step, {}});
  for (const Step& call : parts_of(step)) {
    const auto number = main.parts.size();
    const auto made = std::find_if(step.sequence.begin(), step.sequence.end(),
                                   [&](const SequenceCall& each) { return each.is_call() && each.number == number; });
    const SequenceCall* const of =
        made != step.sequence.end() && !made->of.empty() ? find_call(step.sequence, made->of) : nullptr;
    const bool there = of != nullptr && of->number < number;
    main.parts.push_back(prepare(call, there ? &main.parts[of->number] : nullptr));
  }
  // Who leaves a call of a sequence out has nothing to show for it.
  for (std::size_t i = 0; i < main.parts.size() && !step.sequence.empty(); ++i) {
    for (std::uint32_t c = 0; c < pod_.size(); ++c) {
      const bool makes = std::any_of(step.sequence.begin(), step.sequence.end(), [&](const SequenceCall& call) {
        return call.is_call() && call.number == i && call.made_by(static_cast<ChipId>(c));
      });
      if (!makes) main.parts[i].buffers[c].out.elements = 0;
    }
  }
  for (const Step& other : step.beside) strands.push_back({other, {prepare(other)}});
  return strands;
}

LaunchResult Runner::launch(std::vector<Strand>& strands) {
  const Picoseconds start = pod_.queue().now();
  const auto ended = [&](std::size_t strand) { strands[strand].time = pod_.queue().now() - start; };
  const auto program = [&](firmware::Device& device) {
    if (strands.size() == 1) return strands.front().program(device);
    std::vector<firmware::Task> programs;
    for (const Strand& strand : strands) programs.push_back(strand.program(device));
    return firmware::side_by_side(device, std::move(programs), ended);
  };
  const Picoseconds lookahead = strands.size() == 1 ? lookahead_of(strands.front().step, pod_) : 0;
  const LaunchResult launched = launcher_.launch(program, {}, lookahead);
  const bool all_together = strands.size() == 1 || launched.outcome != Outcome::kCompleted;
  for (Strand& strand : strands) strand.time = all_together ? launched.time : strand.time;
  return launched;
}

check::DataResult Runner::compare(const Part& part) {
  const auto out = [&](ChipId chip) { return part.buffers[index(chip)].out; };
  if (!part.step.kernel) return check::StepData(pod_, part.step).compare(out);
  const check::KernelData data(*part.step.kernel);
  check::DataResult all;
  for (const auto& chip : pod_.chips()) {
    if (out(chip->id()).elements == 0) continue;
    const check::DataResult one = data.compare(*chip, out(chip->id()));
    if (all.wrong == 0) all.explanation = one.explanation;
    all.wrong += one.wrong;
  }
  return all;
}

void Runner::compare(const Strand& strand, StepResult& result) {
  result.wrong = 0;
  for (const Part& part : strand.parts) {
    const check::DataResult checked = compare(part);
    *result.wrong += checked.wrong;
    if (checked.wrong == 0 || result.outcome != Outcome::kCompleted) continue;
    result.outcome = Outcome::kWrongData;
    result.explanation = checked.explanation;
    result.details = {checked.explanation};
  }
}

std::uint64_t Runner::digest(const std::vector<Strand>& strands) {
  check::Digest digest;
  const auto add = [&](const Part& part) {
    for (const auto& chip : pod_.chips()) {
      const firmware::Buffer& out = part.buffers[index(chip->id())].out;
      std::vector<unsigned char> bytes(out.bytes());
      chip->read_memory(out.address, bytes);
      for (const unsigned char byte : bytes) digest.add(byte);
    }
  };
  for (const Strand& strand : strands) std::for_each(strand.parts.begin(), strand.parts.end(), add);
  return digest.value();
}

StepResult Runner::result_of(const Strand& strand, const LaunchResult& launched) {
  const Step& step = strand.step;
  StepResult result;
  result.name = step.name;
  result.outcome = launched.outcome;
  result.explanation = launched.explanation;
  result.details = launched.details;
  result.graph = launched.graph;
  result.bytes = total_bytes(step);
  for (const Part& part : strand.parts) {
    result.count += part.step.kernel ? firmware::output_elements(*part.step.kernel) : part.step.collective.elements;
  }
  const Step& first = strand.parts.front().step;
  result.type = first.kernel ? first.kernel->type : first.collective.type;
  const bool one_collective = step.is_collective();
  const bool reduced = one_collective && reduces(step.collective.kind);
  result.reduction = reduced ? name(step.collective.reduction) : "none";
  result.group_size = group_size(step, pod_.torus());
  if (one_collective && step.collective.kind != CollectiveKind::kCollectivePermute) {
    result.algorithm =
        step.carrier != nullptr
            ? step.carrier->name
            : firmware::name(firmware::chosen_algorithm(step.collective, pod_.torus(), figures_of(pod_.config().chip)));
    if (step.collective.groups != nullptr) result.stretch = step.collective.groups->stretch();
  }
  result.time = strand.time;
  result.events = launched.events;
  const Picoseconds cycle = std::max<Picoseconds>(1, pod_.config().chip.scalar_core.clock.time_for(1));
  result.cycles = static_cast<std::uint64_t>(result.time / cycle);
  if (result.time > 0 && launched.outcome == Outcome::kCompleted) {
    result.algbw_GBps = static_cast<double>(result.bytes) * 1e3 / static_cast<double>(result.time);
    result.busbw_GBps = result.algbw_GBps * bus_factor(step, result.group_size);
  }
  if (launched.outcome == Outcome::kCompleted) result.kernels = kernel_figures(strand, launched.time);
  if (pod_.with_data() && result.outcome == Outcome::kCompleted) compare(strand, result);
  return result;
}

std::optional<KernelFigures> Runner::kernel_figures(const Strand& strand, Picoseconds counted) const {
  std::vector<firmware::KernelCall> kernels;
  for (const Part& part : strand.parts) {
    if (part.step.kernel) kernels.push_back(*part.step.kernel);
  }
  if (kernels.empty()) return std::nullopt;
  return figures_of_kernels(pod_, std::move(kernels), strand.time, counted);
}

std::vector<TokenResult> Runner::tokens(Picoseconds start) {
  std::vector<TokenResult> tokens;
  for (const auto& chip : pod_.chips()) {
    for (firmware::TokenTimes& times : launcher_.device(chip->id()).token_times()) {
      auto token =
          std::find_if(tokens.begin(), tokens.end(), [&](const auto& each) { return each.name == times.name; });
      if (token == tokens.end()) token = tokens.insert(tokens.end(), {times.name, {}});
      times.issued -= start;
      if (times.finished >= 0) times.finished -= start;
      token->chips.push_back({chip->id(), times});
    }
  }
  return tokens;
}

StepResult Runner::run(const Step& given) {
  if (given.module != nullptr) return modules_.run(given.module->module, given.module->options);
  const Step step = with_tiles(with_ring(given, pod_.torus()), pod_.config().chip);
  launcher_.reset_allocation();
  pod_.reset_statistics();
  std::vector<Strand> strands = strands_of(step);
  const Picoseconds began = pod_.queue().now();
  const auto wall_start = std::chrono::steady_clock::now();
  const LaunchResult launched = launch(strands);
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - wall_start;

  StepResult result = result_of(strands.front(), launched);
  result.wall_s = wall.count();
  result.tokens = tokens(began);
  for (std::size_t i = 1; i < strands.size(); ++i) {
    result.beside.push_back(result_of(strands[i], launched));
    StepResult& other = result.beside.back();
    other.wall_s = result.wall_s;
    if (result.outcome != Outcome::kCompleted || other.outcome == Outcome::kCompleted) continue;
    result.outcome = other.outcome;
    result.explanation = other.explanation;
    result.details = other.details;
  }
  const bool compared = pod_.with_data() && launched.outcome == Outcome::kCompleted;
  if (compared && launcher_.may_be_perturbed()) result.digest = digest(strands);
  return result;
}

}  // namespace podsim::run
