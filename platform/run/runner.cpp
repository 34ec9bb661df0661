#include "platform/run/runner.h"

#include <algorithm>
#include <chrono>

#include "firmware/collectives/algorithm.h"
#include "firmware/collectives/collective.h"
#include "firmware/collectives/cost_model.h"
#include "platform/check/step_data.h"
#include "platform/run/figures.h"

namespace podsim::run {

using firmware::CollectiveKind;

namespace {

// What nccl-tests multiplies the algorithm bandwidth by to compare it with the hardware's.
double bus_factor(const Step& step, std::uint64_t group) {
  if (step.program != nullptr || !step.sequence.empty() || group == 0) return 1;
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
  if (step.program != nullptr || !step.sequence.empty()) return torus.chips();
  return firmware::group_size(step.collective, torus);
}

}  // namespace

namespace {

Bytes bytes_of(const firmware::CollectiveCall& call) { return call.elements * tensor_core::size_of(call.type); }

// What a step is made of, each with buffers of its own: itself, or the calls of its sequence.
std::vector<Step> parts_of(const Step& step) {
  if (step.sequence.empty()) return {step};
  std::vector<Step> parts(calls_in(step.sequence));
  for (const SequenceCall& call : step.sequence) {
    if (call.pause) continue;
    parts[call.number] = {.name = std::string(name(call.collective.kind)), .collective = call.collective};
  }
  return parts;
}

}  // namespace

Bytes total_bytes(const Step& step) {
  Bytes bytes = 0;
  for (const Step& part : parts_of(step)) bytes += bytes_of(part.collective);
  return bytes;
}

Bytes footprint(const Step& step, const ici::TorusShape& torus) {
  // In, out, and about as much again for the slots of the collective.
  return 3 * total_bytes(step) * torus.chips();
}

bool moves_data(DataMode mode, const std::vector<Step>& steps, const ici::TorusShape& torus) {
  if (mode != DataMode::kAuto) return mode == DataMode::kReal;
  return std::all_of(steps.begin(), steps.end(),
                     [&](const Step& step) { return footprint(step, torus) <= kMostAutoBytes; });
}

Runner::Runner(pod::Pod& pod, const RunOptions& options) : pod_(pod), launcher_(pod, options) {}

CallBuffers Runner::allocate(const Step& step, ChipId chip) {
  const firmware::CollectiveCall& call = step.collective;
  firmware::Allocator& allocator = launcher_.device(chip).allocate();
  // Each chip reserves the same room, so that addresses agree, and uses what its rank has.
  const firmware::CallSizes sizes = step.program != nullptr ? firmware::CallSizes{call.elements, call.elements}
                                                            : firmware::call_sizes(call, pod_.torus(), chip);
  const std::uint64_t room = call.elements + pod_.size();
  const firmware::Buffer in = allocator.hbm(room, call.type);
  const firmware::Buffer out = allocator.hbm(room, call.type);
  return {in.slice({0, sizes.in}), out.slice({0, sizes.out})};
}

Runner::PartBuffers Runner::prepare(const Step& part) {
  PartBuffers buffers;
  for (std::uint32_t i = 0; i < pod_.size(); ++i) {
    buffers.push_back(allocate(part, static_cast<ChipId>(i)));
    launcher_.note_written(buffers.back().in);
  }
  if (!pod_.with_data()) return buffers;
  const check::StepData data(pod_, part);
  for (const auto& chip : pod_.chips()) {
    const CallBuffers& own = buffers[index(chip->id())];
    data.fill(*chip, own.in, own.out);
  }
  return buffers;
}

void Runner::compare(const std::vector<Step>& parts, const std::vector<PartBuffers>& buffers, StepResult& result) {
  result.wrong = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    check::StepData data(pod_, parts[i]);
    const check::DataResult checked = data.compare([&](ChipId chip) { return buffers[i][index(chip)].out; });
    *result.wrong += checked.wrong;
    if (checked.wrong == 0 || result.outcome != Outcome::kCompleted) continue;
    result.outcome = Outcome::kWrongData;
    result.explanation = checked.explanation;
    result.details = {checked.explanation};
  }
}

// FNV-1a (Fowler, Noll, Vo; public domain).
std::uint64_t Runner::digest(const std::vector<PartBuffers>& buffers) {
  std::uint64_t digest = 0xcbf2'9ce4'8422'2325u;
  for (const PartBuffers& part : buffers) {
    for (const auto& chip : pod_.chips()) {
      const firmware::Buffer& out = part[index(chip->id())].out;
      std::vector<unsigned char> bytes(out.bytes());
      chip->read_memory(out.address, bytes);
      for (const unsigned char byte : bytes) digest = (digest ^ byte) * 0x100'0000'01b3u;
    }
  }
  return digest;
}

StepResult Runner::run(const Step& step) {
  launcher_.reset_allocation();
  pod_.reset_statistics();
  const std::vector<Step> parts = parts_of(step);
  std::vector<PartBuffers> buffers;  // by part
  for (std::size_t i = 0; i < parts.size(); ++i) {
    buffers.push_back(prepare(parts[i]));
    if (step.sequence.empty()) continue;
    // Who leaves a call out has nothing to show for it.
    for (std::uint32_t c = 0; c < pod_.size(); ++c) {
      const bool makes = std::any_of(step.sequence.begin(), step.sequence.end(), [&](const SequenceCall& call) {
        return !call.pause && call.number == i && call.made_by(static_cast<ChipId>(c));
      });
      if (!makes) buffers[i][c].out.elements = 0;
    }
  }

  const auto wall_start = std::chrono::steady_clock::now();
  const LaunchResult launched = launcher_.launch([&](firmware::Device& device) {
    const CallBuffers& own = buffers.front()[index(device.id())];
    if (!step.sequence.empty()) {
      std::vector<CallBuffers> each;
      for (const PartBuffers& part : buffers) each.push_back(part[index(device.id())]);
      return run_sequence(device, step, std::move(each));
    }
    return step.program != nullptr ? step.program->run(device, own.in, own.out)
                                   : firmware::run_collective(device, step.collective, own.in, own.out);
  });
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - wall_start;

  StepResult result;
  result.name = step.name;
  result.outcome = launched.outcome;
  result.explanation = launched.explanation;
  result.details = launched.details;
  result.graph = launched.graph;
  result.bytes = total_bytes(step);
  for (const Step& part : parts) result.count += part.collective.elements;
  result.type = parts.front().collective.type;
  const bool one_collective = step.program == nullptr && step.sequence.empty();
  const bool reduced = one_collective && reduces(step.collective.kind);
  result.reduction = reduced ? name(step.collective.reduction) : "none";
  result.group_size = group_size(step, pod_.torus());
  if (one_collective && step.collective.kind != CollectiveKind::kCollectivePermute) {
    result.algorithm =
        firmware::name(firmware::chosen_algorithm(step.collective, pod_.torus(), figures_of(pod_.config().chip)));
    if (step.collective.groups != nullptr) result.stretch = step.collective.groups->stretch();
  }
  result.time = launched.time;
  result.events = launched.events;
  result.wall_s = wall.count();
  const Picoseconds cycle = std::max<Picoseconds>(1, pod_.config().chip.scalar_core.clock.time_for(1));
  result.cycles = static_cast<std::uint64_t>(result.time / cycle);
  if (result.time > 0 && launched.outcome == Outcome::kCompleted) {
    result.algbw_GBps = static_cast<double>(result.bytes) * 1e3 / static_cast<double>(result.time);
    result.busbw_GBps = result.algbw_GBps * bus_factor(step, result.group_size);
  }

  if (pod_.with_data() && result.outcome == Outcome::kCompleted) {
    compare(parts, buffers, result);
    if (launcher_.may_be_perturbed()) result.digest = digest(buffers);
  }
  return result;
}

}  // namespace podsim::run
