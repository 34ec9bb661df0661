#include "platform/schedule/problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace podsim::schedule {

std::vector<std::vector<std::size_t>> users_of(const Problem& problem) {
  std::vector<std::vector<std::size_t>> users(problem.nodes.size());
  for (std::size_t i = 0; i < problem.nodes.size(); ++i) {
    for (const std::size_t need : problem.nodes[i].needs) users[need].push_back(i);
  }
  return users;
}

namespace {

// Plays an order on the program's clock and the channels'.
class Replay {
 public:
  explicit Replay(const Problem& problem) : problem_(problem), nodes_(problem.nodes.size()) {
    for (const Node& node : problem.nodes) {
      for (const std::size_t need : node.needs) ++nodes_[need].users;
    }
    timeline_.transfers.resize(nodes_.size());
  }

  void play(const Slot& slot) {
    const Picoseconds begin = timeline_.total;
    const std::size_t i = slot.instruction;
    switch (slot.kind) {
      case Slot::Kind::kRun:
        begin_node(i, false);
        timeline_.total += problem_.nodes[i].duration;
        end_node(i);
        break;
      case Slot::Kind::kStart:
        begin_node(i, true);
        timeline_.total += problem_.start_cost;
        transfer(i);
        break;
      case Slot::Kind::kDone:
        if (!nodes_[i].begun || nodes_[i].ended) fail(i, "is waited for without being under way");
        timeline_.total = std::max(timeline_.total, timeline_.transfers[i].end) + problem_.done_cost;
        end_node(i);
        break;
    }
    timeline_.slots.push_back({begin, timeline_.total});
  }

  Timeline finish() {
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (!nodes_[i].ended) fail(i, "is left out or never waited for");
    }
    return std::move(timeline_);
  }

 private:
  struct State {
    bool begun = false, ended = false;
    std::size_t users = 0;  // that have not ended
  };

  [[noreturn]] static void fail(std::size_t node, const char* what) {
    throw BadOrder(fmt::format("instruction {} {}", node, what));
  }

  void begin_node(std::size_t i, bool transfer) {
    const Node& node = problem_.nodes.at(i);
    if (nodes_[i].begun) fail(i, "is there twice");
    if (node.transfer != transfer) fail(i, transfer ? "is started, and is no transfer" : "is run, and is a transfer");
    for (const std::size_t need : node.needs) {
      if (!nodes_[need].ended) fail(i, "comes before something that it needs");
    }
    nodes_[i].begun = true;
    live_ += node.result;
    timeline_.peak = std::max(timeline_.peak, live_);
  }

  void end_node(std::size_t i) {
    nodes_[i].ended = true;
    for (const std::size_t need : problem_.nodes[i].needs) {
      if (--nodes_[need].users == 0) live_ -= problem_.nodes[need].result;
    }
  }

  void transfer(std::size_t i) {
    const Node& node = problem_.nodes[i];
    Picoseconds begin = timeline_.total;
    for (std::size_t c = 0; c < free_.size(); ++c) {
      if ((node.channels >> c & 1u) != 0) begin = std::max(begin, free_[c]);
    }
    for (std::size_t c = 0; c < free_.size(); ++c) {
      if ((node.channels >> c & 1u) != 0) free_[c] = begin + node.duration;
    }
    timeline_.transfers[i] = {begin, begin + node.duration};
  }

  const Problem& problem_;
  std::vector<State> nodes_;
  std::array<Picoseconds, 32> free_{};
  Bytes live_ = 0;
  Timeline timeline_;
};

}  // namespace

Timeline predict(const Problem& problem, const Order& order) {
  Replay replay(problem);
  for (const Slot& slot : order) replay.play(slot);
  return replay.finish();
}

}  // namespace podsim::schedule
