#include "platform/schedule/scheduler.h"

#include <algorithm>
#include <array>
#include <bit>
#include <tuple>
#include <unordered_map>

#include "models/kernel/random.h"
#include "platform/schedule/bounds.h"

namespace podsim::schedule {

Order synchronous(const Problem& problem, const Order& written) {
  Order order;
  for (const Slot& slot : written) {
    if (slot.kind == Slot::Kind::kDone) continue;
    order.push_back(slot);
    if (problem.nodes[slot.instruction].transfer) order.push_back({Slot::Kind::kDone, slot.instruction});
  }
  return order;
}

bool keeps_limits(const Problem& problem, const Order& order) {
  unsigned in_flight = 0;
  for (const Slot& slot : order) {
    if (slot.kind == Slot::Kind::kStart && ++in_flight > problem.in_flight) return false;
    if (slot.kind == Slot::Kind::kDone) --in_flight;
  }
  return predict(problem, order).peak <= problem.memory;
}

namespace {

enum class Progress : std::uint8_t { kWaiting, kUnderWay, kEnded };

// A partial order, and where it has brought the program.
struct State {
  Picoseconds time = 0;
  std::array<Picoseconds, 32> channel_free{};
  std::array<Picoseconds, 32> channel_left{};  // durations of the transfers that have not begun
  Picoseconds work_left = 0;                   // of the program itself, starts and dones included
  Bytes live = 0;
  unsigned in_flight = 0;
  std::uint64_t key = 0;  // of what has ended, and of what is under way until when
  std::vector<Progress> progress;
  std::vector<std::uint32_t> needs_left;  // that have not ended, by node
  std::vector<std::uint32_t> users_left;
  std::vector<Picoseconds> finish;  // of transfers under way
  std::vector<std::size_t> under_way;
  std::vector<std::size_t> ready;  // needs nothing any more, and has not begun; in order
  std::size_t first_waiting = 0;   // in Bounds::by_tail
  std::size_t last = 0;            // place of the newest step in the history
};

// A way to go on.
struct Move {
  std::size_t state;
  Slot slot;
  Picoseconds bound;
  Picoseconds time;
  Picoseconds tail;  // of what it moves: the longer, the more urgent
  std::uint64_t key;
};

class Search {
 public:
  explicit Search(const Problem& problem)
      : problem_(problem), users_(users_of(problem)), bounds_(problem), size_(problem.nodes.size()) {
    kernel::Random random(1);
    for (std::size_t i = 0; i < size_; ++i) keys_.push_back(random.next());
  }

  // Empty when no order keeps the limits.
  Order run() {
    std::vector<State> beam{first()};
    history_.push_back({});
    std::size_t slots = 0;
    for (const Node& node : problem_.nodes) slots += node.transfer ? 2 : 1;
    for (std::size_t step = 0; step < slots; ++step) {
      std::vector<Move> moves;
      for (std::size_t s = 0; s < beam.size(); ++s) collect(beam[s], s, moves);
      if (moves.empty()) return {};
      beam = best_of(beam, moves);
    }
    return order_of(beam.front());
  }

 private:
  struct Step {
    std::size_t before = 0;
    Slot slot;
  };

  State first() const {
    State state;
    state.progress.resize(size_);
    state.needs_left.resize(size_);
    state.users_left.resize(size_);
    state.finish.resize(size_);
    for (std::size_t i = 0; i < size_; ++i) {
      const Node& node = problem_.nodes[i];
      state.needs_left[i] = static_cast<std::uint32_t>(node.needs.size());
      state.users_left[i] = static_cast<std::uint32_t>(users_[i].size());
      if (node.needs.empty()) state.ready.push_back(i);
      state.work_left += node.transfer ? problem_.start_cost + problem_.done_cost : node.duration;
      for_each_channel(node, [&](std::size_t c) { state.channel_left[c] += node.duration; });
    }
    return state;
  }

  template <class Visit>
  static void for_each_channel(const Node& node, Visit&& visit) {
    for (Channels set = node.channels; set != 0; set &= set - 1) visit(static_cast<std::size_t>(std::countr_zero(set)));
  }

  // Of a transfer under way.
  [[nodiscard]] std::uint64_t key_of(std::size_t node, Picoseconds finish) const {
    return kernel::Random(keys_[node] + static_cast<std::uint64_t>(finish)).next();
  }

  void collect(const State& state, std::size_t number, std::vector<Move>& moves) const {
    for (const std::size_t i : state.ready) {
      const Node& node = problem_.nodes[i];
      if (state.live + node.result > problem_.memory) continue;
      if (node.transfer && state.in_flight >= problem_.in_flight) continue;
      add(state, number, {node.transfer ? Slot::Kind::kStart : Slot::Kind::kRun, i}, moves);
    }
    for (const std::size_t i : state.under_way) add(state, number, {Slot::Kind::kDone, i}, moves);
  }

  void add(const State& state, std::size_t number, const Slot& slot, std::vector<Move>& moves) const {
    const std::size_t i = slot.instruction;
    const Node& node = problem_.nodes[i];
    Picoseconds time = state.time;
    Picoseconds work = state.work_left;
    Picoseconds chain = 0;  // until the end, by way of what moves
    std::uint64_t key = state.key;
    switch (slot.kind) {
      case Slot::Kind::kRun:
        time += node.duration;
        work -= node.duration;
        chain = time + bounds_.tail(i);
        key ^= keys_[i];
        break;
      case Slot::Kind::kStart: {
        time += problem_.start_cost;
        work -= problem_.start_cost;
        Picoseconds begin = time;
        for_each_channel(node, [&](std::size_t c) { begin = std::max(begin, state.channel_free[c]); });
        chain = begin + node.duration + problem_.done_cost + bounds_.tail(i);
        key ^= key_of(i, begin + node.duration);
        break;
      }
      case Slot::Kind::kDone:
        time = std::max(time, state.finish[i]) + problem_.done_cost;
        work -= problem_.done_cost;
        chain = time + bounds_.tail(i);
        key ^= key_of(i, state.finish[i]) ^ keys_[i];
        break;
    }
    Picoseconds bound = std::max(time + work, chain);
    for (std::size_t c = 0; c < state.channel_left.size(); ++c) {
      if (state.channel_left[c] > 0) {
        bound =
            std::max(bound, std::max(state.channel_free[c], state.time) + state.channel_left[c] + problem_.done_cost);
      }
    }
    for (const std::size_t other : state.under_way) {
      if (other != i) bound = std::max(bound, state.finish[other] + problem_.done_cost + bounds_.tail(other));
    }
    bound = std::max(bound, time + bounds_.longest_waiting(state.first_waiting, i, state.progress));
    moves.push_back({number, slot, bound, time, bounds_.tail(i), key});
  }

  std::vector<State> best_of(std::vector<State>& beam, std::vector<Move>& moves) {
    // What brings to the same place, in the shorter time; then what promises the shortest whole, and among those what
    // starts transfers, and the more urgent first.
    const auto rank = [](const Move& move) {
      const int kind = move.slot.kind == Slot::Kind::kStart ? 0 : move.slot.kind == Slot::Kind::kRun ? 1 : 2;
      return std::tuple(move.bound, kind, -move.tail, move.time, move.slot.instruction, move.state);
    };
    std::sort(moves.begin(), moves.end(), [&](const Move& a, const Move& b) { return rank(a) < rank(b); });
    const std::size_t width = size_ <= 64 ? 96 : size_ <= 512 ? 24 : 8;
    std::unordered_map<std::uint64_t, Picoseconds> taken;
    std::vector<State> next;
    for (const Move& move : moves) {
      if (next.size() == width) break;
      const auto [place, is_new] = taken.try_emplace(move.key, move.time);
      if (!is_new && place->second <= move.time) continue;
      place->second = move.time;
      next.push_back(after(beam[move.state], move));
    }
    return next;
  }

  State after(const State& before, const Move& move) {
    State state = before;
    const std::size_t i = move.slot.instruction;
    const Node& node = problem_.nodes[i];
    history_.push_back({before.last, move.slot});
    state.last = history_.size() - 1;
    state.key = move.key;
    if (move.slot.kind != Slot::Kind::kDone) {
      std::erase(state.ready, i);
      state.live += node.result;
    }
    switch (move.slot.kind) {
      case Slot::Kind::kRun:
        state.work_left -= node.duration;
        end(state, i);
        break;
      case Slot::Kind::kStart: {
        state.work_left -= problem_.start_cost;
        Picoseconds begin = move.time;
        for_each_channel(node, [&](std::size_t c) { begin = std::max(begin, state.channel_free[c]); });
        state.finish[i] = begin + node.duration;
        for_each_channel(node, [&](std::size_t c) {
          state.channel_free[c] = state.finish[i];
          state.channel_left[c] -= node.duration;
        });
        state.progress[i] = Progress::kUnderWay;
        state.under_way.push_back(i);
        ++state.in_flight;
        break;
      }
      case Slot::Kind::kDone:
        state.work_left -= problem_.done_cost;
        std::erase(state.under_way, i);
        --state.in_flight;
        end(state, i);
        break;
    }
    state.time = move.time;
    while (state.first_waiting < size_ && state.progress[bounds_.by_tail(state.first_waiting)] != Progress::kWaiting) {
      ++state.first_waiting;
    }
    return state;
  }

  void end(State& state, std::size_t i) const {
    state.progress[i] = Progress::kEnded;
    for (const std::size_t user : users_[i]) {
      if (--state.needs_left[user] > 0) continue;
      state.ready.insert(std::lower_bound(state.ready.begin(), state.ready.end(), user), user);
    }
    for (const std::size_t need : problem_.nodes[i].needs) {
      if (--state.users_left[need] == 0) state.live -= problem_.nodes[need].result;
    }
  }

  Order order_of(const State& state) const {
    Order order;
    for (std::size_t at = state.last; at != 0; at = history_[at].before) order.push_back(history_[at].slot);
    std::reverse(order.begin(), order.end());
    return order;
  }

  const Problem& problem_;
  const std::vector<std::vector<std::size_t>> users_;
  const Bounds bounds_;
  const std::size_t size_;
  std::vector<std::uint64_t> keys_;  // of a node that has ended
  std::vector<Step> history_;        // the first stands for the beginning
};

}  // namespace

Order latency_hiding(const Problem& problem, const Order& written) {
  const Order found = Search(problem).run();
  if (found.empty()) return written;
  const bool faster = predict(problem, written).total < predict(problem, found).total;
  return faster && keeps_limits(problem, written) ? written : found;
}

}  // namespace podsim::schedule
