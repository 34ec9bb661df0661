#include "platform/check/semaphore_ledger.h"

#include <algorithm>

namespace podsim::check {

namespace {

bool one_issuer(const std::deque<Contribution>& some) {
  const Contribution& first = some.front();
  return std::all_of(some.begin(), some.end(),
                     [&](const Contribution& each) { return each.chip == first.chip && each.task == first.task; });
}

// Component by component, the least that signals making up `amount` must have seen.
VectorClock least_seen(const std::deque<Contribution>& some, std::uint64_t amount) {
  std::size_t size = 0;
  for (const Contribution& each : some) size = std::max(size, each.clock->size());
  VectorClock least;
  std::vector<std::pair<std::uint32_t, std::uint64_t>> seen(some.size());  // time, amount
  for (std::size_t slot = 0; slot < size; ++slot) {
    for (std::size_t i = 0; i < some.size(); ++i) {
      seen[i] = {(*some[i].clock)[static_cast<Slot>(slot)], some[i].amount};
    }
    std::sort(seen.begin(), seen.end());
    std::uint64_t sum = 0;
    for (const auto& [time, part] : seen) {
      sum += part;
      if (sum < amount) continue;
      if (time > 0) least.set(static_cast<Slot>(slot), time);
      break;
    }
  }
  return least;
}

}  // namespace

void SemaphoreLedger::raise(ChipId chip, std::uint32_t semaphore, Contribution contribution) {
  if (contribution.amount == 0) return;
  Semaphore& state = semaphores_[index(chip)][semaphore];
  state.amount += contribution.amount;
  state.raised += contribution.amount;
  const bool known =
      std::find(state.signallers.begin(), state.signallers.end(), contribution.chip) != state.signallers.end();
  if (!known) state.signallers.push_back(contribution.chip);
  state.last_raised = {contribution.amount, contribution.chip, contribution.point};
  state.outstanding.push_back(std::move(contribution));
}

SemaphoreLedger::Knowledge SemaphoreLedger::wait(ChipId chip, std::uint32_t semaphore, std::uint64_t amount) {
  Knowledge knowledge;
  Semaphore& state = semaphores_[index(chip)][semaphore];
  state.taken += amount;
  state.waited_for += amount;
  if (amount == 0 || state.outstanding.empty()) {
    knowledge.clock = state.settled;
  } else if (state.taken >= state.amount) {
    settle_all(state, knowledge);
  } else {
    settle_some(state, knowledge);
  }
  return knowledge;
}

// All of them were needed.
void SemaphoreLedger::settle_all(Semaphore& semaphore, Knowledge& knowledge) {
  const VectorClock* last = nullptr;
  for (Contribution& each : semaphore.outstanding) {
    if (each.clock.get() != last) semaphore.settled.join(*each.clock);
    last = each.clock.get();
    if (each.operation) knowledge.over.push_back(std::move(each));
  }
  semaphore.outstanding.clear();
  semaphore.amount = semaphore.taken = 0;
  knowledge.clock = semaphore.settled;
}

void SemaphoreLedger::settle_some(Semaphore& semaphore, Knowledge& knowledge) {
  auto& some = semaphore.outstanding;
  const std::uint64_t surplus = semaphore.amount - semaphore.taken;
  if (one_issuer(some)) {
    // A task's later signals have seen at least what its earlier ones have.
    std::uint64_t sum = 0;
    for (const Contribution& each : some) {
      sum += each.amount;
      if (sum < semaphore.taken) continue;
      semaphore.settled.join(*each.clock);
      break;
    }
  } else {
    semaphore.settled.join(least_seen(some, semaphore.taken));
  }
  for (const Contribution& each : some) {
    if (!each.operation || each.amount <= surplus) continue;
    semaphore.settled.join(*each.clock);
    knowledge.over.push_back(each);
  }
  knowledge.clock = semaphore.settled;
  // Plain signals of one task that have been used up say nothing any more.
  while (!some.front().operation && semaphore.taken >= some.front().amount && one_issuer(some)) {
    semaphore.taken -= some.front().amount;
    semaphore.amount -= some.front().amount;
    some.pop_front();
  }
}

const SemaphoreLedger::Semaphore* SemaphoreLedger::find(ChipId chip, std::uint32_t semaphore) const {
  const auto found = semaphores_[index(chip)].find(semaphore);
  return found == semaphores_[index(chip)].end() ? nullptr : &found->second;
}

std::vector<Contribution> SemaphoreLedger::outstanding(ChipId chip, std::uint32_t semaphore) const {
  const Semaphore* const state = find(chip, semaphore);
  if (state == nullptr) return {};
  return {state->outstanding.begin(), state->outstanding.end()};
}

std::uint64_t SemaphoreLedger::raised(ChipId chip, std::uint32_t semaphore) const {
  const Semaphore* const state = find(chip, semaphore);
  return state == nullptr ? 0 : state->raised;
}

std::uint64_t SemaphoreLedger::waited_for(ChipId chip, std::uint32_t semaphore) const {
  const Semaphore* const state = find(chip, semaphore);
  return state == nullptr ? 0 : state->waited_for;
}

const Origin* SemaphoreLedger::last_raised(ChipId chip, std::uint32_t semaphore) const {
  const Semaphore* const state = find(chip, semaphore);
  return state == nullptr || state->raised == 0 ? nullptr : &state->last_raised;
}

std::vector<ChipId> SemaphoreLedger::signallers(ChipId chip, std::uint32_t semaphore) const {
  const Semaphore* const state = find(chip, semaphore);
  return state == nullptr ? std::vector<ChipId>{} : state->signallers;
}

}  // namespace podsim::check
