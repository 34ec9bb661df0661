// The page is embedded as it was built, and no data can break out of its element.
#include "platform/report/html_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

namespace podsim::report {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const std::string kDataElement = R"(<script type="application/json" id="podsim-data">)";

std::string report(const std::string& json) {
  std::ostringstream out;
  write_html_report(out, json);
  return out.str();
}

std::string data_of(const std::string& page) {
  const std::size_t begin = page.find(kDataElement) + kDataElement.size();
  return page.substr(begin, page.find("</script>", begin) - begin);
}

TEST(HtmlReport, EmbedsThePageAsBuilt) {
  std::ifstream file(PODSIM_SOURCE_DIR "/report/dist/report.html", std::ios::binary);
  ASSERT_TRUE(file) << "report/dist/report.html is missing";
  std::ostringstream built;
  built << file.rdbuf();
  EXPECT_EQ(html_report_page(), built.str());
}

TEST(HtmlReport, HasOnePlaceForData) {
  const std::string_view page = html_report_page();
  const std::size_t place = page.find("@PODSIM_DATA@");
  ASSERT_NE(place, std::string_view::npos);
  EXPECT_EQ(page.find("@PODSIM_DATA@", place + 1), std::string_view::npos);
}

TEST(HtmlReport, KeepsTheDataWhole) {
  const std::string json = R"({"title":"a < b </script><script>alert(1)</script><!-- é","end":1})";
  const std::string data = data_of(report(json));
  EXPECT_THAT(data, Not(HasSubstr("<")));
  EXPECT_EQ(nlohmann::json::parse(data), nlohmann::json::parse(json));
}

TEST(HtmlReport, AddsNothingButTheData) {
  const std::string page(html_report_page());
  const std::string marker = "@PODSIM_DATA@";
  const std::size_t place = page.find(marker);
  EXPECT_EQ(report("{}"), page.substr(0, place) + "{}" + page.substr(place + marker.size()));
}

// A mailed file must show itself without any other: nothing in it may load from elsewhere.
TEST(HtmlReport, LoadsNothing) {
  const std::string page(html_report_page());
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
  EXPECT_THAT(page, Not(HasSubstr(" src=")));
  EXPECT_THAT(page, Not(HasSubstr("@import")));
}

TEST(HtmlReport, RefusesNoData) { EXPECT_THROW(report(""), std::invalid_argument); }

}  // namespace
}  // namespace podsim::report
