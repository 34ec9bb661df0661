#include "platform/run/sequence.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "firmware/collectives/collective.h"
#include "firmware/kernels/kernel.h"

namespace podsim::run {

namespace {

// Barrier semaphores that the calls take turns in.
constexpr std::uint32_t kBarriers = 8;

bool same_groups(const firmware::CollectiveCall& a, const firmware::CollectiveCall& b) {
  if (a.groups == nullptr || b.groups == nullptr) return a.groups == b.groups;
  return std::equal(a.groups->groups().begin(), a.groups->groups().end(), b.groups->groups().begin(),
                    b.groups->groups().end(),
                    [](const auto& one, const auto& other) { return one.members == other.members; });
}

bool same_collective(const firmware::CollectiveCall& a, const firmware::CollectiveCall& b) {
  const auto fields = [](const firmware::CollectiveCall& call) {
    return std::tie(call.kind, call.algorithm, call.axes, call.type, call.reduction, call.directions, call.elements,
                    call.pairs, call.root, call.chunks, call.window);
  };
  return fields(a) == fields(b) && same_groups(a, b);
}

bool same_call(const SequenceCall& a, const SequenceCall& b) {
  return a.program == b.program && a.parameters == b.parameters && a.host_copy == b.host_copy && a.name == b.name &&
         a.of == b.of && same_collective(a.collective, b.collective);
}

firmware::Task program_of(firmware::Device& chip, const SequenceCall& call, const CallBuffers& buffers) {
  if (call.program != nullptr) {
    return firmware::start(*call.program, chip, {buffers.in, buffers.out, {}, call.parameters});
  }
  if (call.kernel) return firmware::run_kernel(chip, *call.kernel, operands_in(*call.kernel, buffers.in), buffers.out);
  return firmware::run_collective(chip, call.collective, buffers.in, buffers.out);
}

firmware::Token start(firmware::Device& chip, const SequenceCall& call, const CallBuffers& buffers) {
  if (call.program != nullptr || call.kernel) return chip.spawn(program_of(chip, call, buffers), call.name);
  return firmware::start_collective(chip, call.collective, buffers.in, buffers.out, firmware::Where::current(),
                                    call.name);
}

}  // namespace

void number_calls(std::vector<SequenceCall>& calls, std::uint32_t chips) {
  struct Numbered {
    const SequenceCall* first;
    std::vector<bool> made;
  };
  std::vector<Numbered> numbered;
  for (SequenceCall& call : calls) {
    if (!call.is_call()) continue;
    if (call.kernel) {
      call.number = static_cast<unsigned>(numbered.size());
      numbered.push_back({&call, std::vector<bool>(chips, true)});  // its own: nobody else takes part
      continue;
    }
    const std::vector<bool> makers = call.chips.empty() ? std::vector<bool>(chips, true) : call.chips;
    unsigned number = 0;
    for (; number < numbered.size(); ++number) {
      const auto& made = numbered[number].made;
      bool again = false;
      for (std::uint32_t i = 0; i < chips; ++i) again = again || (made[i] && makers[i]);
      if (!again && !numbered[number].first->kernel && same_call(*numbered[number].first, call)) break;
    }
    if (number == numbered.size()) numbered.push_back({&call, std::vector<bool>(chips)});
    for (std::uint32_t i = 0; i < chips; ++i) numbered[number].made[i] = numbered[number].made[i] || makers[i];
    call.number = number;
    call.collective.collective_id = number % kBarriers;
  }
}

unsigned calls_in(const std::vector<SequenceCall>& sequence) {
  unsigned calls = 0;
  for (const SequenceCall& call : sequence) {
    if (call.is_call()) calls = std::max(calls, call.number + 1);
  }
  return calls;
}

const SequenceCall* find_call(const std::vector<SequenceCall>& sequence, const std::string& name) {
  const auto call = std::find_if(sequence.begin(), sequence.end(), [&](const auto& each) { return each.name == name; });
  return call == sequence.end() ? nullptr : &*call;
}

firmware::Task run_sequence(firmware::Device& chip, const Step& step, std::vector<CallBuffers> buffers) {
  chip.allocate().split(std::max(1u, calls_in(step.sequence)));
  std::vector<std::pair<std::string, firmware::Token>> under_way;
  std::vector<bool> made(calls_in(step.sequence));  // a call may be made again, on the same buffers
  for (const SequenceCall& call : step.sequence) {
    if (!call.made_by(chip.id())) continue;
    if (call.pause) {
      co_await chip.delay(*call.pause);
      continue;
    }
    if (!call.done.empty()) {
      for (auto& [name, token] : under_way) {
        if (name == call.done) co_await token;
      }
      continue;
    }
    chip.use_share(call.number);
    if (made[call.number]) chip.allocate().reuse_memory();
    made[call.number] = true;
    const CallBuffers& own = buffers[call.number];
    if (call.async) {
      under_way.emplace_back(call.name, start(chip, call, own));
    } else if (!call.name.empty()) {
      firmware::Token token = start(chip, call, own);
      co_await token;
    } else {
      co_await program_of(chip, call, own);
    }
  }
  for (auto& [name, token] : under_way) co_await token;
}

}  // namespace podsim::run
