// Trace files of timelines made by hand, read back.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "platform/observe/chrome_writer.h"
#include "platform/observe/perfetto_writer.h"
#include "platform/observe/trace_file.h"
#include "tests/support/perfetto_reader.h"
#include "tests/unit/observe/hand_made.h"

namespace podsim::observe {
namespace {

using podsim::testing::PerfettoReader;
using podsim::testing::PerfettoTrace;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// A copy from chip 0 to chip 1 and the wait that it releases, and a counter.
struct Written : HandMade {
  Written() {
    const SpanId sender = task(0, 0, 300), receiver = task(1, 0, 900);
    const SpanId begun = issue(0, 10, 100, 200, sender, 0);
    wait(1, 5, 800, 810, receiver, landing(1, 800, begun, 0));
    wait(1, 820, 820, 820, receiver, kNone);  // takes no time at all
    timeline.series.push_back({timeline.intern("HBM bandwidth"), timeline.intern("GB/s"), 0, 100, {1.5, 2.5}});
    step(0, 900);
  }
  [[nodiscard]] PerfettoTrace perfetto(const Selection& selection = {}) const {
    std::ostringstream out;
    write_perfetto(out, timeline, selection);
    return PerfettoReader::read(out.str());
  }
};

TEST(PerfettoWriter, WritesAllSpansWithTheirTimesInPicoseconds) {
  const PerfettoTrace trace = Written().perfetto();
  EXPECT_THAT(trace.faults, IsEmpty());
  EXPECT_THAT(trace.slices, SizeIs(8));
  for (const auto& slice : trace.slices) EXPECT_LE(slice.begin, slice.end);
  const auto issue = std::find_if(trace.slices.begin(), trace.slices.end(), [&](const auto& slice) {
    return trace.tracks.at(slice.track).name == "dma" && slice.begin == 100;
  });
  ASSERT_NE(issue, trace.slices.end());
  EXPECT_EQ(issue->end, 200u);
  EXPECT_EQ(issue->annotations.at("bytes"), "64");
  EXPECT_EQ(issue->annotations.at("cause"), "issue");
  EXPECT_EQ(issue->annotations.at("waited for its turn (ps)"), "90");
}

TEST(PerfettoWriter, ReleaseIsInsideItsWait) {
  const PerfettoTrace trace = Written().perfetto();
  std::vector<std::pair<std::uint64_t, std::uint64_t>> times;
  for (const auto& slice : trace.slices) {
    if (trace.tracks.at(slice.track).name == "wait") times.emplace_back(slice.begin, slice.end);
  }
  EXPECT_THAT(times,
              ElementsAre(std::pair(5u, 810u), std::pair(800u, 810u), std::pair(820u, 820u), std::pair(820u, 820u)));
}

TEST(PerfettoWriter, EachFlowHasBothEnds) {
  const PerfettoTrace trace = Written().perfetto();
  std::map<std::uint64_t, int> begins, ends;
  for (const auto& slice : trace.slices) {
    for (const auto flow : slice.flows) ++begins[flow];
    for (const auto flow : slice.terminating) ++ends[flow];
  }
  EXPECT_THAT(begins, SizeIs(2));
  EXPECT_EQ(begins, ends);
  EXPECT_EQ(begins.count(0), 0u);  // which is no flow
}

TEST(PerfettoWriter, NoFlowLeadsToAChipThatIsNotThere) {
  Selection only_first;
  only_first.chips = {true, false};
  const PerfettoTrace trace = Written().perfetto(only_first);
  EXPECT_THAT(trace.slices, SizeIs(2));
  for (const auto& slice : trace.slices) EXPECT_THAT(slice.flows, IsEmpty());
  Selection window;
  window.from = 805;
  EXPECT_THAT(Written().perfetto(window).slices, SizeIs(1 + 2 + 2));  // the receiver, and its waits
}

TEST(PerfettoWriter, TracksAreInOrderUnderTheirChip) {
  const PerfettoTrace trace = Written().perfetto();
  std::map<std::int32_t, std::string> lanes;
  std::uint64_t chip = 0;
  for (const auto& [uuid, track] : trace.tracks) {
    if (track.process == "chip 1") chip = uuid;
  }
  for (const auto& [uuid, track] : trace.tracks) {
    if (track.parent == chip) lanes[track.rank] = track.name;
  }
  std::vector<std::string> names;
  for (const auto& [rank, name] : lanes) names.push_back(name);
  EXPECT_THAT(names, ElementsAre("program", "mxu", "vpu", "dma", "ici", "pcie", "wait"));
}

TEST(PerfettoWriter, CountersHaveAUnitSinceElseTheyWouldVanish) {
  const PerfettoTrace trace = Written().perfetto();
  ASSERT_THAT(trace.counters, SizeIs(1));
  const auto& [track, values] = *trace.counters.begin();
  EXPECT_EQ(trace.tracks.at(track).unit, "GB/s");
  EXPECT_THAT(values, ElementsAre(std::pair(0u, 1.5), std::pair(100u, 2.5)));
}

TEST(ChromeWriter, IsJsonWithExactTimesAndWholeFlows) {
  const Written run;
  std::ostringstream out;
  write_chrome(out, run.timeline, {});
  const auto json = nlohmann::json::parse(out.str());
  std::map<int, int> flows;
  std::size_t slices = 0;
  for (const auto& event : json["traceEvents"]) {
    const std::string kind = event["ph"];
    if (kind == "X") ++slices;
    if (kind == "s") ++flows[event["id"]];
    if (kind == "f") --flows[event["id"]];
  }
  EXPECT_EQ(slices, 8u);
  EXPECT_THAT(flows, SizeIs(2));
  for (const auto& [id, sum] : flows) EXPECT_EQ(sum, 0);
  EXPECT_NE(out.str().find("\"ts\":0.000100,\"dur\":0.000100"), std::string::npos);  // 100 ps
}

TEST(TraceFormat, IsToldByTheEnding) {
  EXPECT_EQ(trace_format("a.perfetto-trace"), TraceFormat::kPerfetto);
  EXPECT_EQ(trace_format("a.json"), TraceFormat::kChrome);
  EXPECT_EQ(trace_format("a.vcd"), TraceFormat::kVcd);
  EXPECT_EQ(trace_format("a.pb"), std::nullopt);
  EXPECT_EQ(trace_format("json"), std::nullopt);
}

}  // namespace
}  // namespace podsim::observe
