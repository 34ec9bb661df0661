// `podsim sweep` as its user sees it: rows, resuming, failures, full disks, and that nothing depends on who ran the
// points.
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <map>
#include <random>
#include <thread>

#include "tests/system/cli_support.h"

namespace podsim::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kStudy = R"(
bench: all_gather
set: [pod=tpu-v5e-2x2, data=none]
vary:
  - {key: fidelity, values: [burst, flow]}
  - {key: size, log_range: {from: 1 KiB, to: 64 KiB, factor: 2}}
)";
constexpr std::size_t kPoints = 14;

std::size_t lines(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

class Sweep : public Cli {
 protected:
  CommandResult sweep(const std::string& arguments) { return podsim("sweep " + arguments); }
  std::string rows(const std::string& folder) { return read(path(folder + "/results.csv")); }
};

TEST_F(Sweep, HasARowForEachPointWhateverTheNumberOfJobs) {
  write("study.yaml", kStudy);
  const CommandResult one = sweep("study.yaml --out one --jobs 1"), four = sweep("study.yaml --out four --jobs 4");
  ASSERT_EQ(one.exit_code, 0) << one.err;
  ASSERT_EQ(four.exit_code, 0) << four.err;
  EXPECT_EQ(lines(rows("one")), 1 + kPoints);
  EXPECT_EQ(rows("one"), rows("four"));
  EXPECT_EQ(read(path("one/results.jsonl")), read(path("four/results.jsonl")));
  EXPECT_THAT(one.out, HasSubstr("14 of 14 points completed; 14 run now"));
}

TEST_F(Sweep, AnotherOneRunsNothingAndAGrownStudyWhatIsNew) {
  write("study.yaml", kStudy);
  ASSERT_EQ(sweep("study.yaml --out out").exit_code, 0);
  const std::string before = rows("out");
  EXPECT_THAT(sweep("study.yaml --out out").out, HasSubstr("; 0 run now"));
  EXPECT_EQ(rows("out"), before);
  std::string grown = kStudy;
  grown.replace(grown.find("64 KiB"), 6, "128 KiB");
  write("study.yaml", grown);
  EXPECT_THAT(sweep("study.yaml --out out").out, HasSubstr("16 of 16 points completed; 2 run now"));
}

TEST_F(Sweep, TheCommandOfARowGivesItsFiguresAlone) {
  write("study.yaml", kStudy);
  ASSERT_EQ(sweep("study.yaml --out out").exit_code, 0);
  std::istringstream all(read(path("out/results.jsonl")));
  std::string line;
  std::getline(all, line);
  const auto row = nlohmann::json::parse(line);
  const std::string command = row.at("command");
  const CommandResult alone = podsim(command.substr(command.find(' ')) + " --json -");
  ASSERT_EQ(alone.exit_code, 0) << alone.err;
  EXPECT_EQ(nlohmann::json::parse(alone.out).at("time_us"), row.at("time_us"));
}

TEST_F(Sweep, AFailingPointIsRecordedAndTheRestRuns) {
  write("study.yaml",
        "{run: deadlock.yaml, set: [], vary: [{key: checks, values: [none, nonsense]}, {key: steps.0.size, values: [1 "
        "KiB]}]}");
  write("deadlock.yaml", "{pod: tpu-v5e-2x2, steps: [{collective: all_reduce, size: 1 KiB}]}");
  const CommandResult result = sweep("study.yaml --out out");
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out, HasSubstr("1 of 2 points completed"));
  EXPECT_THAT(result.out, HasSubstr("point 2: config error: --checks nonsense: expected one of"));
  EXPECT_THAT(rows("out"), HasSubstr("config error,2,"));
  EXPECT_THAT(sweep("study.yaml --out out").out, HasSubstr("; 0 run now"));  // a failure is a result too
}

TEST_F(Sweep, AStudyThatIsWrongRunsNothing) {
  write("study.yaml", "{bench: all_gather, vary: [{key: sise, values: [1 KiB]}]}");
  const CommandResult result = sweep("study.yaml --out out");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("did you mean 'size'?"));
  EXPECT_FALSE(std::filesystem::exists(path("out")));
  EXPECT_THAT(sweep("no-such-study").err, HasSubstr("no such file"));
}

TEST_F(Sweep, CommandsForASchedulerLeaveWhatTheNextSweepGathers) {
  write("study.yaml", kStudy);
  ASSERT_EQ(sweep("study.yaml --out own").exit_code, 0);
  const CommandResult emitted = sweep("study.yaml --out out --emit commands");
  EXPECT_EQ(lines(emitted.out), kPoints);
  ASSERT_EQ(shell(root() + " sh '" + write("commands", emitted.out) + "'").exit_code, 0);
  EXPECT_THAT(sweep("study.yaml --out out").out, HasSubstr("; 0 run now"));
  EXPECT_EQ(rows("out"), rows("own"));
}

TEST_F(Sweep, DrawsItsPlots) {
  const CommandResult result = sweep("quickstart --out out --report new/page.html");
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("Knees: Bus bandwidth"));
  EXPECT_THAT(read(path("new/page.html")), HasSubstr("</svg>"));
}

TEST_F(Sweep, AFolderThatCantBeWrittenIsAClearError) {
  write("study.yaml", kStudy);
  write("file", "");
  const CommandResult result = sweep("study.yaml --out file/out");
  EXPECT_EQ(result.exit_code, 74);
  EXPECT_THAT(result.err, HasSubstr("can't make the folder file/out/points: Not a directory"));
}

// A limit on the size of files stands for a full disk.
TEST_F(Sweep, AFullDiskStopsItAndSpoilsNothing) {
  write("study.yaml", kStudy);
  ASSERT_EQ(sweep("study.yaml --out own").exit_code, 0);
  const CommandResult full = podsim("sweep study.yaml --out out", "trap '' XFSZ; ulimit -f 4; " + root());
  EXPECT_EQ(full.exit_code, 74);
  EXPECT_THAT(full.err, HasSubstr("could not write its results to out: "));
  EXPECT_THAT(full.err, HasSubstr("File too large"));
  EXPECT_THAT(full.err, Not(HasSubstr("internal error")));
  EXPECT_FALSE(std::filesystem::exists(path("out/results.csv")));
  ASSERT_EQ(sweep("study.yaml --out out").exit_code, 0);
  EXPECT_EQ(rows("out"), rows("own"));
}

TEST_F(Sweep, AFolderHasOneSweepAtATime) {
  write("study.yaml", kStudy);
  std::filesystem::create_directories(path("out"));
  const CommandResult result = shell("flock '" + path("out/lock") + "' sh -c \"cd '" + path("") + "' && " + root() +
                                     " '" PODSIM_BINARY "' sweep study.yaml --out out\"");
  EXPECT_EQ(result.exit_code, 74);
  EXPECT_THAT(result.err, HasSubstr("out is in use by another sweep"));
}

// A result that is there once never changes: nothing that was finished is lost, and nothing is run twice.
TEST_F(Sweep, KilledAtAnyMomentItLosesAndRepeatsNothing) {
  write("study.yaml", kStudy);
  ASSERT_EQ(sweep("study.yaml --out own").exit_code, 0);
  std::map<std::string, std::pair<ino_t, timespec>> seen;
  const auto look = [&] {
    std::error_code ignored;
    std::size_t there = 0;
    for (const auto& entry : std::filesystem::directory_iterator(path("out/points"), ignored)) {
      if (entry.path().filename().string().starts_with('.')) continue;
      struct stat now {};
      ASSERT_EQ(::stat(entry.path().c_str(), &now), 0);
      EXPECT_TRUE(nlohmann::json::accept(read(entry.path()))) << entry.path();
      const auto [known, is_new] = seen.try_emplace(entry.path(), now.st_ino, now.st_mtim);
      EXPECT_EQ(known->second.first, now.st_ino);
      EXPECT_EQ(known->second.second.tv_nsec, now.st_mtim.tv_nsec);
      ++there;
    }
    EXPECT_EQ(there, seen.size());
  };
  std::mt19937 random(20);
  for (int kill = 0; kill < 20; ++kill) {
    const pid_t child = ::fork();
    if (child == 0) {
      ::setenv("PODSIM_ROOT", PODSIM_SOURCE_DIR, 1);
      if (::chdir(path("").c_str()) != 0 || std::freopen("/dev/null", "w", stdout) == nullptr) ::_exit(1);
      ::execl(PODSIM_BINARY, "podsim", "sweep", "study.yaml", "--out", "out", static_cast<char*>(nullptr));
      ::_exit(1);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(random() % 150));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    look();
  }
  const CommandResult last = sweep("study.yaml --out out");
  ASSERT_EQ(last.exit_code, 0) << last.err;
  look();
  EXPECT_EQ(seen.size(), kPoints);
  EXPECT_EQ(rows("out"), rows("own"));
}

class Size : public Cli {
 protected:
  // An all-reduce on ever more chips takes ever longer: more hops.
  Size() { write("run.yaml", "{pod: tpu-v5e-4x4, steps: [{collective: all_gather, size: 64 KiB, type: bf16}]}"); }
};

TEST_F(Size, FindsTheSmallestPodAndWhatWouldHelp) {
  const CommandResult result = podsim(
      "size --program run.yaml --target 'chips >= 8 and step < 1 s' --pods v5e --max-chips 64 --json size.json --jobs "
      "2");
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("smallest pod that meets the target: tpu-v5e-4x2, 8 chips"));
  const auto json = nlohmann::json::parse(read(path("size.json")));
  EXPECT_EQ(json.at("smallest"), "tpu-v5e-4x2");
  double link = 0, mxu = 1;
  for (const auto& each : json.at("sensitivity")) {
    if (each.at("resource") == "ICI link bandwidth") link = each.at("time_saved");
    if (each.at("resource") == "MXU and VPU clock") mxu = each.at("time_saved");
  }
  EXPECT_GT(link, 0);  // an all-gather is moved by links, and not by matrix units
  EXPECT_LT(mxu, link / 10);
}

TEST_F(Size, SaysThatNoPodDoes) {
  const CommandResult result = podsim("size --program run.yaml --target 'step < 1 ns' --pods v5e --max-chips 16");
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out, HasSubstr("no pod of up to 16 chips meets the target"));
  EXPECT_THAT(result.out, HasSubstr("misses it, ICI bound"));
}

TEST_F(Size, RefusesBadInputBeforeItRuns) {
  const auto error = [&](const std::string& arguments) {
    const CommandResult result = podsim("size " + arguments);
    EXPECT_EQ(result.exit_code, 2) << arguments;
    return result.err;
  };
  EXPECT_THAT(error("--program run.yaml --target 'stop < 2 s'"), HasSubstr("did you mean 'step'?"));
  EXPECT_THAT(error("--program run.yaml --target 'step < 2'"), HasSubstr("--target step < 2: the sides of '<'"));
  EXPECT_THAT(error("--program run.yaml --target 'step < 2 s' --pods v9"), HasSubstr("no chip 'v9'"));
  EXPECT_THAT(error("--program run.yaml --target 'mxu > 0.5'"), HasSubstr("no 'mxu'"));
  EXPECT_THAT(error("--program nothing --target 'step < 2 s'"), HasSubstr("no such file"));
  EXPECT_THAT(error("--program run.yaml --target 'step < 2 s' --compute steps.0.size='1 KiB * s'"),
              HasSubstr("there is no 's'"));
  EXPECT_THAT(error("--program run.yaml --set nothing --target 'step < 2 s'"), HasSubstr("expected KEY=VALUE"));
}

}  // namespace
}  // namespace podsim::testing
