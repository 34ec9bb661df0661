#include "platform/report/number_text.h"

#include <gtest/gtest.h>

namespace podsim::report {
namespace {

TEST(NumberText, ScalesByThousandsWithFourDigits) {
  EXPECT_EQ(decimal_text(0, "B/s"), "0 B/s");
  EXPECT_EQ(decimal_text(45e9, "B/s"), "45 GB/s");
  EXPECT_EQ(decimal_text(1.44e12, "B/s"), "1.44 TB/s");
  EXPECT_EQ(decimal_text(999.96e9, "B/s"), "1 TB/s");
  EXPECT_EQ(decimal_text(197.002e12, "FLOP/s"), "197 TFLOP/s");
}

TEST(NumberText, ScalesBytesBy1024) {
  EXPECT_EQ(bytes_text(0), "0 B");
  EXPECT_EQ(bytes_text(1023), "1023 B");
  EXPECT_EQ(bytes_text(1024), "1 KiB");
  EXPECT_EQ(bytes_text(1536), "1.5 KiB");
  EXPECT_EQ(bytes_text(16 * kGiB), "16 GiB");
  EXPECT_EQ(bytes_text(kMiB - 1), "1 MiB");
}

TEST(NumberText, PicksTheUnitOfATime) {
  EXPECT_EQ(time_text(0), "0 ps");
  EXPECT_EQ(time_text(999), "999 ps");
  EXPECT_EQ(time_text(1500), "1.5 ns");
  EXPECT_EQ(time_text(12'345'678), "12.35 us");
  EXPECT_EQ(time_text(2 * kPicosecondsPerSecond), "2 s");
}

TEST(NumberText, PutsNounsInThePlural) {
  EXPECT_EQ(count_text(1, "chip"), "1 chip");
  EXPECT_EQ(count_text(0, "chip"), "0 chips");
  EXPECT_EQ(count_text(16, "chip"), "16 chips");
}

}  // namespace
}  // namespace podsim::report
