#include "platform/run/sequence.h"

#include <algorithm>
#include <tuple>

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

bool same_call(const firmware::CollectiveCall& a, const firmware::CollectiveCall& b) {
  const auto fields = [](const firmware::CollectiveCall& call) {
    return std::tie(call.kind, call.algorithm, call.axes, call.type, call.reduction, call.directions, call.elements,
                    call.pairs, call.root, call.chunks, call.window);
  };
  return fields(a) == fields(b) && same_groups(a, b);
}

}  // namespace

void number_calls(std::vector<SequenceCall>& calls, std::uint32_t chips) {
  struct Numbered {
    const SequenceCall* first;
    std::vector<bool> made;
  };
  std::vector<Numbered> numbered;
  for (SequenceCall& call : calls) {
    if (call.pause) continue;
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
      if (!again && !numbered[number].first->kernel && same_call(numbered[number].first->collective, call.collective)) break;
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
    if (!call.pause) calls = std::max(calls, call.number + 1);
  }
  return calls;
}

firmware::Task run_sequence(firmware::Device& chip, const Step& step, std::vector<CallBuffers> buffers) {
  chip.allocate().split(std::max(1u, calls_in(step.sequence)));
  std::vector<firmware::Token> under_way;
  std::vector<bool> made(calls_in(step.sequence));  // a call may be made again, on the same buffers
  for (const SequenceCall& call : step.sequence) {
    if (!call.made_by(chip.id())) continue;
    if (call.pause) {
      co_await chip.delay(*call.pause);
      continue;
    }
    chip.allocate().use_share(call.number);
    if (made[call.number]) chip.allocate().reuse_memory();
    made[call.number] = true;
    const CallBuffers& own = buffers[call.number];
    if (call.kernel && call.async) {
      under_way.push_back(firmware::start_kernel(chip, *call.kernel, own.in, own.out));
    } else if (call.kernel) {
      co_await firmware::run_kernel(chip, *call.kernel, own.in, own.out);
    } else if (call.async) {
      under_way.push_back(firmware::start_collective(chip, call.collective, own.in, own.out));
    } else {
      co_await firmware::run_collective(chip, call.collective, own.in, own.out);
    }
  }
  for (firmware::Token& token : under_way) co_await token;
}

}  // namespace podsim::run
