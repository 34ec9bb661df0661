// Who waits for whom in a run that hangs: the graph of Holt ("Some deadlock properties of computer systems", 1972).
// A cycle is a deadlock; a node that waits for nothing is a counterpart that is missing.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/kernel/ids.h"

namespace podsim::check {

struct WaitForGraph {
  enum class Kind : std::uint8_t {
    kTask,       // a program, or a task that it has spawned
    kSemaphore,  //
    kCall,       // a collective call of a clique
    kContexts,   // of a scalar core
    kQueue,      // of a DMA engine or TensorCore, whose slots are all taken
    kCopy,       // data or a signal on its way
    kBuffer,     // of a router, for one virtual channel: credits
    kEnded,      // a program that has ended, and will do no more
    kNobody,     // nothing and nobody
  };
  struct Node {
    Kind kind;
    std::string name;   // "chip 3 (1,1), task 2"
    std::string state;  // "at firmware/x.cpp:12 (f)", "holds 0, 64 wanted"
    std::optional<ChipId> chip{};
  };
  struct Edge {
    std::size_t from;
    std::size_t to;
    std::string why;  // "would raise it at firmware/x.cpp:20 (f)"
  };

  std::vector<Node> nodes;
  std::vector<Edge> edges;
  // Nodes of which each waits for the next, and the last for the first; empty if there is no such cycle.
  std::vector<std::size_t> cycle;

  // The node of that kind and name, which is added if it is new.
  std::size_t node(Kind kind, const std::string& name, const std::string& state = {}, std::optional<ChipId> chip = {});
  void edge(std::size_t from, std::size_t to, std::string why = {});
  // Edges out of a node.
  [[nodiscard]] std::vector<std::size_t> out(std::size_t node) const;
  void find_cycle();

 private:
  [[nodiscard]] std::vector<std::size_t> shortest_cycle(std::size_t through) const;

  std::map<std::pair<Kind, std::string>, std::size_t> by_name_;
  std::vector<std::vector<std::size_t>> out_;
};

// "task", "semaphore", ...
[[nodiscard]] std::string_view name(WaitForGraph::Kind kind);
// For Graphviz: `dot -Tsvg`.
[[nodiscard]] std::string to_dot(const WaitForGraph& graph);

}  // namespace podsim::check
