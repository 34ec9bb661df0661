#include "platform/check/wait_for_graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace podsim::check {
namespace {

using Kind = WaitForGraph::Kind;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(WaitForGraph, ANodeIsMadeOnce) {
  WaitForGraph graph;
  EXPECT_EQ(graph.node(Kind::kTask, "a"), graph.node(Kind::kTask, "a"));
  EXPECT_NE(graph.node(Kind::kTask, "a"), graph.node(Kind::kSemaphore, "a"));
  EXPECT_THAT(graph.nodes, SizeIs(2));
}

TEST(WaitForGraph, FindsTheShortestCycle) {
  WaitForGraph graph;
  for (const char* name : {"a", "b", "c", "d", "e"}) graph.node(Kind::kTask, name);
  graph.edge(0, 1);
  graph.edge(1, 2);
  graph.edge(2, 0);
  graph.edge(2, 3);
  graph.edge(3, 4);
  graph.edge(4, 3);
  graph.find_cycle();
  EXPECT_THAT(graph.cycle, ::testing::UnorderedElementsAre(3, 4));
}

TEST(WaitForGraph, AChainHasNoCycle) {
  WaitForGraph graph;
  for (const char* name : {"a", "b", "c"}) graph.node(Kind::kTask, name);
  graph.edge(0, 1);
  graph.edge(1, 2);
  graph.edge(0, 2);
  graph.find_cycle();
  EXPECT_THAT(graph.cycle, IsEmpty());
}

TEST(WaitForGraph, DotHasAllNodesAndMarksTheCycle) {
  WaitForGraph graph;
  graph.node(Kind::kTask, "chip \"0\"", "at x.cpp:1");
  graph.node(Kind::kSemaphore, "'s'");
  graph.edge(0, 1, "waits");
  graph.edge(1, 0, "raises");
  graph.find_cycle();
  const std::string dot = to_dot(graph);
  EXPECT_THAT(dot, HasSubstr("digraph"));
  EXPECT_THAT(dot, HasSubstr("chip \\\"0\\\"\\nat x.cpp:1"));
  EXPECT_THAT(dot, HasSubstr("n0 -> n1 [label=\"waits\", color=red"));
  EXPECT_THAT(dot, HasSubstr("n1 -> n0 [label=\"raises\", color=red"));
}

}  // namespace
}  // namespace podsim::check
