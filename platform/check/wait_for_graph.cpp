#include "platform/check/wait_for_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>

namespace podsim::check {

std::size_t WaitForGraph::node(Kind kind, const std::string& name, const std::string& state,
                               std::optional<ChipId> chip) {
  const auto [known, is_new] = by_name_.try_emplace({kind, name}, nodes.size());
  if (is_new) {
    nodes.push_back({kind, name, state, chip});
    out_.emplace_back();
  } else if (nodes[known->second].state.empty()) {
    nodes[known->second].state = state;
  }
  return known->second;
}

void WaitForGraph::edge(std::size_t from, std::size_t to, std::string why) {
  const auto same = [&](std::size_t each) { return edges[each].to == to; };
  if (std::any_of(out_[from].begin(), out_[from].end(), same)) return;
  out_[from].push_back(edges.size());
  edges.push_back({from, to, std::move(why)});
}

std::vector<std::size_t> WaitForGraph::out(std::size_t node) const { return out_[node]; }

// Breadth first, back to where it started; empty if that can't be reached.
std::vector<std::size_t> WaitForGraph::shortest_cycle(std::size_t through) const {
  std::vector<std::size_t> came_from(nodes.size(), nodes.size());
  std::deque<std::size_t> front{through};
  while (!front.empty()) {
    const std::size_t at = front.front();
    front.pop_front();
    for (const std::size_t each : out_[at]) {
      const std::size_t to = edges[each].to;
      if (to == through) {
        std::vector<std::size_t> found;
        for (std::size_t step = at; step != through; step = came_from[step]) found.push_back(step);
        found.push_back(through);
        std::reverse(found.begin(), found.end());
        return found;
      }
      if (came_from[to] != nodes.size()) continue;
      came_from[to] = at;
      front.push_back(to);
    }
  }
  return {};
}

void WaitForGraph::find_cycle() {
  // Most nodes of a large graph lie on cycles of the same length: a bounded number of starts will do.
  constexpr std::size_t kMostStarts = 2000;
  cycle.clear();
  for (std::size_t start = 0; start < std::min(nodes.size(), kMostStarts); ++start) {
    std::vector<std::size_t> found = shortest_cycle(start);
    if (!found.empty() && (cycle.empty() || found.size() < cycle.size())) cycle = std::move(found);
  }
}

std::string_view name(WaitForGraph::Kind kind) {
  switch (kind) {
    case WaitForGraph::Kind::kTask: return "task";
    case WaitForGraph::Kind::kSemaphore: return "semaphore";
    case WaitForGraph::Kind::kCall: return "call";
    case WaitForGraph::Kind::kContexts: return "contexts";
    case WaitForGraph::Kind::kQueue: return "queue";
    case WaitForGraph::Kind::kCopy: return "copy";
    case WaitForGraph::Kind::kBuffer: return "buffer";
    case WaitForGraph::Kind::kEnded: return "ended";
    case WaitForGraph::Kind::kNobody: return "nobody";
  }
  return "?";
}

namespace {

std::string_view shape(WaitForGraph::Kind kind) {
  switch (kind) {
    case WaitForGraph::Kind::kTask: return "box";
    case WaitForGraph::Kind::kSemaphore: return "ellipse";
    case WaitForGraph::Kind::kCall: return "hexagon";
    case WaitForGraph::Kind::kEnded:
    case WaitForGraph::Kind::kNobody: return "octagon";
    default: return "component";
  }
}

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

}  // namespace

namespace {

// Program lines on lines of their own: a circle drawn with long labels is too wide to read.
std::string label(const std::string& text) {
  std::string broken = escaped(text);
  for (std::size_t at = broken.find(" at "); at != std::string::npos; at = broken.find(" at ", at)) {
    broken.replace(at, 1, "\\n");
  }
  return broken;
}

}  // namespace

std::string to_dot(const WaitForGraph& graph) {
  const auto in_cycle = [&](std::size_t node) {
    return std::find(graph.cycle.begin(), graph.cycle.end(), node) != graph.cycle.end();
  };
  std::string text = "digraph wait_for {\n  node [fontname=\"sans-serif\"];\n  edge [fontname=\"sans-serif\"];\n";
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const WaitForGraph::Node& node = graph.nodes[i];
    const std::string state = node.state.empty() ? "" : "\\n" + label(node.state);
    const bool missing = node.kind == WaitForGraph::Kind::kNobody || node.kind == WaitForGraph::Kind::kEnded;
    text += fmt::format("  n{} [shape={}, label=\"{}{}\"{}];\n", i, shape(node.kind), escaped(node.name), state,
                        in_cycle(i) || missing ? ", color=red" : "");
  }
  for (const WaitForGraph::Edge& edge : graph.edges) {
    const auto at = std::find(graph.cycle.begin(), graph.cycle.end(), edge.from);
    bool red = false;
    if (at != graph.cycle.end())
      red = edge.to == (std::next(at) == graph.cycle.end() ? graph.cycle.front() : *std::next(at));
    text += fmt::format("  n{} -> n{} [label=\"{}\"{}];\n", edge.from, edge.to, label(edge.why),
                        red ? ", color=red, penwidth=2" : "");
  }
  return text + "}\n";
}

}  // namespace podsim::check
