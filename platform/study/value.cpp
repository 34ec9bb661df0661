#include "platform/study/value.h"

#include <fmt/format.h>

#include <cmath>

#include "platform/config/quantity.h"
#include "platform/config/scalar_parsers.h"

namespace podsim::study {

namespace {

// Beyond this a double is no whole number any more, and below it every whole number is exact.
constexpr double kLargestWhole = 9007199254740992.0;  // 2^53

std::uint64_t whole(double number, std::uint64_t least) {
  if (!std::isfinite(number) || number < 0 || number > 9e18) {
    throw std::invalid_argument(fmt::format("{} is out of range", number));
  }
  return std::max(least, static_cast<std::uint64_t>(std::llround(number)));
}

}  // namespace

std::string in_words(Dimension dimension) {
  if (dimension == kPlain) return "a plain number";
  if (dimension == kSize) return "a size such as '4 MiB'";
  if (dimension == kTime) return "a time such as '2 s'";
  if (dimension == kBandwidth) return "a bandwidth such as '45 GB/s'";
  if (dimension == kFrequency) return "a frequency such as '940 MHz'";
  return fmt::format("a product of bytes^{} and seconds^{}", dimension.bytes, dimension.seconds);
}

Value parse_value(std::string_view text) {
  if (const auto number = config::parse_double(text).value) return Value::plain(*number);
  if (const auto size = config::parse_byte_size(text).value) return {static_cast<double>(size->bytes), kSize, {}};
  if (const auto time = config::parse_duration(text).value) {
    return {static_cast<double>(time->ps) / static_cast<double>(kPicosecondsPerSecond), kTime, {}};
  }
  if (const auto rate = config::parse_bandwidth(text).value) {
    return {static_cast<double>(rate->bytes_per_second), kBandwidth, {}};
  }
  if (const auto clock = config::parse_frequency(text).value) {
    return {static_cast<double>(clock->hertz), kFrequency, {}};
  }
  return Value::of_text(std::string(text));
}

std::string value_text(const Value& value) {
  if (value.text) return *value.text;
  if (value.dimension == kSize) return config::to_string(ByteSize{whole(value.number, 0)});
  if (value.dimension == kBandwidth) return config::to_string(Bandwidth{whole(value.number, 1)});
  if (value.dimension == kFrequency) return config::to_string(Frequency{whole(value.number, 1)});
  if (value.dimension == kTime) {
    const double ps = value.number * static_cast<double>(kPicosecondsPerSecond);
    return config::to_string(Duration{static_cast<Picoseconds>(whole(ps, 0))});
  }
  if (value.dimension != kPlain || !std::isfinite(value.number)) {
    throw std::invalid_argument(fmt::format("{} is no value that YAML has a form for", in_words(value.dimension)));
  }
  const bool is_whole = value.number == std::floor(value.number) && std::fabs(value.number) < kLargestWhole;
  return is_whole ? fmt::format("{:.0f}", value.number) : fmt::format("{}", value.number);
}

}  // namespace podsim::study
