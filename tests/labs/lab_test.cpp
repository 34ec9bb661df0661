// Labs as their readers meet them: what passes, what is refused, and what podsim says of it.
#include <gmock/gmock.h>

#include "tests/system/cli_support.h"

namespace podsim::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using Json = nlohmann::ordered_json;

constexpr const char* kLabs[] = {"right_permute", "all_gather", "reduce_scatter", "all_reduce",
                                 "deadlock",      "race",       "exposed"};

class Labs : public Cli {
 protected:
  struct Checked {
    CommandResult result;
    Json json;
  };
  Checked check(const std::string& lab, const std::string& file, const std::string& options = "") {
    Checked checked;
    checked.result = podsim("lab " + lab + " --file '" + file + "' --json lab.json " + options);
    const std::string text = read(path("lab.json"));
    checked.json = text.empty() ? Json() : Json::parse(text);
    return checked;
  }
  static std::string shipped(const std::string& lab) { return PODSIM_SOURCE_DIR "/firmware/labs/" + lab + ".cpp"; }
};

class EachLab : public Labs, public ::testing::WithParamInterface<const char*> {};

TEST_P(EachLab, SolutionPassesWithTheTopGrade) {
  const std::string lab = GetParam();
  const Checked checked = check(lab, PODSIM_SOURCE_DIR "/tests/labs/solutions/" + lab + ".cpp");
  EXPECT_EQ(checked.result.exit_code, 0) << checked.result.out << checked.result.err;
  ASSERT_TRUE(checked.json.is_object());
  EXPECT_EQ(checked.json["passed"], true);
  EXPECT_EQ(checked.json["grade"], "as good as the reference") << checked.result.out;
  EXPECT_EQ(checked.json["rings"].size(), 7u);
  for (const Json& ring : checked.json["rings"]) EXPECT_EQ(ring["disturbances"], 20);
  EXPECT_THAT(checked.result.out, HasSubstr(lab + ": as good as the reference"));
  EXPECT_EQ(checked.result.err, "");  // a clean compile
}

// How the shipped file ends: the exit code, and what is said of it.
struct End {
  int exit_code;
  std::string outcome;
  std::string says;
};
End end_of(const std::string& lab) {
  if (lab == "deadlock") return {4, "deadlock", "firmware/labs/deadlock.cpp"};
  if (lab == "race") return {6, "hazard", "firmware/labs/race.cpp"};
  if (lab == "exposed") return {1, "too slow", "where the reference takes"};
  return {3, "wrong data", "wrong data: chip 0"};
}

TEST_P(EachLab, ShippedFileCompilesAndFailsAsItShould) {
  const std::string lab = GetParam();
  const End end = end_of(lab);
  const Checked checked = check(lab, shipped(lab));
  EXPECT_EQ(checked.result.exit_code, end.exit_code) << checked.result.out;
  EXPECT_EQ(checked.result.err, "");
  ASSERT_TRUE(checked.json.is_object());
  EXPECT_EQ(checked.json["passed"], false);
  EXPECT_EQ(checked.json["outcome"], end.outcome);
  EXPECT_EQ(checked.json["exit_code"], end.exit_code);
  EXPECT_THAT(checked.json["explanation"].get<std::string>(), HasSubstr(end.says));
  EXPECT_THAT(checked.result.out, HasSubstr(end.says));
}

TEST_P(EachLab, TaskIsPrinted) {
  const std::string lab = GetParam();
  const CommandResult result = podsim("lab " + lab);
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, AllOf(HasSubstr("Lab " + lab + ": "), HasSubstr("Trap"), HasSubstr("How to go on"),
                                HasSubstr("--file my_" + lab + ".cpp")));
}

INSTANTIATE_TEST_SUITE_P(All, EachLab, ::testing::ValuesIn(kLabs),
                         [](const auto& each) { return std::string(each.param); });

// Programs of tests/labs/wrong: the lab that they are handed in for, and how they end.
struct Wrong {
  const char* lab;
  const char* program;
  int exit_code;
  const char* outcome;
  const char* says;
};
class WrongSolution : public Labs, public ::testing::WithParamInterface<Wrong> {};

TEST_P(WrongSolution, IsRefusedWithTheReason) {
  const Wrong& wrong = GetParam();
  const Checked checked =
      check(wrong.lab, PODSIM_WRONG_SOLUTIONS, std::string("--cpu-limit 2 --function ") + wrong.program);
  EXPECT_EQ(checked.result.exit_code, wrong.exit_code) << checked.result.out << checked.result.err;
  ASSERT_TRUE(checked.json.is_object());
  EXPECT_EQ(checked.json["outcome"], wrong.outcome) << checked.result.out;
  EXPECT_THAT(checked.json["explanation"].get<std::string>(), HasSubstr(wrong.says));
  EXPECT_EQ(checked.json["passed"], false);
}

INSTANTIATE_TEST_SUITE_P(
    All, WrongSolution,
    ::testing::Values(
        // In a ring of two, left is right.
        Wrong{"right_permute", "to_the_left", 3, "wrong data", "element 0 of the output"},
        Wrong{"right_permute", "without_barrier", 6, "hazard", "kernel_before"},
        Wrong{"right_permute", "without_wait_recv", 7, "semaphore left over", "recv"},
        Wrong{"right_permute", "half_the_data", 3, "wrong data", "element 500 of the output"},
        Wrong{"right_permute", "sends_unequal_buffers", 1, "program error", "a copy of 4000 bytes into a buffer"},
        Wrong{"right_permute", "beyond_the_ring", 1, "program error", "to chip 2, of a pod of 2"},
        Wrong{"right_permute", "calls_the_library", 1, "not your own", "calls the library's collective_permute"},
        Wrong{"right_permute", "crashes", 1, "crash", "behind the wait in"},
        Wrong{"right_permute", "never_ends", 8, "endless", "2 s of processor time"},
        Wrong{"right_permute", "polls_without_end", 8, "time limit", "wrong_solutions.cpp"},
        Wrong{"all_gather", "one_semaphore_for_all_steps", 6, "hazard", "recv"},
        Wrong{"exposed", "leaves_the_work_out", 1, "work left out", "the vector units have written 0 elements"}),
    [](const auto& each) { return std::string(each.param.program); });

TEST_F(Labs, SlowProgramWorksAndIsGradedSo) {
  const Checked checked = check("all_gather", PODSIM_WRONG_SOLUTIONS, "--function slow_gather");
  EXPECT_EQ(checked.result.exit_code, 0) << checked.result.out;
  EXPECT_EQ(checked.json["grade"], "works") << checked.result.out;
}

// One way round: within the formula, and half as fast as both ways. Its times are those of the formulas.
TEST_F(Labs, OneWayGatherIsGood) {
  const Checked checked = check("all_gather", PODSIM_SOURCE_DIR "/tests/labs/solutions/deadlock.cpp");
  EXPECT_EQ(checked.result.exit_code, 0) << checked.result.out;
  EXPECT_EQ(checked.json["grade"], "good");
  const Json& timing = checked.json["timing"];
  // Three steps of 8 MiB at 45 GB/s, and a hop of 1 us each at least.
  const double bytes_alone = 3 * 8 * 1024 * 1024 / 45e9 * 1e12;
  EXPECT_GT(timing["formula_one_way_ps"].get<double>(), bytes_alone + 3e6);
  EXPECT_LT(timing["formula_one_way_ps"].get<double>(), bytes_alone * 1.02);
  EXPECT_GT(timing["time_ps"].get<double>(), bytes_alone);
  EXPECT_LT(timing["time_ps"].get<double>(), bytes_alone * 1.1);
  EXPECT_LT(timing["reference_ps"].get<double>(), bytes_alone * 0.6);
}

TEST_F(Labs, ListNamesAll) {
  const CommandResult result = podsim("lab");
  EXPECT_EQ(result.exit_code, 0);
  for (const char* const lab : kLabs) EXPECT_THAT(result.out, HasSubstr(lab));
}

TEST_F(Labs, JsonAloneOnStandardOutput) {
  const CommandResult result =
      podsim("lab right_permute --file '" PODSIM_WRONG_SOLUTIONS "' --function half_the_data --json -");
  EXPECT_EQ(Json::parse(result.out)["outcome"], "wrong data");
  EXPECT_THAT(result.err, HasSubstr("right_permute: fails"));
}

TEST_F(Labs, WhatCantBeCheckedIsSaidInOneMessage) {
  const auto expect = [&](const std::string& arguments, const std::string& says) {
    const CommandResult result = podsim("lab " + arguments);
    EXPECT_EQ(result.exit_code, 2) << arguments;
    EXPECT_THAT(result.err, HasSubstr(says)) << arguments;
    EXPECT_THAT(result.err, Not(HasSubstr("internal error")));
  };
  expect("all_gathr", "there is no such lab; did you mean 'all_gather'?");
  expect("all_gather --file nowhere.cpp", "no such file");
  expect("all_gather --file .", "it is a folder");
  expect("--file nowhere.cpp", "which lab is it for?");
  expect("all_gather --function f", "--file");
  write("broken.cpp", "#include \"firmware/labs/lab.h\"\nint f() { return nonsense; }\n");
  expect("all_gather --file broken.cpp", "broken.cpp:2:18: error: 'nonsense' was not declared");
  expect("all_gather --file '" PODSIM_WRONG_SOLUTIONS "' --function nobody", "no extern \"C\" function 'nobody'");
  write("text.so", "no shared object\n");
  expect("all_gather --file text.so", "text.so");
  EXPECT_EQ(files(), 4u);  // broken.cpp, text.so, out.txt, err.txt: nothing else is left behind
}

}  // namespace
}  // namespace podsim::testing
