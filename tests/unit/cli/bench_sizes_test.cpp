#include "platform/cli/bench_sizes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace podsim::cli {
namespace {

using ::testing::ElementsAre;

TEST(BenchSizes, ParsesNcclAndQuantityForms) {
  const std::vector<std::pair<std::string, Bytes>> cases{{"0", 0},
                                                         {"5", 5},
                                                         {"1000", 1000},
                                                         {"1e6", 1'000'000},
                                                         {"64K", 64 * kKiB},
                                                         {"64k", 64 * kKiB},
                                                         {"128M", 128 * kMiB},
                                                         {"1G", kGiB},
                                                         {"1KiB", kKiB},
                                                         {"4 MB", 4'000'000},
                                                         {"2 MiB", 2 * kMiB},
                                                         {"1.5K", 1536},
                                                         {"7 B", 7},
                                                         {"1 K", kKiB},
                                                         {"1T", 0}};
  for (const auto& [text, bytes] : cases) {
    const auto parsed = parse_bench_size(text);
    if (text == "1T") {
      EXPECT_FALSE(parsed.value) << text;  // no such suffix; TiB is
      continue;
    }
    ASSERT_TRUE(parsed.value) << text << ": " << parsed.error;
    EXPECT_EQ(parsed.value->bytes, bytes) << text;
  }
}

TEST(BenchSizes, RefusesWhatIsNoSize) {
  for (const char* text :
       {"", "K", "x", "-5", "-1K", "1Q", "1KK", "1 e", "nan", "1.5", "0x10", "99T", "9e99", "2TiB"}) {
    EXPECT_FALSE(parse_bench_size(text).value) << text;
  }
}

TEST(BenchSizes, MultipliesOrAdds) {
  EXPECT_THAT(bench_sizes({kKiB, 16 * kKiB, 4, {}}, 4), ElementsAre(kKiB, 4 * kKiB, 16 * kKiB));
  EXPECT_THAT(bench_sizes({100, 400, 0, 100}, 4), ElementsAre(100, 200, 300, 400));
  EXPECT_THAT(bench_sizes({100, 399, 2, {}}, 1), ElementsAre(100, 200));
  EXPECT_THAT(bench_sizes({0, 0, 2, {}}, 4), ElementsAre(0));
  EXPECT_THAT(bench_sizes({0, 8, 2, {}}, 4), ElementsAre(0));
}

TEST(BenchSizes, RoundsDownToWholeElementsOnceEach) {
  EXPECT_THAT(bench_sizes({1, 16, 2, {}}, 4), ElementsAre(0, 4, 8, 16));
  EXPECT_THAT(bench_sizes({3, 10, 0, 3}, 2), ElementsAre(2, 6, 8));
}

TEST(BenchSizes, RefusesRangesThatGoNowhere) {
  EXPECT_THROW((void)bench_sizes({2, 1, 2, {}}, 1), std::invalid_argument);
  EXPECT_THROW((void)bench_sizes({1, 2, 1, {}}, 1), std::invalid_argument);
  EXPECT_THROW((void)bench_sizes({1, 2, 0, 0}, 1), std::invalid_argument);
  EXPECT_THROW((void)bench_sizes({0, kGiB, 0, 1}, 1), std::invalid_argument);
}

}  // namespace
}  // namespace podsim::cli
