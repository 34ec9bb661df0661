// Every run file under configs/runs/failures ends as its `expect` says, and says what it is to say.
#include <gmock/gmock.h>

#include <algorithm>

#include "platform/config/layers.h"
#include "platform/run/run_file.h"
#include "tests/system/cli_support.h"

namespace podsim {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

std::vector<std::string> library() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(PODSIM_SOURCE_DIR "/configs/runs/failures")) {
    names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

class FailureLibrary : public testing::Cli, public ::testing::WithParamInterface<std::string> {};

TEST_P(FailureLibrary, EndsAsExpected) {
  const std::string file = PODSIM_SOURCE_DIR "/configs/runs/failures/" + GetParam() + ".yaml";
  const run::RunFile plan = run::read_run(config::load(file, PODSIM_SOURCE_DIR));
  ASSERT_TRUE(plan.expect.has_value()) << "no 'expect' in " << file;
  const run::Expectation& expect = *plan.expect;
  const std::string perturb = expect.perturb > 0 ? " --perturb " + std::to_string(expect.perturb) : "";
  const testing::CommandResult result = podsim("run '" + file + "' --json result.json" + perturb);
  EXPECT_EQ(result.exit_code, run::exit_code(expect.outcome)) << result.out << result.err;
  const auto json = nlohmann::json::parse(read(path("result.json")));
  EXPECT_EQ(json["outcome"], run::name(expect.outcome)) << result.out;
  for (const std::string& part : expect.says) EXPECT_THAT(json["explanation"].get<std::string>(), HasSubstr(part));
  if (expect.outcome == run::Outcome::kDeadlock) {
    EXPECT_FALSE(json["wait_for"]["nodes"].empty());
  }
  // One screen.
  const std::string text = json["explanation"];
  EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 60) << text;
}

INSTANTIATE_TEST_SUITE_P(Files, FailureLibrary, ::testing::ValuesIn(library()), [](const auto& each) {
  std::string name = each.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

class CheckOptions : public testing::Cli {
 protected:
  [[nodiscard]] testing::CommandResult fail(const std::string& name, const std::string& options) {
    return podsim("run '" PODSIM_SOURCE_DIR "/configs/runs/failures/" + name + ".yaml' " + options);
  }
};

TEST_F(CheckOptions, DotIsTheGraphOfAHang) {
  EXPECT_EQ(fail("send-waits-for-recv", "--dot graph.dot").exit_code, 4);
  EXPECT_THAT(read(path("graph.dot")),
              ::testing::AllOf(HasSubstr("digraph wait_for"), HasSubstr("chip 0 (0)"), HasSubstr("color=red")));
  EXPECT_EQ(fail("two-at-once", "--dot none.dot").exit_code, 0);
  EXPECT_THAT(read(path("none.dot")), HasSubstr("digraph wait_for"));
  EXPECT_EQ(fail("two-at-once", "--dot /nowhere/graph.dot").exit_code, 2);
}

TEST_F(CheckOptions, ChecksMayBeLeftOut) {
  EXPECT_EQ(fail("missing-participant", "--checks none").exit_code, 4);
  EXPECT_EQ(fail("missing-participant", "--checks contracts").exit_code, 5);
  EXPECT_EQ(fail("source-reused", "--checks contracts").exit_code, 0);
  EXPECT_EQ(fail("source-reused", "--checks all").exit_code, 6);
  EXPECT_EQ(fail("source-reused", "--checks some").exit_code, 2);
}

TEST_F(CheckOptions, ARunThatGoesOnNamesTheCauseInTheEnd) {
  const testing::CommandResult result = fail("missing-participant", "--on-violation run");
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_THAT(result.out, ::testing::AllOf(HasSubstr("deadlock"), HasSubstr("contract violated")));
  const testing::CommandResult hazard = fail("source-reused", "--on-violation run");
  EXPECT_EQ(hazard.exit_code, 6);
  EXPECT_THAT(hazard.out, HasSubstr("before its send semaphore"));
}

TEST_F(CheckOptions, ASeedThatEndsOtherwiseIsFoundAndPlaysAgain) {
  const testing::CommandResult found = fail("looks-instead-of-waiting", "--perturb 50");
  EXPECT_EQ(found.exit_code, 3);
  const std::string option = "--perturb-seed ";
  const std::size_t at = found.out.find(option);
  ASSERT_NE(at, std::string::npos) << found.out;
  const std::string seed = found.out.substr(at + option.size(), found.out.find('\n', at) - at - option.size());
  EXPECT_EQ(fail("looks-instead-of-waiting", option + seed + " --json a.json").exit_code, 0);
  EXPECT_EQ(fail("looks-instead-of-waiting", option + seed + " --json b.json").exit_code, 0);
  const auto once = nlohmann::json::parse(read(path("a.json"))), again = nlohmann::json::parse(read(path("b.json")));
  EXPECT_EQ(once["time_ps"], again["time_ps"]);
  EXPECT_EQ(once["events"], again["events"]);
  EXPECT_EQ(fail("two-at-once", "--perturb 20").exit_code, 0);
  EXPECT_EQ(fail("two-at-once", "--perturb 0").exit_code, 2);
}

TEST(FailureLibraryItself, HasThirtyFilesAtLeast) { EXPECT_GE(library().size(), 30u); }

}  // namespace
}  // namespace podsim
