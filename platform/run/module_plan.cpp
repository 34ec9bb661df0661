#include "platform/run/module_plan.h"

#include <algorithm>

namespace podsim::run {

using firmware::CollectiveCall;
using firmware::HostTransfer;
using firmware::Instruction;
using firmware::Module;
using firmware::Order;
using firmware::Slot;

namespace {

constexpr unsigned kHostOut = 8, kHostIn = 9;  // channels behind the axes

schedule::Channels channels_of(const Instruction& instruction, const ici::TorusShape& torus) {
  if (const auto* const copy = std::get_if<HostTransfer>(&instruction.work))
    return 1u << (copy->out ? kHostOut : kHostIn);
  const auto* const call = std::get_if<CollectiveCall>(&instruction.work);
  if (call == nullptr) return 0;
  schedule::Channels channels = 0;
  for (const ici::Axis axis : call->axes) channels |= 1u << static_cast<unsigned>(axis);
  for (const auto& [from, to] : call->pairs) {
    const ici::Coordinates here = torus.coordinates(from), there = torus.coordinates(to);
    for (unsigned i = 0; i < torus.axes(); ++i) channels |= here[i] != there[i] ? 1u << i : 0u;
  }
  return channels != 0 ? channels : (1u << std::max(1u, torus.axes())) - 1;
}

Bytes scratch_of(const Instruction& instruction, bool before) {
  const auto* const call = std::get_if<CollectiveCall>(&instruction.work);
  if (call == nullptr) return 0;
  const bool needed = before ? lays_out_before(instruction) : lays_out_after(instruction);
  return needed ? call->elements * tensor_core::size_of(call->type) : 0;
}

bool on_host(const Instruction& instruction) {
  const auto* const copy = std::get_if<HostTransfer>(&instruction.work);
  return copy != nullptr && copy->out;
}

Bytes in_hbm(const Instruction& instruction) {
  const Bytes result = on_host(instruction) ? 0 : instruction.result.bytes();
  return result + scratch_of(instruction, true) + scratch_of(instruction, false);
}

Order without_parameters(const Module& module, const Order& order) {
  Order left;
  std::copy_if(order.begin(), order.end(), std::back_inserter(left),
               [&](const Slot& slot) { return !module.instructions[slot.instruction].is_parameter(); });
  return left;
}

// Parameters are there from the beginning.
Order with_parameters(const Module& module, const Order& order) {
  Order all;
  for (std::size_t i = 0; i < module.instructions.size(); ++i) {
    if (module.instructions[i].is_parameter()) all.push_back({Slot::Kind::kRun, i});
  }
  all.insert(all.end(), order.begin(), order.end());
  return all;
}

}  // namespace

bool lies_in_rows(const firmware::KernelCall& call) {
  return input_elements(call) * tensor_core::size_of(call.type) + output_elements(call) * 4 <= kMostInRows;
}

bool lies_in_rows(const Module& module) {
  return std::all_of(module.instructions.begin(), module.instructions.end(), [](const Instruction& each) {
    const auto* const kernel = std::get_if<firmware::KernelCall>(&each.work);
    return kernel == nullptr || lies_in_rows(*kernel);
  });
}

Bytes module_bytes(const Module& module) {
  Bytes bytes = 0;
  for (const Instruction& each : module.instructions) bytes += each.result.bytes();
  return bytes;
}

schedule::Problem problem_of(const Module& module, const Durations& durations, const ici::TorusShape& torus,
                             const ScheduleOptions& options) {
  schedule::Problem problem;
  problem.in_flight = options.in_flight;
  for (std::size_t i = 0; i < module.instructions.size(); ++i) {
    const Instruction& instruction = module.instructions[i];
    schedule::Node node;
    for (const firmware::Operand& operand : instruction.operands) node.needs.push_back(operand.instruction);
    node.needs.insert(node.needs.end(), instruction.after.begin(), instruction.after.end());
    node.transfer = instruction.is_transfer();
    node.duration = durations[i];
    node.channels = channels_of(instruction, torus);
    node.result = in_hbm(instruction);
    problem.nodes.push_back(std::move(node));
  }
  if (options.memory) problem.memory = *options.memory;
  return problem;
}

namespace {

Order scheduled(const schedule::Problem& problem, const Order& written, ScheduleMode mode) {
  switch (mode) {
    case ScheduleMode::kSync: return schedule::synchronous(problem, written);
    case ScheduleMode::kAsWritten: return written;
    case ScheduleMode::kLatencyHiding: return schedule::latency_hiding(problem, written);
  }
  return written;
}

// From the slot in which each instruction begins to the one in which its last user has ended. What nobody uses is a
// result of the module, and stays, as parameters do, which are there from the beginning.
std::vector<module::Lifetime> lifetimes(const Module& module, const Order& order) {
  std::vector<module::Lifetime> lives(module.instructions.size());
  std::vector<bool> used(module.instructions.size());
  const std::size_t end = order.size();
  for (std::size_t at = 0; at < order.size(); ++at) {
    const std::size_t number = order[at].instruction;
    if (order[at].kind != Slot::Kind::kDone) lives[number].first = at;
    if (order[at].kind == Slot::Kind::kStart) continue;
    lives[number].last = at;
    for (const firmware::Operand& operand : module.instructions[number].operands) {
      lives[operand.instruction].last = at;
      used[operand.instruction] = true;
    }
  }
  for (std::size_t i = 0; i < lives.size(); ++i) {
    const bool parameter = module.instructions[i].is_parameter();
    if (parameter) lives[i].first = 0;
    if (parameter || !used[i]) lives[i].last = end;
  }
  return lives;
}

}  // namespace

ModulePlan plan_module(const Module& module, const Durations& durations, const ici::TorusShape& torus,
                       const ScheduleOptions& options) {
  const schedule::Problem problem = problem_of(module, durations, torus, options);
  ModulePlan plan;
  plan.written = module.written;
  plan.order = without_parameters(module, scheduled(problem, with_parameters(module, module.written), options.mode));
  const Order all = with_parameters(module, plan.order);
  plan.expected = predict(problem, all);
  plan.gaps = explain_gaps(problem, all);
  // The program's own slots.
  const auto parameters = static_cast<std::ptrdiff_t>(all.size() - plan.order.size());
  plan.expected.slots.erase(plan.expected.slots.begin(), plan.expected.slots.begin() + parameters);
  plan.lanes = lanes_of(module, plan.order);

  const std::vector<module::Lifetime> lives = lifetimes(module, plan.order);
  std::vector<module::Lifetime> buffers;
  for (std::size_t i = 0; i < module.instructions.size(); ++i) {
    const Instruction& instruction = module.instructions[i];
    buffers.push_back({on_host(instruction) ? 0 : instruction.result.bytes(), lives[i].first, lives[i].last});
    // Scratch is needed while the collective is under way.
    std::size_t done = lives[i].first;
    for (std::size_t at = done; at < plan.order.size(); ++at) {
      if (plan.order[at] == Slot{Slot::Kind::kDone, i}) done = at;
    }
    buffers.push_back({scratch_of(instruction, true), lives[i].first, done});
    buffers.push_back({scratch_of(instruction, false), lives[i].first, done});
    if (on_host(instruction)) plan.host += instruction.result.bytes();
  }
  plan.memory = module::plan_memory(buffers);
  for (std::size_t i = 0; i < module.instructions.size(); ++i) {
    plan.result_at.push_back(plan.memory.offsets[3 * i]);
    plan.before_at.push_back(plan.memory.offsets[3 * i + 1]);
    plan.after_at.push_back(plan.memory.offsets[3 * i + 2]);
  }
  return plan;
}

firmware::Placement place(const Module& module, const ModulePlan& plan, firmware::Allocator& allocator) {
  const firmware::Buffer arena = allocator.hbm(plan.memory.size, firmware::DType::kS8);
  firmware::Placement places;
  for (std::size_t i = 0; i < module.instructions.size(); ++i) {
    const Instruction& instruction = module.instructions[i];
    const firmware::TensorShape& shape = instruction.result;
    firmware::Place each;
    if (on_host(instruction)) {
      const bool pinned = std::get<HostTransfer>(instruction.work).pinned;
      const auto pinning = pinned ? firmware::Pinning::kPinned : firmware::Pinning::kPageable;
      each.result = allocator.host(shape.elements(), shape.type, pinning);
    } else {
      each.result = {arena.address + plan.result_at[i], shape.elements(), shape.type};
    }
    if (const auto* const call = std::get_if<CollectiveCall>(&instruction.work)) {
      each.before = {arena.address + plan.before_at[i], call->elements, call->type};
      each.after = {arena.address + plan.after_at[i], call->elements, call->type};
    }
    places.push_back(each);
  }
  return places;
}

}  // namespace podsim::run
