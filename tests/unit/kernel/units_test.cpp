#include "models/kernel/units.h"

#include <gtest/gtest.h>

#include <random>

namespace podsim {
namespace {

using namespace literals;

// The exact serialisation time is a fraction, bytes x 1e12 / rate; compared here without dividing.
void expect_rounded_up(Bandwidth bandwidth, Bytes bytes) {
  const SerialisationTime time(bandwidth);
  const Wide exact = static_cast<Wide>(bytes) * kPicosecondsPerSecond;  // in units of 1 ps / rate
  const Wide got = static_cast<Wide>(time(bytes)) * bandwidth.bytes_per_second;
  ASSERT_GE(got, exact) << bytes << " bytes beat " << bandwidth.bytes_per_second << " B/s";
  ASSERT_LT(got, exact + bandwidth.bytes_per_second) << bytes << " bytes at " << bandwidth.bytes_per_second << " B/s";
}

TEST(SerialisationTime, IsTheExactTimeRoundedUp) {
  for (const Bandwidth bandwidth : {Bandwidth{1}, Bandwidth{3}, 1_GBps, 45_GBps, Bandwidth{819'000'000'000}, 18_TBps,
                                    Bandwidth{12'345'678'901}, Bandwidth{999'999'999'999}}) {
    for (const Bytes bytes : {0, 1, 2, 3, 9, 63, 64, 4096, 65'536, 65'537}) expect_rounded_up(bandwidth, bytes);
  }
  std::mt19937_64 random(4);
  for (int i = 0; i < 1'000'000; ++i) {
    // Rates from 1 MB/s to 20 TB/s and sizes up to 64 GiB, all magnitudes alike.
    const Bandwidth bandwidth{1'000'000 + random() % (20'000'000'000'000 >> random() % 24)};
    expect_rounded_up(bandwidth, random() % ((64 * kGiB) >> random() % 36));
  }
}

TEST(SerialisationTime, ADefaultOneTakesNoTime) { EXPECT_EQ(SerialisationTime()(123'456), 0); }

TEST(SerialisationTime, IsExactWhereAByteTakesWholePicoseconds) {
  EXPECT_EQ(SerialisationTime(1_GBps)(1), 1000);
  EXPECT_EQ(SerialisationTime(Bandwidth{50'000'000'000})(64 * kKiB), 20 * 65'536);
  EXPECT_EQ(SerialisationTime(1_TBps)(123'456'789), 123'456'789);
  EXPECT_EQ(SerialisationTime(45_GBps)(9), 200);  // 22.2 recurring a byte
  EXPECT_EQ(SerialisationTime(45_GBps)(0), 0);
}

TEST(SerialisationTime, NeverDecreasesWithSize) {
  const SerialisationTime time(Bandwidth{819'000'000'000});
  Picoseconds previous = 0;
  for (Bytes bytes = 1; bytes < 10'000; ++bytes) {
    ASSERT_GE(time(bytes), previous);
    previous = time(bytes);
  }
}

TEST(Frequency, RoundsToTheNearestPicosecond) {
  EXPECT_EQ((1_MHz).time_for(1), 1'000'000);
  EXPECT_EQ((1'500_MHz).time_for(1), 667);   // 666.67
  EXPECT_EQ((1'500_MHz).time_for(2), 1333);  // 1333.33
  EXPECT_EQ((1'500_MHz).time_for(3), 2000);
  EXPECT_EQ((Frequency{2'000'000'000'000}).time_for(1), 1);  // half a picosecond rounds up
  EXPECT_EQ((940_MHz).time_for(0), 0);
}

TEST(Frequency, LongSpansDoNotDrift) {
  // 1e12 cycles at 1.5 GHz: 666.67 s, where rounding each cycle would be off by a third of a second.
  EXPECT_EQ((1'500_MHz).time_for(1'000'000'000'000), 666'666'666'666'667);
  std::mt19937_64 random(6);
  for (int i = 0; i < 10'000; ++i) {
    const Frequency frequency{1 + random() % 5'000'000'000};
    const std::uint64_t cycles = random() % (frequency.hertz * 100);
    const Wide exact = static_cast<Wide>(cycles) * kPicosecondsPerSecond;
    const Wide got = static_cast<Wide>(frequency.time_for(cycles)) * frequency.hertz;
    const Wide error = got > exact ? got - exact : exact - got;
    ASSERT_LE(2 * error, frequency.hertz) << cycles << " cycles of " << frequency.hertz << " Hz";
  }
}

TEST(Units, LiteralsAreWhatTheySay) {
  EXPECT_EQ((3_ns).ps, 3'000);
  EXPECT_EQ((2_us).ps, 2'000'000);
  EXPECT_EQ((4_KiB).bytes, 4'096u);
  EXPECT_EQ((1_GiB).bytes, 1'073'741'824u);
  EXPECT_EQ((45_GBps).bytes_per_second, 45'000'000'000u);
  EXPECT_LT(1_us, 2_us);
}

}  // namespace
}  // namespace podsim
