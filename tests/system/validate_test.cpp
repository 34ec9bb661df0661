// `podsim validate` as a user calls it.
#include <gmock/gmock.h>

#include "tests/system/cli_support.h"

namespace podsim::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class Validate : public Cli {
 protected:
  // A project root with one case: an all-gather of 2 MB between two chips, 22.2 us on a link of 45 GB/s and a hop.
  std::string root_with_case(const std::string& rest) {
    namespace fs = std::filesystem;
    const fs::path root = path("root");
    fs::create_directories(root / "configs" / "validation");
    fs::create_directories(root / "tests");
    fs::create_symlink(fs::path(PODSIM_SOURCE_DIR) / "configs" / "chips", root / "configs" / "chips");
    fs::create_symlink(fs::path(PODSIM_SOURCE_DIR) / "configs" / "pods", root / "configs" / "pods");
    fs::create_symlink(fs::path(PODSIM_SOURCE_DIR) / "configs" / "memory", root / "configs" / "memory");
    fs::create_symlink(fs::path(PODSIM_SOURCE_DIR) / "tests" / "reference", root / "tests" / "reference");
    write("root/configs/validation/mine.yaml",
          "description: mine\ncases:\n  - {id: two-chips, what: w, kind: worked, source: s, tolerance: 15, " + rest +
              ", run: {chip: tpu-v5e, topology: {axes: [{name: x, size: 2}]}, steps: [{collective: all_gather, "
              "size: 2 MB}]}}\n");
    return "PODSIM_ROOT='" + root.string() + "'";
  }
};

TEST_F(Validate, BlocksHoldInEveryRow) {
  const CommandResult result = podsim("validate --only systolic_gemm");
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr("492 rows: 492 within their tolerance; error: median 0.00, largest 0.00"));
  EXPECT_THAT(result.out, HasSubstr("every row is within its tolerance or explained"));
}

TEST_F(Validate, ARowWithinItsTolerance) {
  const CommandResult result = podsim("validate --only two-chips", root_with_case("expected: {time: 23.2 us}"));
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr("1 row: 1 within their tolerance"));
}

TEST_F(Validate, ARowOutsideItsToleranceFails) {
  const CommandResult result =
      podsim("validate --only two-chips --json out.json", root_with_case("expected: {time: 40 us}"));
  EXPECT_EQ(result.exit_code, 1) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr("OUTSIDE"));
  const auto json = nlohmann::json::parse(read(path("out.json")));
  EXPECT_EQ(json["holds"], false);
  const auto& row = json["tables"]["mine"]["rows"][0];
  EXPECT_EQ(row["id"], "two-chips");
  EXPECT_EQ(row["verdict"], "outside");
  EXPECT_DOUBLE_EQ(row["expected"], 40);
  EXPECT_NEAR(row["error"], 23.2 / 40 - 1, 0.1);  // and a barrier before it
}

TEST_F(Validate, AReasonIsPrintedWithTheRow) {
  const CommandResult result = podsim("validate --only two-chips --markdown page.md",
                                      root_with_case("expected: {time: 40 us}, explained: a slow cable"));
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr("explained\n      a slow cable"));
  EXPECT_THAT(read(path("page.md")), HasSubstr("- two-chips: a slow cable"));
}

TEST_F(Validate, ARunThatDoesNotCompleteIsNoFigure) {
  const CommandResult result = podsim("validate --only two-chips", root_with_case("expected: {time: 23 us}, run_: x"));
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("did you mean 'run'"));
}

TEST_F(Validate, AnUnknownNameIsAnError) {
  const CommandResult result = podsim("validate --only nosuchthing");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("no table or row has such a name"));
}

}  // namespace
}  // namespace podsim::testing
