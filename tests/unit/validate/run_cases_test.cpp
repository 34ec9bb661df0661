#include "platform/validate/run_cases.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "platform/config/config_error.h"
#include "tests/unit/config/temporary_folder.h"

namespace podsim::validate {
namespace {

using config::ConfigError;
using ::testing::HasSubstr;

const char* const kHead = "description: d\ncases:\n  - {id: a, what: w, kind: measured, source: s, ";
const char* const kRun = "run: {pod: tpu-v5e-2x2, steps: [{collective: all_gather, size: 4 KiB}]}";

class ValidateRunCases : public ::testing::Test {
 protected:
  RunCases read(const std::string& text) {
    folder_.write("cases.yaml", text);
    return read_run_cases(folder_.path() / "cases.yaml", PODSIM_SOURCE_DIR);
  }
  std::string complaint(const std::string& text) {
    try {
      (void)read(text);
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "accepted";
  }
  static std::string one(const std::string& rest) { return kHead + rest + "}\n"; }

  testing::TemporaryFolder folder_;
};

TEST_F(ValidateRunCases, ReadsACase) {
  const RunCases cases =
      read(one(std::string("expected: {time: 2 ms}, tolerance: 5, fitted: x.y, less: 1 us, ") + kRun));
  EXPECT_EQ(cases.name, "cases");
  ASSERT_EQ(cases.cases.size(), 1u);
  const RunCase& each = cases.cases.front();
  EXPECT_EQ(each.reference.id, "a");
  EXPECT_EQ(each.reference.kind, Kind::kMeasured);
  EXPECT_DOUBLE_EQ(each.reference.expected, 2000);
  EXPECT_EQ(each.reference.unit, "us");
  EXPECT_DOUBLE_EQ(each.reference.tolerance.value, 0.05);
  EXPECT_FALSE(each.reference.tolerance.points);
  EXPECT_EQ(each.reference.fitted, "x.y");
  EXPECT_EQ(each.less.ps, 1'000'000);
  EXPECT_EQ(each.run.steps.size(), 1u);
  EXPECT_FALSE(each.against);
}

TEST_F(ValidateRunCases, EveryShippedFileReads) {
  for (const std::string& name : config::preset_names(PODSIM_SOURCE_DIR, "validation")) {
    const auto file = std::filesystem::path(PODSIM_SOURCE_DIR) / "configs" / "validation" / (name + ".yaml");
    EXPECT_FALSE(read_run_cases(file, PODSIM_SOURCE_DIR).cases.empty()) << name;
  }
}

TEST_F(ValidateRunCases, SaysWhatIsMissing) {
  EXPECT_THAT(complaint(one("expected: {time: 2 ms}, tolerance: 5")),
              HasSubstr("cases.0.run: required key is missing"));
  EXPECT_THAT(complaint(one(std::string("expected: {time: 2 ms}, ") + kRun)),
              HasSubstr("cases.0.tolerance: required key is missing"));
  EXPECT_THAT(complaint(one(std::string("expected: {}, tolerance: 5, ") + kRun)), HasSubstr("expected one figure"));
  EXPECT_THAT(complaint(one(std::string("expected: {time: 1 s, busbw: 1 GB/s}, tolerance: 5, ") + kRun)),
              HasSubstr("expected one figure"));
}

TEST_F(ValidateRunCases, ASpeedupIsOverSomething) {
  EXPECT_THAT(complaint(one(std::string("expected: {speedup: 2}, tolerance: 5, ") + kRun)),
              HasSubstr("cases.0.against: must stand beside an expected speedup"));
  EXPECT_THAT(complaint(one(
                  std::string("expected: {time: 1 s}, tolerance: 5, against: configs/runs/quickstart.yaml, ") + kRun)),
              HasSubstr("must stand beside an expected speedup, and only there"));
}

TEST_F(ValidateRunCases, IdsAreUnique) {
  const std::string text = one(std::string("expected: {time: 1 s}, tolerance: 5, ") + kRun);
  EXPECT_THAT(complaint(text + text.substr(text.find("  - "))), HasSubstr("cases.1.id: another case has the same id"));
}

TEST_F(ValidateRunCases, AnErrorInARunHasItsPlace) {
  EXPECT_THAT(complaint(one("expected: {time: 1 s}, tolerance: 5, run: {pod: tpu-v5e-2x2, steps: [{colective: x}]}")),
              HasSubstr("cases.yaml:3:"));
}

// A ring of two chips: each sends its half to the other over the one link between them, 1 MB at 45 GB/s and a hop of 1
// us.
TEST_F(ValidateRunCases, SimulatesTheLastStep) {
  const RunCases cases =
      read(one("expected: {time: 22.2 us}, tolerance: 5, less: 1 us, run: {chip: tpu-v5e, topology: {axes: [{name: x, "
               "size: 2}]}, steps: [{collective: all_gather, size: 64 B}, {collective: all_gather, size: 2 MB}]}"));
  EXPECT_NEAR(simulate(cases.cases.front(), false), 1e6 / 45e3, 3);
}

}  // namespace
}  // namespace podsim::validate
