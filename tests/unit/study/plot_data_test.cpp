// Knees and Pareto fronts, against closed forms and by exhaustion, and what plots take out of a table.
#include "platform/study/plot_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "platform/study/html_report.h"

namespace podsim::study {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

PlotEntry plot(PlotKind kind, const std::string& x, const std::string& y) {
  PlotEntry entry;
  entry.kind = kind;
  entry.x = x;
  entry.y = y;
  return entry;
}
PlotEntry lines_plot(const std::vector<std::string>& log = {}) {
  PlotEntry entry = plot(PlotKind::kLines, "size", "bw");
  entry.series = "algorithm";
  entry.log = log;
  return entry;
}
PlotEntry heat_plot() {
  PlotEntry entry = plot(PlotKind::kHeatMap, "size", "algorithm");
  entry.value = "bw";
  return entry;
}
PlotEntry pareto_plot(Better better_y) {
  PlotEntry entry = plot(PlotKind::kPareto, "size", "bw");
  entry.better_y = better_y;
  return entry;
}

// y = x / (x + h), the bandwidth of a transfer with latency: on [0, X] it is farthest from its chord where its slope,
// h / (x + h)^2, is that of the chord, 1 / (X + h): at sqrt(h (X + h)) - h.
TEST(Knee, OfASaturatingCurveIsWhereTheFormulaHasIt) {
  for (const double h : {5.0, 20.0, 50.0}) {
    constexpr double kEnd = 400;
    std::vector<XY> curve;
    for (double x = 0; x <= kEnd; x += 0.5) curve.push_back({x, x / (x + h)});
    const auto at = knee(curve);
    ASSERT_TRUE(at);
    EXPECT_NEAR(curve[*at].x, std::sqrt(h * (kEnd + h)) - h, 0.5);
  }
}

// y = 1 / x on [1, X] falls as its chord does at sqrt(X).
TEST(Knee, OfAFallingCurveToo) {
  std::vector<XY> curve;
  for (double x = 1; x <= 100; x += 0.25) curve.push_back({x, 1 / x});
  EXPECT_NEAR(curve[knee(curve).value()].x, 10, 0.25);
}

TEST(Knee, IsWhereACurveLevelsOffRatherThanWhereItTakesOff) {
  EXPECT_EQ(knee({{0, 0}, {1, 0}, {2, 0.1}, {3, 0.9}, {4, 1}, {5, 1}}), 3u);  // though 2 is as far below as 3 above
  EXPECT_EQ(knee({{0, 0}, {1, 0}, {2, 0.1}, {3, 1}}), 2u);
}

TEST(Knee, StraightOrShortCurvesHaveNone) {
  EXPECT_FALSE(knee({}));
  EXPECT_FALSE(knee({{0, 0}, {1, 1}}));
  EXPECT_FALSE(knee({{0, 0}, {1, 1}, {2, 2}, {3, 3}}));
  EXPECT_FALSE(knee({{0, 5}, {1, 5}, {2, 5}}));
  EXPECT_FALSE(knee({{0, 0}, {1, 1.1}, {2, 2}}));  // within a tenth
  EXPECT_EQ(knee({{0, 0}, {1, 1.9}, {2, 2}}), 1u);
}

TEST(ParetoFront, IsWhatNoOtherPointBeats) {
  std::mt19937 random(1);
  for (int trial = 0; trial < 50; ++trial) {
    std::vector<XY> points;
    for (int i = 0; i < 30; ++i)
      points.push_back({static_cast<double>(random() % 12), static_cast<double>(random() % 12)});
    for (const Better x : {Better::kLower, Better::kHigher}) {
      for (const Better y : {Better::kLower, Better::kHigher}) {
        const double sx = x == Better::kLower ? 1 : -1, sy = y == Better::kLower ? 1 : -1;
        const auto beats = [&](const XY& a, const XY& b) {
          return sx * a.x <= sx * b.x && sy * a.y <= sy * b.y && a != b;
        };
        const std::vector<std::size_t> front = pareto_front(points, x, y);
        for (std::size_t i = 0; i < points.size(); ++i) {
          const bool beaten =
              std::any_of(points.begin(), points.end(), [&](const XY& p) { return beats(p, points[i]); });
          const bool there =
              std::any_of(front.begin(), front.end(), [&](std::size_t f) { return points[f] == points[i]; });
          EXPECT_EQ(there, !beaten);
        }
        for (std::size_t i = 1; i < front.size(); ++i) EXPECT_LT(points[front[i - 1]].x, points[front[i]].x);
      }
    }
  }
}

class Plots : public ::testing::Test {
 protected:
  // Two curves, a failed point, and a point twice, as seeds make them.
  Plots() {
    table_.columns = {"point", "size", "algorithm", "chips", "bw", "outcome", "exit_code", "diagnosis", "command"};
    add("1 KiB", "ring", 1);
    add("2 KiB", "ring", 9);
    add("4 KiB", "ring", 10);
    add("1 KiB", "<torus>", 2);
    add("1 KiB", "<torus>", 4);
    add("2 KiB", "<torus>", {}, "deadlock");
  }
  void add(const char* size, const char* algorithm, const Json& bw, const char* outcome = "completed") {
    table_.rows.push_back(
        {table_.rows.size() + 1, size, algorithm, 16, bw, outcome, 0, "chip 3 waits", "podsim bench"});
  }

  ResultTable table_;
};

TEST_F(Plots, LinesHaveACurveForEachSeriesAndTheMeanOfSeeds) {
  const Lines lines = lines_of(table_, lines_plot({"x"}));
  ASSERT_EQ(lines.curves.size(), 2u);
  EXPECT_EQ(lines.curves[0].name, "ring");
  EXPECT_THAT(lines.curves[0].points, ElementsAre(XY{1024, 1}, XY{2048, 9}, XY{4096, 10}));
  EXPECT_EQ(lines.curves[0].knee, 1u);
  EXPECT_THAT(lines.curves[1].points, ElementsAre(XY{1024, 3}));
  EXPECT_EQ(lines.x.text(2048), "2 KiB");
  EXPECT_THAT(findings(table_, lines_plot()), HasSubstr("bw, ring: knee at size 2 KiB, where it is 9"));
}

TEST_F(Plots, AHeatMapKeepsTheCellsThatFailed) {
  const HeatMap map = heat_map_of(table_, heat_plot());
  EXPECT_THAT(map.across, ElementsAre("1 KiB", "2 KiB", "4 KiB"));
  EXPECT_THAT(map.down, ElementsAre("ring", "<torus>"));
  EXPECT_EQ(map.cells[0][1], 9.0);
  EXPECT_EQ(map.cells[1][0], 3.0);
  EXPECT_FALSE(map.cells[1][1]);
}

TEST_F(Plots, AParetoPlotNamesItsFront) {
  const PlotEntry plot = pareto_plot(Better::kHigher);
  const Pareto pareto = pareto_of(table_, plot);
  EXPECT_EQ(pareto.points.size(), 5u);
  EXPECT_THAT(pareto.front, ElementsAre(4u, 1u, 2u));  // 4 at 1 KiB, 9 at 2 KiB, 10 at 4 KiB
  EXPECT_EQ(pareto.labels[1], "size=2 KiB, algorithm=ring");
}

TEST_F(Plots, ThePageIsWholeAndEscaped) {
  Study study;
  study.description = "a < b";
  study.plots = {lines_plot({"x", "y"}), heat_plot(), pareto_plot(Better::kLower),
                 plot(PlotKind::kLines, "size", "outcome")};
  const std::string html = html_report(study, table_, "name");
  EXPECT_THAT(html, HasSubstr("a &lt; b"));
  EXPECT_THAT(html, HasSubstr("&lt;torus&gt;"));
  EXPECT_THAT(html, Not(HasSubstr("<torus>")));
  EXPECT_THAT(html, HasSubstr("No point has these figures"));
  EXPECT_THAT(html, HasSubstr("deadlock: chip 3 waits"));
  EXPECT_THAT(html, Not(HasSubstr("nan")));
  EXPECT_THAT(html, Not(HasSubstr("inf,")));
  std::size_t figures = 0;
  for (std::size_t at = 0; (at = html.find("<svg", at)) != std::string::npos; ++at) ++figures;
  EXPECT_EQ(figures, 3u);
}

TEST_F(Plots, NothingToDrawIsNoCrash) {
  table_.rows.clear();
  for (const PlotKind kind : {PlotKind::kLines, PlotKind::kPareto}) {
    EXPECT_THAT(findings(table_, plot(kind, "size", "bw")), testing::AnyOf(IsEmpty(), "  no points\n"));
  }
  Study study;
  study.plots = {heat_plot()};
  EXPECT_THAT(html_report(study, table_, "name"), HasSubstr("No point has these figures"));
}

}  // namespace
}  // namespace podsim::study
