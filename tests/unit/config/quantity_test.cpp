// Quantities: exact parsing, refusals with their reasons, and text that reads back.
#include "platform/config/quantity.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <random>
#include <string>

namespace podsim::config {
namespace {

using ::testing::HasSubstr;

struct DurationCase {
  const char* text;
  Picoseconds ps;
};

class DurationText : public ::testing::TestWithParam<DurationCase> {};

TEST_P(DurationText, IsExact) {
  const auto parsed = parse_duration(GetParam().text);
  ASSERT_TRUE(parsed.value) << parsed.error;
  EXPECT_EQ(parsed.value->ps, GetParam().ps);
}

INSTANTIATE_TEST_SUITE_P(
    Table, DurationText,
    ::testing::Values(DurationCase{"1 us", 1'000'000}, DurationCase{"0.1 ns", 100}, DurationCase{"0.5 ns", 500},
                      DurationCase{"1us", 1'000'000}, DurationCase{"1   us", 1'000'000}, DurationCase{"7 ps", 7},
                      DurationCase{"0 ns", 0}, DurationCase{"0.000 ns", 0}, DurationCase{"1 s", 1'000'000'000'000},
                      DurationCase{"2 ms", 2'000'000'000}, DurationCase{"1 µs", 1'000'000},
                      DurationCase{"1e3 ps", 1000}, DurationCase{"1.5e-3 us", 1500}, DurationCase{"1.5E+1 ns", 15'000},
                      DurationCase{"+1 ns", 1000}, DurationCase{".5 ns", 500}, DurationCase{"5. ns", 5000},
                      DurationCase{"0.3 us", 300'000}, DurationCase{"0.1000000000000000000000000 ns", 100},
                      DurationCase{"1.000000000001 s", 1'000'000'000'001}, DurationCase{"00012 ns", 12'000},
                      DurationCase{"9223372.036854775807 s", std::numeric_limits<std::int64_t>::max()}));

struct RateCase {
  const char* text;
  std::uint64_t bytes_per_second;
};

class BandwidthText : public ::testing::TestWithParam<RateCase> {};

TEST_P(BandwidthText, IsExact) {
  const auto parsed = parse_bandwidth(GetParam().text);
  ASSERT_TRUE(parsed.value) << parsed.error;
  EXPECT_EQ(parsed.value->bytes_per_second, GetParam().bytes_per_second);
}

INSTANTIATE_TEST_SUITE_P(Table, BandwidthText,
                         ::testing::Values(RateCase{"45 GB/s", 45'000'000'000}, RateCase{"1.2 TB/s", 1'200'000'000'000},
                                           RateCase{"400 Gb/s", 50'000'000'000}, RateCase{"1 Gb/s", 125'000'000},
                                           RateCase{"1 GiB/s", 1u << 30}, RateCase{"12.5 MB/s", 12'500'000},
                                           RateCase{"1 kb/s", 125}, RateCase{"9 B/s", 9},
                                           RateCase{"1 TiB/s", 1ull << 40},
                                           RateCase{"0.1 GiB/s", 107'374'182},  // 107374182.4, to the nearest
                                           RateCase{"1.5 B/s", 2}));

TEST(ByteSizeText, KnowsBinaryAndDecimal) {
  EXPECT_EQ(parse_byte_size("16 GiB").value->bytes, 16ull << 30);
  EXPECT_EQ(parse_byte_size("16 GB").value->bytes, 16'000'000'000u);
  EXPECT_EQ(parse_byte_size("64 KiB").value->bytes, 65'536u);
  EXPECT_EQ(parse_byte_size("0.5 KiB").value->bytes, 512u);
  EXPECT_EQ(parse_byte_size("0 B").value->bytes, 0u);
  EXPECT_EQ(parse_byte_size("24 B").value->bytes, 24u);
}

TEST(FrequencyText, KnowsItsUnits) {
  EXPECT_EQ(parse_frequency("940 MHz").value->hertz, 940'000'000u);
  EXPECT_EQ(parse_frequency("1.75 GHz").value->hertz, 1'750'000'000u);
  EXPECT_EQ(parse_frequency("32 kHz").value->hertz, 32'000u);
}

struct Refused {
  const char* text;
  const char* why;
};

class DurationRefused : public ::testing::TestWithParam<Refused> {};

TEST_P(DurationRefused, SaysWhy) {
  const auto parsed = parse_duration(GetParam().text);
  EXPECT_FALSE(parsed.value);
  EXPECT_THAT(parsed.error, HasSubstr("expected a duration such as '1.5 us', got '"));
  EXPECT_THAT(parsed.error, HasSubstr(GetParam().why));
}

INSTANTIATE_TEST_SUITE_P(
    Table, DurationRefused,
    ::testing::Values(Refused{"1", "a unit is required (accepted: ps, ns, us, ms, s"}, Refused{"0", "unit is required"},
                      Refused{"-1 ns", "negative"}, Refused{"-inf", "negative"}, Refused{"inf", "no number"},
                      Refused{"nan ns", "no number"}, Refused{"", "no number"}, Refused{"us", "no number"},
                      Refused{". ns", "no number"}, Refused{"1 GB/s", "unknown unit 'GB/s'"},
                      Refused{"1 ns ns", "unknown unit 'ns ns'"}, Refused{"1 uss", "did you mean 'us'?"},
                      Refused{"1,5 ns", "unknown unit ',5 ns'"}, Refused{"1.2.3 ns", "unknown unit '.3 ns'"},
                      Refused{"0.0001 ns", "not a whole number of picoseconds"},
                      Refused{"0.5 ps", "not a whole number of picoseconds"},
                      Refused{"1e-40 s", "not a whole number of picoseconds"}, Refused{"1e400 s", "too large"},
                      Refused{"9223372.036854775808 s", "too large"}, Refused{"1e19 ps", "too large"},
                      Refused{"12345678901234567891 ps", "more than 19 significant digits"},
                      Refused{"0x10 ns", "unknown unit 'x10 ns'"}, Refused{"1e ns", "unknown unit 'e ns'"},
                      Refused{"1 ns\t", "unknown unit"}, Refused{"++1 ns", "no number"},
                      Refused{"1 \xc2", "unknown unit"}));

TEST(BandwidthRefused, SaysWhy) {
  EXPECT_THAT(parse_bandwidth("45").error, HasSubstr("expected a bandwidth such as '45 GB/s', got '45'"));
  EXPECT_THAT(parse_bandwidth("45").error, HasSubstr("GB/s"));
  EXPECT_THAT(parse_bandwidth("0 GB/s").error, HasSubstr("at least one"));
  EXPECT_THAT(parse_bandwidth("0.1 B/s").error, HasSubstr("at least one"));
  EXPECT_THAT(parse_bandwidth("1e-99 GB/s").error, HasSubstr("at least one"));
  EXPECT_THAT(parse_bandwidth("45 GBps").error, HasSubstr("unknown unit 'GBps'"));
  EXPECT_THAT(parse_bandwidth("99999 TB/s").error, HasSubstr("too large"));
}

TEST(FrequencyRefused, SaysWhy) {
  EXPECT_THAT(parse_frequency("940").error, HasSubstr("accepted: Hz, kHz, MHz, GHz"));
  EXPECT_THAT(parse_frequency("0 Hz").error, HasSubstr("at least one"));
  EXPECT_THAT(parse_frequency("940 mhz").error, HasSubstr("did you mean 'MHz'?"));
}

TEST(ByteSizeRefused, SaysWhy) {
  EXPECT_THAT(parse_byte_size("1.5 B").error, HasSubstr("not a whole number of bytes"));
  EXPECT_THAT(parse_byte_size("16 gib").error, HasSubstr("did you mean 'GiB'?"));
  EXPECT_THAT(parse_byte_size("99999999999 TiB").error, HasSubstr("too large"));
}

TEST(QuantityText, LongGarbageIsShownShortened) {
  EXPECT_LT(parse_duration(std::string(100'000, '9')).error.size(), 400u);
  EXPECT_LT(parse_duration(std::string(100'000, 'x')).error.size(), 400u);
  EXPECT_LT(parse_duration("1 " + std::string(100'000, 'x')).error.size(), 400u);
}

TEST(QuantityText, ReadsWell) {
  EXPECT_EQ(to_string(Duration{100}), "100 ps");
  EXPECT_EQ(to_string(Duration{1'500}), "1.5 ns");
  EXPECT_EQ(to_string(Duration{1'000'000}), "1 us");
  EXPECT_EQ(to_string(Duration{0}), "0 ps");
  EXPECT_EQ(to_string(ByteSize{16ull << 30}), "16 GiB");
  EXPECT_EQ(to_string(ByteSize{16'000'000'000}), "16 GB");
  EXPECT_EQ(to_string(ByteSize{0}), "0 B");
  EXPECT_EQ(to_string(Bandwidth{819'000'000'000}), "819 GB/s");
  EXPECT_EQ(to_string(Bandwidth{1'228'800'000'000}), "1.2288 TB/s");
  EXPECT_EQ(to_string(Frequency{940'000'000}), "940 MHz");
}

TEST(QuantityText, EveryValueReadsBackExactly) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 20'000; ++i) {
    const std::uint64_t value = random() >> (random() % 64);
    const auto ps = static_cast<Picoseconds>(value >> 1);
    EXPECT_EQ(parse_duration(to_string(Duration{ps})).value, Duration{ps});
    const ByteSize size{value >> 1};
    EXPECT_EQ(parse_byte_size(to_string(size)).value, size);
    const Bandwidth bandwidth{1 + value % 1'000'000'000'000'000};
    EXPECT_EQ(parse_bandwidth(to_string(bandwidth)).value, bandwidth);
    const Frequency frequency{1 + value % 1'000'000'000'000};
    EXPECT_EQ(parse_frequency(to_string(frequency)).value, frequency);
  }
}

}  // namespace
}  // namespace podsim::config
