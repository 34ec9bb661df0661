// scripts/plot on what podsim writes: the same figure every time, and a reason for what it can't draw.
#include <gmock/gmock.h>

#include "tests/system/cli_support.h"

namespace podsim {
namespace {

using ::testing::HasSubstr;

class Plot : public testing::Cli {
 protected:
  testing::CommandResult plot(const std::string& arguments) {
    return shell("(cd '" + path("") + "' && '" PODSIM_SOURCE_DIR "/scripts/plot' " + arguments + ")");
  }
};

TEST_F(Plot, DrawsABenchTheSameEveryTime) {
  ASSERT_EQ(podsim("bench all_reduce --pod tpu-v5e-4x4 -b 4KiB -e 256KiB -f 8 --data none --json bench.json").exit_code,
            0);
  const auto first = plot("bench.json -o one.svg --title Title");
  ASSERT_EQ(first.exit_code, 0) << first.err;
  ASSERT_EQ(plot("bench.json -o two.svg --title Title").exit_code, 0);
  const std::string figure = read(path("one.svg"));
  EXPECT_EQ(figure, read(path("two.svg")));
  EXPECT_THAT(figure, HasSubstr("bus bandwidth (GB/s)"));
  EXPECT_THAT(figure, HasSubstr("Title"));
}

TEST_F(Plot, DrawsRowsAndComparisons) {
  write("rows.csv", "chips,step_us,pod\n4,10,a\n8,6,a\n4,12,b\n8,7,b\n");
  EXPECT_EQ(plot("rows.csv --x chips --y step_us --by pod -o rows.svg").exit_code, 0);
  EXPECT_THAT(read(path("rows.svg")), HasSubstr("pod b"));
  write("difference.json",
        R"({"podsim":"1","command":"compare","a":"sync.json","b":"overlapped.json","steps":[],"breakdown":[],
            "causes":[{"cause":"compute","a_ps":5000000,"b_ps":4000000},{"cause":"hop latency","a_ps":0,"b_ps":1}]})");
  EXPECT_EQ(plot("difference.json -o causes.png").exit_code, 0);
  EXPECT_EQ(read(path("causes.png")).substr(1, 3), "PNG");
}

TEST_F(Plot, SaysWhatItCanNotDraw) {
  write("rows.csv", "chips,step_us\n4,fast\n");
  const auto refused = [&](const std::string& arguments, int code, const std::string& reason) {
    const auto run = plot(arguments);
    EXPECT_EQ(run.exit_code, code) << arguments;
    EXPECT_THAT(run.err, HasSubstr(reason)) << arguments;
  };
  refused("rows.csv --x chips --y step_us -o f.svg", 2, "row 1: 'step_us' is 'fast', not a number");
  refused("rows.csv --x pods --y step_us -o f.svg", 2, "no column 'pods'");
  refused("missing.json -o f.svg", 2, "missing.json: No such file");
  refused("rows.csv -o f.bmp", 2, ".svg, .png or .pdf");
  refused("rows.csv --x chips --y chips -o no/such/folder/f.svg", 74, "can't write");
}

}  // namespace
}  // namespace podsim
