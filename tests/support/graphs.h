// Networks of listed links for tests.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "models/ici/link_graph.h"

namespace podsim::testing {

struct ListedNetwork {
  std::string name;
  std::uint32_t chips;
  std::vector<ici::ListedLink> links;
};

inline ListedNetwork petersen() {
  ListedNetwork graph{"petersen", 10, {}};
  for (std::uint32_t i = 0; i < 5; ++i) {
    graph.links.push_back({i, (i + 1) % 5});          // pentagon
    graph.links.push_back({i, i + 5});                // spokes
    graph.links.push_back({i + 5, 5 + (i + 2) % 5});  // pentagram
  }
  return graph;
}
inline ListedNetwork star() {
  ListedNetwork graph{"star", 8, {}};
  for (std::uint32_t i = 1; i < 8; ++i) graph.links.push_back({i, 0});
  return graph;
}
inline ListedNetwork fully_connected() {
  ListedNetwork graph{"fully_connected", 8, {}};
  for (std::uint32_t a = 0; a < 8; ++a) {
    for (std::uint32_t b = a + 1; b < 8; ++b) graph.links.push_back({a, b});
  }
  return graph;
}
inline ListedNetwork ring() {
  ListedNetwork graph{"ring", 6, {}};
  for (std::uint32_t i = 0; i < 6; ++i) graph.links.push_back({i, (i + 1) % 6});
  return graph;
}
// A random tree, and some links more.
inline ListedNetwork random_graph(std::uint64_t seed) {
  ListedNetwork graph{"random_" + std::to_string(seed), 13, {}};
  std::mt19937_64 draw(seed);
  std::vector<unsigned> degree(graph.chips);
  const auto link = [&](std::uint32_t a, std::uint32_t b) {
    if (a == b || degree[a] == ici::LinkGraph::kMostPorts || degree[b] == ici::LinkGraph::kMostPorts) return;
    for (const auto& [c, d] : graph.links) {
      if ((c == a && d == b) || (c == b && d == a)) return;
    }
    graph.links.push_back({a, b});
    ++degree[a];
    ++degree[b];
  };
  for (std::uint32_t i = 1; i < graph.chips; ++i) {
    for (std::size_t before = graph.links.size(); graph.links.size() == before;) {
      link(i, static_cast<std::uint32_t>(draw() % i));
    }
  }
  for (unsigned i = 0; i < 8; ++i) {
    const auto a = static_cast<std::uint32_t>(draw() % graph.chips);
    link(a, static_cast<std::uint32_t>(draw() % graph.chips));
  }
  return graph;
}

inline std::vector<ListedNetwork> listed_networks() {
  return {{"single", 1, {}}, {"pair", 2, {{1, 0}}}, petersen(), star(), fully_connected(), ring(),
          random_graph(1),   random_graph(2)};
}

}  // namespace podsim::testing
