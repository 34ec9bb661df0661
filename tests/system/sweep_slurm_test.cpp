// `podsim sweep --engine slurm`, on a real Slurm cluster of one node that the test starts
// (tests/support/slurm-cluster).
#include <gmock/gmock.h>
#include <unistd.h>

#include "tests/system/cli_support.h"

namespace podsim::testing {
namespace {

using ::testing::HasSubstr;

class SlurmSweep : public Cli {
 protected:
  void SetUp() override {
    if (::geteuid() != 0) GTEST_SKIP() << "slurmd wants to be root";
    ASSERT_EQ(shell("command -v slurmctld && command -v munged").exit_code, 0) << "no Slurm: scripts/setup --tests";
  }
  CommandResult in_cluster(const std::string& command) {
    return shell("cd '" + path("") + "' && " + root() +
                 " PODSIM='" PODSIM_BINARY "' '" PODSIM_SOURCE_DIR "/tests/support/slurm-cluster' '" + path("slurm") +
                 "' sh -c '" + command + "'");
  }
};

// With a point that fails, and twice as many points as tasks.
TEST_F(SlurmSweep, GivesTheRowsOfTheLocalEngine) {
  write("study.yaml", R"(
bench: all_gather
set: [pod=tpu-v5e-2x2, data=none]
vary:
  - {key: size, values: [1 KiB, 2 KiB, 4 KiB, 8 KiB, 16 KiB]}
  - {key: directions, values: [one, both, "it's neither"]}
)");
  EXPECT_EQ(podsim("sweep study.yaml --out local").exit_code, 1);
  const CommandResult result =
      in_cluster("$PODSIM sweep study.yaml --out cluster --engine slurm --jobs 4; echo code $?");
  EXPECT_THAT(result.out, HasSubstr("10 of 15 points completed; 15 run now")) << result.err;
  EXPECT_THAT(result.out, HasSubstr("code 1"));
  const std::string rows = read(path("local/results.csv"));
  EXPECT_EQ(std::count(rows.begin(), rows.end(), '\n'), 16);
  EXPECT_EQ(read(path("cluster/results.csv")), rows);
  EXPECT_EQ(read(path("cluster/results.jsonl")), read(path("local/results.jsonl")));
  EXPECT_TRUE(std::filesystem::exists(path("cluster/slurm/task-3.sh")));
  EXPECT_FALSE(std::filesystem::exists(path("cluster/slurm/task-4.sh")));
}

TEST_F(SlurmSweep, WithoutSlurmIsAClearError) {
  const CommandResult result = podsim("sweep quickstart --out out --engine slurm", root() + " PATH=/nowhere");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("podsim: --engine slurm: there is no 'squeue' here"));
}

}  // namespace
}  // namespace podsim::testing
