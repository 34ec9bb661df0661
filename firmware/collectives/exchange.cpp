#include "firmware/collectives/exchange.h"

#include <algorithm>

#include "firmware/collectives/reduce_scatter.h"

namespace podsim::firmware {

namespace {

// With four, the word that a slot is free has three steps' time to travel.
constexpr std::size_t kSlots = 4;

// Steps that reduce, in order: they take turns in the slots.
std::vector<std::size_t> reducing(const ExchangePlan& plan) {
  std::vector<std::size_t> steps;
  for (std::size_t s = 0; s < plan.size(); ++s) {
    if (plan[s].action == ExchangeStep::Action::kReduce) steps.push_back(s);
  }
  return steps;
}

std::vector<Buffer> take_slots(Allocator& allocate, const ExchangePlan& plan, const std::vector<std::size_t>& steps,
                               DType type, Bytes vmem) {
  std::vector<Buffer> slots;
  for (std::size_t i = 0; i < std::min(kSlots, steps.size()); ++i) {
    std::uint64_t room = 0;
    for (std::size_t n = i; n < steps.size(); n += kSlots) room = std::max(room, plan[steps[n]].room);
    const bool fits = room * tensor_core::size_of(type) <= vmem / kSlots;
    slots.push_back(fits ? allocate.vmem(room, type) : allocate.hbm(room, type));
  }
  return slots;
}

}  // namespace

Task exchange_all_reduce(Device& chip, ExchangePlan plan, Reduction reduction, Bytes vmem, Buffer in, Buffer out) {
  Allocator& allocate = chip.allocate();
  const std::vector<std::size_t> reduces = reducing(plan);
  const std::vector<Buffer> slots = take_slots(allocate, plan, reduces, in.type, vmem);
  const auto ready = allocate.regular_semaphores("exchange_ready", reduces.size());
  const auto recv = allocate.dma_semaphores("exchange_recv", plan.size());
  const auto local = allocate.dma_semaphores("exchange_local", 2);
  const DmaSemaphore sent = local[0];
  const DmaSemaphore added = local[1];
  if (plan.empty()) co_await chip.start_copy(in, out, added);

  // Tells the peer of reducing step n that it may send.
  const auto invite = [&](std::size_t n) {
    if (n < reduces.size() && !plan[reduces[n]].receive.empty()) chip.signal(ready[n], plan[reduces[n]].peer);
  };
  for (std::size_t n = 0; n < kSlots; ++n) invite(n);

  Buffer current = in;  // until something has been added
  std::size_t n = 0;    // reducing steps so far
  for (std::size_t s = 0; s < plan.size(); ++s) {
    const ExchangeStep& step = plan[s];
    const bool reduce = step.action == ExchangeStep::Action::kReduce;
    const Buffer source = current.slice(step.send);
    if (!step.send.empty()) {
      Buffer to = out.slice(step.send);
      // A place in the result is free: the peer has sent what it had there to this chip in an earlier step.
      if (reduce) {
        co_await chip.wait(ready[n]);
        to = slots[n % kSlots].slice({0, step.send.size()});
      }
      chip.start_remote_copy({.src = source, .dst = to, .to = step.peer, .send = sent, .recv = recv[s]});
    }
    const Buffer received = out.slice(step.receive);
    if (!step.receive.empty()) co_await chip.wait(recv[s], received.bytes());
    if (!step.send.empty()) co_await chip.wait(sent, source.bytes());
    if (!reduce) continue;
    if (!step.receive.empty()) {
      const Buffer slot = slots[n % kSlots].slice({0, step.receive.size()});
      co_await chip.start_vector(opcode(reduction), slot, current.slice(step.receive), received, added);
      current = out;
    }
    invite(n + kSlots);
    ++n;
  }
}

}  // namespace podsim::firmware
