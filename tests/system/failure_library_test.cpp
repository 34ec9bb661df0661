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
  if (expect.outcome == run::Outcome::kDeadlock) EXPECT_FALSE(json["wait_for"]["nodes"].empty());
  // One screen.
  const std::string text = json["explanation"];
  EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 60) << text;
}

INSTANTIATE_TEST_SUITE_P(Files, FailureLibrary, ::testing::ValuesIn(library()), [](const auto& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(FailureLibraryItself, HasThirtyFilesAtLeast) { EXPECT_GE(library().size(), 30u); }

}  // namespace
}  // namespace podsim
