#include "platform/config/quantity.h"

#include <array>
#include <limits>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "platform/config/suggestion.h"

namespace podsim::config {
namespace {

__extension__ using Wide = unsigned __int128;

// A unit is `factor / divisor` base units (the divisor turns bits into bytes).
struct Unit {
  std::string_view name;
  std::uint64_t factor;
  std::uint64_t divisor = 1;
};

struct Kind {
  std::string_view description;  // "a bandwidth such as '45 GB/s'"
  std::string_view base;         // "picoseconds"
  std::span<const Unit> units;
  std::uint64_t largest;
  bool is_rate;  // rates round to a whole base unit and may not be zero; sizes and durations must be exact
};

constexpr std::uint64_t kKilo = 1'000, kMega = 1'000'000, kGiga = 1'000'000'000, kTera = 1'000'000'000'000;
constexpr std::uint64_t kPeta = kTera * 1'000, kTiB = kGiB << 10;

constexpr std::array kDurationUnits{Unit{"ps", 1},     Unit{"ns", kKilo}, Unit{"us", kMega},
                                    Unit{"ms", kGiga}, Unit{"s", kTera},  Unit{"µs", kMega}};
constexpr std::array kByteSizeUnits{Unit{"B", 1},      Unit{"KiB", kKiB}, Unit{"MiB", kMiB},
                                    Unit{"GiB", kGiB}, Unit{"TiB", kTiB}, Unit{"kB", kKilo},
                                    Unit{"MB", kMega}, Unit{"GB", kGiga}, Unit{"TB", kTera}};
constexpr std::array kBandwidthUnits{
    Unit{"B/s", 1},         Unit{"kB/s", kKilo},    Unit{"MB/s", kMega},   Unit{"GB/s", kGiga}, Unit{"TB/s", kTera},
    Unit{"KiB/s", kKiB},    Unit{"MiB/s", kMiB},    Unit{"GiB/s", kGiB},   Unit{"TiB/s", kTiB}, Unit{"kb/s", kKilo, 8},
    Unit{"Mb/s", kMega, 8}, Unit{"Gb/s", kGiga, 8}, Unit{"Tb/s", kTera, 8}};
constexpr std::array kFrequencyUnits{Unit{"Hz", 1}, Unit{"kHz", kKilo}, Unit{"MHz", kMega}, Unit{"GHz", kGiga}};

constexpr std::uint64_t kLargestSigned = std::numeric_limits<std::int64_t>::max();
constexpr Kind kDuration{"a duration such as '1.5 us'", "picoseconds", kDurationUnits, kLargestSigned, false};
constexpr Kind kByteSize{"a size such as '16 GiB'", "bytes", kByteSizeUnits, kLargestSigned, false};
constexpr Kind kBandwidth{"a bandwidth such as '45 GB/s'", "bytes per second", kBandwidthUnits, kPeta, true};
constexpr Kind kFrequency{"a frequency such as '940 MHz'", "hertz", kFrequencyUnits, kTera, true};

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

// A decimal number as mantissa x 10^exponent, without loss.
struct Decimal {
  std::uint64_t mantissa = 0;
  int exponent = 0;
};

constexpr int kMostDigits = 19;       // fits 64 bits, and mantissa x factor fits 128
constexpr int kLargestExponent = 30;  // beyond it, everything overflows or vanishes

// Reads a number off the front of `text`. Returns what is wrong, or nothing.
std::string take_decimal(std::string_view& text, Decimal& number) {
  std::size_t at = 0;
  int digits = 0, significant = 0, pending_zeros = 0;
  bool point = false;
  int exponent = 0;
  for (; at < text.size() && (is_digit(text[at]) || (text[at] == '.' && !point)); ++at) {
    if (text[at] == '.') {
      point = true;
      continue;
    }
    ++digits;
    if (point) --exponent;
    // Zeros are held back until a digit follows them, so that 1.000...0 costs no precision.
    if (text[at] == '0') {
      if (significant > 0)
        ++pending_zeros;
      else
        pending_zeros = 0;
      continue;
    }
    significant += pending_zeros + 1;
    if (significant > kMostDigits) return fmt::format("more than {} significant digits", kMostDigits);
    for (; pending_zeros > 0; --pending_zeros) number.mantissa *= 10;
    number.mantissa = number.mantissa * 10 + static_cast<std::uint64_t>(text[at] - '0');
  }
  if (digits == 0) return "no number";
  exponent += pending_zeros;
  // An exponent counts only when digits follow: no unit starts with 'e', but "1 e" should say "unknown unit 'e'".
  if (at + 1 < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    std::size_t from = at + 1;
    const bool negative = text[from] == '-';
    if (text[from] == '-' || text[from] == '+') ++from;
    int written = 0;
    std::size_t end = from;
    for (; end < text.size() && is_digit(text[end]); ++end) {
      if (written <= 10 * kLargestExponent) written = written * 10 + (text[end] - '0');
    }
    if (end > from) {
      exponent += negative ? -written : written;
      at = end;
    }
  }
  number.exponent = number.mantissa == 0 ? 0 : exponent;
  text.remove_prefix(at);
  return {};
}

std::string unit_names(const Kind& kind) {
  std::string names;
  for (const Unit& unit : kind.units) names += fmt::format("{}{}", names.empty() ? "" : ", ", unit.name);
  return names;
}

const Unit* find_unit(const Kind& kind, std::string_view name) {
  for (const Unit& unit : kind.units) {
    if (unit.name == name) return &unit;
  }
  return nullptr;
}

std::string unknown_unit(const Kind& kind, std::string_view name) {
  std::vector<std::string> names;
  for (const Unit& unit : kind.units) names.emplace_back(unit.name);
  const auto near = nearest(name, names);
  const std::string hint = near ? fmt::format("did you mean '{}'? ", *near) : "";
  return fmt::format("unknown unit '{}'; {}(accepted: {})", name, hint, unit_names(kind));
}

// mantissa x 10^exponent x factor / divisor in base units.
std::string scale(const Kind& kind, const Decimal& number, const Unit& unit, std::uint64_t& result) {
  const std::string too_large = fmt::format("too large (at most {} {})", kind.largest, kind.base);
  if (number.exponent > kLargestExponent) return too_large;
  Wide numerator = static_cast<Wide>(number.mantissa) * unit.factor;
  Wide denominator = unit.divisor;
  for (int i = 0; i < number.exponent; ++i) {
    if (__builtin_mul_overflow(numerator, Wide{10}, &numerator)) return too_large;
  }
  bool vanishes = number.exponent < -kLargestExponent;
  for (int i = 0; i > number.exponent && !vanishes; --i) denominator *= 10;  // at most 8 x 10^30 < 2^128
  if (vanishes) {
    numerator = number.mantissa == 0 ? 0 : 1;
    denominator = 4;  // anything that is neither whole nor rounds up
  }
  if (kind.is_rate) {
    if (__builtin_add_overflow(numerator, denominator / 2, &numerator)) return too_large;
  } else if (numerator % denominator != 0) {
    return fmt::format("not a whole number of {}", kind.base);
  }
  const Wide value = numerator / denominator;
  if (value > kind.largest) return too_large;
  if (kind.is_rate && value == 0) return fmt::format("must be at least one of the base unit ({})", kind.base);
  result = static_cast<std::uint64_t>(value);
  return {};
}

std::string parse(const Kind& kind, std::string_view text, std::uint64_t& result) {
  const std::string_view whole = text;
  const auto refuse = [&](std::string_view why) {
    std::string shown(whole.substr(0, 60));
    if (whole.size() > 60) shown += "...";
    return fmt::format("expected {}, got '{}': {}", kind.description, shown, why);
  };
  if (text.starts_with('-')) return refuse("negative");
  if (text.starts_with('+')) text.remove_prefix(1);
  Decimal number;
  if (const std::string why = take_decimal(text, number); !why.empty()) return refuse(why);
  while (text.starts_with(' ')) text.remove_prefix(1);
  if (text.empty()) return refuse(fmt::format("a unit is required (accepted: {})", unit_names(kind)));
  const Unit* unit = find_unit(kind, text);
  if (!unit) return refuse(unknown_unit(kind, text.substr(0, 60)));
  if (const std::string why = scale(kind, number, *unit, result); !why.empty()) return refuse(why);
  return {};
}

template <class T>
Parsed<T> parse_as(const Kind& kind, std::string_view text) {
  std::uint64_t value = 0;
  std::string error = parse(kind, text, value);
  if (!error.empty()) return {std::nullopt, std::move(error)};
  return {T{value}, {}};
}

// value / factor as an exact decimal; `factor` is a power of ten, so the fraction ends.
std::string decimal(std::uint64_t value, std::uint64_t factor) {
  std::string text = std::to_string(value / factor);
  std::uint64_t rest = value % factor;
  if (rest == 0) return text;
  text += '.';
  for (; rest != 0; rest %= factor) {
    factor /= 10;
    text += static_cast<char>('0' + rest / factor);
  }
  return text;
}

std::vector<std::string_view> names_of(const Kind& kind) {
  std::vector<std::string_view> names;
  for (const Unit& unit : kind.units) names.push_back(unit.name);
  return names;
}

// The largest unit of `units` that is not above the value.
std::string in_largest_unit(std::uint64_t value, std::span<const Unit> units) {
  const Unit* best = &units.front();
  for (const Unit& unit : units) {
    if (unit.factor <= value && unit.factor > best->factor) best = &unit;
  }
  return fmt::format("{} {}", decimal(value, best->factor), best->name);
}

}  // namespace

Parsed<Duration> parse_duration(std::string_view text) {
  std::uint64_t ps = 0;
  std::string error = parse(kDuration, text, ps);
  if (!error.empty()) return {std::nullopt, std::move(error)};
  return {Duration{static_cast<Picoseconds>(ps)}, {}};
}

Parsed<ByteSize> parse_byte_size(std::string_view text) { return parse_as<ByteSize>(kByteSize, text); }
Parsed<Bandwidth> parse_bandwidth(std::string_view text) { return parse_as<Bandwidth>(kBandwidth, text); }
Parsed<Frequency> parse_frequency(std::string_view text) { return parse_as<Frequency>(kFrequency, text); }

template <>
std::vector<std::string_view> units<Duration>() {
  return names_of(kDuration);
}
template <>
std::vector<std::string_view> units<ByteSize>() {
  return names_of(kByteSize);
}
template <>
std::vector<std::string_view> units<Bandwidth>() {
  return names_of(kBandwidth);
}
template <>
std::vector<std::string_view> units<Frequency>() {
  return names_of(kFrequency);
}

std::string to_string(Duration duration) {
  if (duration.ps < 0) return fmt::format("-{}", to_string(Duration{-duration.ps}));
  return in_largest_unit(static_cast<std::uint64_t>(duration.ps), std::span(kDurationUnits).first(5));
}

std::string to_string(ByteSize size) {
  // Sizes are written whole: the largest unit, binary before decimal, that divides them.
  const Unit* best = &kByteSizeUnits.front();
  for (const Unit& unit : kByteSizeUnits) {
    if (size.bytes != 0 && size.bytes % unit.factor == 0 && unit.factor > best->factor) best = &unit;
  }
  return fmt::format("{} {}", size.bytes / best->factor, best->name);
}

std::string to_string(Bandwidth bandwidth) {
  return in_largest_unit(bandwidth.bytes_per_second, std::span(kBandwidthUnits).first(5));
}

std::string to_string(Frequency frequency) { return in_largest_unit(frequency.hertz, kFrequencyUnits); }

}  // namespace podsim::config
