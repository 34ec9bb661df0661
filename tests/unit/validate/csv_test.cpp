#include "platform/validate/csv.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "platform/config/config_error.h"
#include "tests/unit/config/temporary_folder.h"

namespace podsim::validate {
namespace {

using config::ConfigError;
using ::testing::HasSubstr;

class ValidateCsv : public ::testing::Test {
 protected:
  Csv csv(const std::string& text) {
    folder_.write("figures.csv", text);
    return Csv(folder_.path() / "figures.csv");
  }
  std::string complaint(const std::string& text) {
    try {
      const Csv figures = csv(text);
      for (std::size_t i = 0; i < figures.rows(); ++i) {
        (void)figures.number(i, "a");
        (void)figures.count(i, "b");
      }
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "accepted";
  }

  testing::TemporaryFolder folder_;
};

TEST_F(ValidateCsv, ReadsColumnsByName) {
  const Csv figures = csv("# a comment\nb,a,c\n3,1.5,x\n\n4,-2,\r\n");
  ASSERT_EQ(figures.rows(), 2u);
  EXPECT_EQ(figures.number(0, "a"), 1.5);
  EXPECT_EQ(figures.count(1, "b"), 4u);
  EXPECT_EQ(figures.text(0, "c"), "x");
  EXPECT_EQ(figures.text(1, "c"), "");
  EXPECT_THROW((void)figures.text(0, "d"), std::out_of_range);
}

TEST_F(ValidateCsv, SaysWhereARowIsTooShort) {
  EXPECT_THAT(complaint("# x\na,b\n1,2\n1\n"), HasSubstr("figures.csv:4:1: expected 2 fields, got 1"));
}

TEST_F(ValidateCsv, SaysWhatIsNoNumber) {
  EXPECT_THAT(complaint("a,b\n1.5x,2\n"), HasSubstr("figures.csv:2:1: a: expected a number, got '1.5x'"));
  EXPECT_THAT(complaint("a,b\n1,-2\n"), HasSubstr("figures.csv:2:1: b: expected a whole number, got '-2'"));
}

TEST_F(ValidateCsv, AMissingFileIsAnError) { EXPECT_THROW(Csv("/nonexistent/figures.csv"), ConfigError); }

}  // namespace
}  // namespace podsim::validate
