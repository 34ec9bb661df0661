// The table that scripts written for nccl-tests read: comments start with '#', the columns are theirs, in their order.
#include "platform/report/bench_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace podsim::report {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::string> words(const std::string& line) {
  std::istringstream stream(line);
  return {std::istream_iterator<std::string>(stream), {}};
}

RunRecord record() {
  RunRecord run;
  run.with_data = true;
  run.pod.torus = ici::TorusShape({{"x", 4, true}});
  StepRecord step;
  step.result.bytes = 4096;
  step.result.count = 1024;
  step.result.reduction = "sum";
  step.result.time = 2'500'000;
  step.result.algbw_GBps = 1.6384;
  step.result.busbw_GBps = 2.4576;
  step.result.wrong = 0;
  step.result.cycles = 2350;
  step.result.events = 77;
  step.result.wall_s = 0.25;
  run.steps.push_back(step);
  return run;
}

TEST(BenchTable, RowHasNcclTestsColumns) {
  const std::string row = bench_row(record().steps[0].result);
  EXPECT_THAT(words(row),
              ElementsAre("4096", "1024", "f32", "sum", "2.500", "1.64", "2.46", "0", "2350", "77", "0.250"));
}

TEST(BenchTable, HeaderIsAllCommentsAndItsTitlesStandAboveTheirColumns) {
  std::istringstream header(bench_header(record(), "all_reduce"));
  std::string titles;
  for (std::string line; std::getline(header, line);) {
    EXPECT_EQ(line.front(), '#');
    if (line.find("algbw") != line.npos) titles = line;
  }
  const std::string row = bench_row(record().steps[0].result);
  EXPECT_EQ(titles.find("algbw") + 5, row.find("1.64") + 4);  // aligned to the right
  EXPECT_EQ(titles.find("#wrong") + 6, row.find(" 0 ") + 2);
}

TEST(BenchTable, FooterCountsWrongValuesAndAveragesBusBandwidth) {
  RunRecord run = record();
  EXPECT_THAT(bench_footer(run), HasSubstr("# Out of bounds values : 0 OK\n# Avg bus bandwidth    : 2.458\n"));
  run.steps.push_back(run.steps[0]);
  run.steps[1].result.wrong = 3;
  run.steps[1].result.outcome = run.outcome = run::Outcome::kWrongData;
  EXPECT_THAT(bench_footer(run), HasSubstr("# Out of bounds values : 3 FAILED\n"));
}

TEST(BenchTable, FooterClaimsNoCheckThatWasNotMade) {
  RunRecord run = record();
  run.with_data = false;
  EXPECT_THAT(bench_footer(run), HasSubstr("values : N/A (data: none)"));
  run.with_data = true;
  run.outcome = run::Outcome::kDeadlock;
  run.explanation = "two chips\nwait\n";
  EXPECT_THAT(bench_footer(run), HasSubstr("values : N/A (deadlock)"));
  EXPECT_THAT(bench_footer(run), HasSubstr("# two chips\n# wait\n"));
}

}  // namespace
}  // namespace podsim::report
