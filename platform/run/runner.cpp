#include "platform/run/runner.h"

#include <algorithm>
#include <chrono>

#include "firmware/collectives/algorithm.h"
#include "firmware/collectives/collective.h"
#include "firmware/collectives/cost_model.h"
#include "firmware/programs/side_by_side.h"
#include "platform/check/step_data.h"
#include "platform/run/figures.h"

namespace podsim::run {

using firmware::CollectiveKind;

namespace {

// What nccl-tests multiplies the algorithm bandwidth by to compare it with the hardware's.
double bus_factor(const Step& step, std::uint64_t group) {
  if (step.program != nullptr || group == 0) return 1;
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
  if (step.program != nullptr) return torus.chips();
  return firmware::group_size(step.collective, torus);
}

// A pod of listed links has no axes to go along: a collective of the whole pod gets a ring laid through all chips.
Step with_ring(Step step, const ici::TorusShape& torus) {
  const bool goes_along_axes = step.program == nullptr && !step.collective.groups &&
                               step.collective.kind != CollectiveKind::kCollectivePermute;
  if (torus.listed_links() == nullptr || !goes_along_axes) return step;
  std::vector<ChipId> chips;
  for (std::uint32_t i = 0; i < torus.chips(); ++i) chips.push_back(static_cast<ChipId>(i));
  step.collective.groups = std::make_shared<const firmware::ReplicaGroups>(torus, std::vector<std::vector<ChipId>>{chips});
  return step;
}

}  // namespace

Bytes footprint(const Step& step, const ici::TorusShape& torus) {
  // In, out, and about as much again for the slots of the collective.
  Bytes bytes = 3 * step.collective.elements * tensor_core::size_of(step.collective.type) * torus.chips();
  for (const Step& other : step.beside) bytes += footprint(other, torus);
  return bytes;
}

bool moves_data(DataMode mode, const std::vector<Step>& steps, const ici::TorusShape& torus) {
  if (mode != DataMode::kAuto) return mode == DataMode::kReal;
  return std::all_of(steps.begin(), steps.end(),
                     [&](const Step& step) { return footprint(step, torus) <= kMostAutoBytes; });
}

Runner::Runner(pod::Pod& pod, Picoseconds time_limit) : pod_(pod), time_limit_(time_limit), launcher_(pod) {}

struct Runner::Buffers {
  firmware::Buffer in;
  firmware::Buffer out;
};

struct Runner::Part {
  const Step& step;
  std::unique_ptr<check::StepData> data;
  std::vector<Buffers> buffers;  // by chip
  Picoseconds time = 0;          // until the last chip's program has ended

  [[nodiscard]] firmware::Task program(firmware::Device& device) const {
    const Buffers& own = buffers[index(device.id())];
    if (step.program != nullptr) return step.program->run(device, own.in, own.out);
    return firmware::run_collective(device, step.collective, own.in, own.out);
  }
};

Runner::Buffers Runner::allocate(const Step& step, ChipId chip) {
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

std::vector<Runner::Part> Runner::prepare(const Step& step) {
  std::vector<Part> parts;
  parts.push_back({step, std::make_unique<check::StepData>(pod_, step), {}});
  for (const Step& other : step.beside) parts.push_back({other, std::make_unique<check::StepData>(pod_, other), {}});
  for (const auto& chip : pod_.chips()) {
    for (Part& part : parts) {
      part.buffers.push_back(allocate(part.step, chip->id()));
      const Buffers& own = part.buffers.back();
      if (pod_.with_data()) part.data->fill(*chip, own.in, own.out);
    }
  }
  return parts;
}

LaunchResult Runner::launch(std::vector<Part>& parts) {
  const Picoseconds start = pod_.queue().now();
  const auto ended = [&](std::size_t part) { parts[part].time = pod_.queue().now() - start; };
  const LaunchResult launched = launcher_.launch(
      [&](firmware::Device& device) {
        if (parts.size() == 1) return parts.front().program(device);
        std::vector<firmware::Task> programs;
        for (const Part& part : parts) programs.push_back(part.program(device));
        return firmware::side_by_side(device, std::move(programs), ended);
      },
      time_limit_);
  const bool all_together = parts.size() == 1 || launched.outcome != Outcome::kCompleted;
  for (Part& part : parts) part.time = all_together ? launched.time : part.time;
  return launched;
}

StepResult Runner::result_of(const Part& part, const LaunchResult& launched) {
  const Step& step = part.step;
  StepResult result;
  result.name = step.name;
  result.outcome = launched.outcome;
  result.explanation = launched.explanation;
  result.details = launched.details;
  result.bytes = step.collective.elements * tensor_core::size_of(step.collective.type);
  result.count = step.collective.elements;
  result.type = step.collective.type;
  const bool reduced = step.program == nullptr && reduces(step.collective.kind);
  result.reduction = reduced ? name(step.collective.reduction) : "none";
  result.group_size = group_size(step, pod_.torus());
  if (step.program == nullptr && step.collective.kind != CollectiveKind::kCollectivePermute) {
    result.algorithm =
        firmware::name(firmware::chosen_algorithm(step.collective, pod_.torus(), figures_of(pod_.config().chip)));
    if (step.collective.groups != nullptr) result.stretch = step.collective.groups->stretch();
  }
  result.time = part.time;
  result.events = launched.events;
  const Picoseconds cycle = std::max<Picoseconds>(1, pod_.config().chip.scalar_core.clock.time_for(1));
  result.cycles = static_cast<std::uint64_t>(result.time / cycle);
  if (result.time > 0 && launched.outcome == Outcome::kCompleted) {
    result.algbw_GBps = static_cast<double>(result.bytes) * 1e3 / static_cast<double>(result.time);
    result.busbw_GBps = result.algbw_GBps * bus_factor(step, result.group_size);
  }

  if (pod_.with_data() && result.outcome == Outcome::kCompleted) {
    const check::DataResult checked = part.data->compare([&](ChipId chip) { return part.buffers[index(chip)].out; });
    result.wrong = checked.wrong;
    if (checked.wrong > 0) {
      result.outcome = Outcome::kWrongData;
      result.explanation = checked.explanation;
      result.details = {checked.explanation};
    }
  }
  return result;
}

StepResult Runner::run(const Step& given) {
  const Step step = with_ring(given, pod_.torus());
  launcher_.reset_allocation();
  pod_.reset_statistics();
  std::vector<Part> parts = prepare(step);
  const auto wall_start = std::chrono::steady_clock::now();
  const LaunchResult launched = launch(parts);
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - wall_start;

  StepResult result = result_of(parts.front(), launched);
  result.wall_s = wall.count();
  for (std::size_t i = 1; i < parts.size(); ++i) {
    result.beside.push_back(result_of(parts[i], launched));
    StepResult& other = result.beside.back();
    other.wall_s = result.wall_s;
    if (result.outcome != Outcome::kCompleted || other.outcome == Outcome::kCompleted) continue;
    result.outcome = other.outcome;
    result.explanation = other.explanation;
    result.details = other.details;
  }
  return result;
}

}  // namespace podsim::run
