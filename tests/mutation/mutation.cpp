#include "tests/mutation/mutation.h"

#include <fmt/format.h>

namespace podsim::mutation {

namespace {

bool is_write(const Action& action) { return action.kind != Action::Kind::kWait; }

std::string what(const Action& action) {
  const auto named = [&](const char* part) { return action.semaphore.find(part) != std::string::npos; };
  const bool barrier = named("barrier");
  const bool capacity = named("capacity") || named("ready");
  switch (action.kind) {
    case Action::Kind::kWait: return barrier ? "barrier wait" : capacity ? "capacity wait" : "wait";
    case Action::Kind::kSignal: return barrier ? "barrier signal" : capacity ? "capacity signal" : "signal";
    case Action::Kind::kCopy: return "copy";
    case Action::Kind::kVector: return "vector operation";
  }
  return "?";
}

}  // namespace

std::string kind_of(const Mutation& mutation) {
  switch (mutation.change) {
    case Change::kDrop: return "drop a " + what(mutation.action);
    case Change::kDuplicate: return "duplicate a " + what(mutation.action);
    case Change::kSwapWithNext:
      if (is_write(mutation.action) == is_write(mutation.next)) {
        return is_write(mutation.action) ? "swap two starts or signals" : "swap two waits";
      }
      return fmt::format("swap a {} with the {} behind it", what(mutation.action), what(mutation.next));
    case Change::kWrongSlot: return fmt::format("wrong slot of a {}", what(mutation.action));
    case Change::kWrongNeighbour: return fmt::format("wrong neighbour of a {}", what(mutation.action));
  }
  return "?";
}

std::vector<Mutation> mutations_of(const std::vector<Action>& actions) {
  std::vector<Mutation> mutations;
  for (const Action& action : actions) {
    mutations.push_back({Change::kDrop, action, {}});
    mutations.push_back({Change::kDuplicate, action, {}});
    if (action.kind == Action::Kind::kCopy || action.kind == Action::Kind::kVector) {
      mutations.push_back({Change::kWrongSlot, action, {}});
    }
    const bool remote = action.kind == Action::Kind::kSignal ||
                        (action.kind == Action::Kind::kCopy && chip_of(action.words[0]) != chip_of(action.words[1]));
    if (remote) mutations.push_back({Change::kWrongNeighbour, action, {}});
    for (const Action& next : actions) {
      if (next.task == action.task && next.number == action.number + 1) {
        mutations.push_back({Change::kSwapWithNext, action, next});
      }
    }
  }
  return mutations;
}

std::string why_equivalent(const Mutation& mutation) {
  if (mutation.change != Change::kSwapWithNext) return {};
  if (is_write(mutation.action) && is_write(mutation.next)) {
    return "no order is promised between two copies, or a copy and a signal, without a wait between them";
  }
  if (!is_write(mutation.action) && !is_write(mutation.next)) {
    return "the task does nothing between the two waits, so nothing depends on which of them comes first";
  }
  return {};
}

std::string why_harmless(const Mutation& mutation) {
  if (mutation.change != Change::kSwapWithNext) return {};
  if (is_write(mutation.action)) {
    return "a start or signal comes later than it could: it has seen more, and whoever waits for it still gets it";
  }
  if (what(mutation.action) == "barrier wait") {
    return "no neighbour can be a whole kernel ahead, since the kernel needs data of both: the barrier's rounds can't "
           "be "
           "taken for each other";
  }
  return "a start or signal comes before a wait that it does not need: what it touches is in order by other ways";
}

}  // namespace podsim::mutation
