#include "platform/report/number_text.h"

#include <fmt/format.h>

#include <array>

namespace podsim::report {

std::string decimal_text(double value, const std::string& unit) {
  constexpr std::array<const char*, 7> kPrefixes{"", "k", "M", "G", "T", "P", "E"};
  std::size_t prefix = 0;
  // 999.95 would print as "1000" of the smaller unit.
  while (value >= 999.95 && prefix + 1 < kPrefixes.size()) {
    value /= 1000;
    ++prefix;
  }
  return fmt::format("{:.4g} {}{}", value, kPrefixes[prefix], unit);
}

std::string bandwidth_text(double bytes_per_second) { return decimal_text(bytes_per_second, "B/s"); }

std::string bytes_text(Bytes bytes) {
  constexpr std::array<const char*, 7> kUnits{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  double value = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (value >= 1023.95 && unit + 1 < kUnits.size()) {
    value /= 1024;
    ++unit;
  }
  return fmt::format("{:.4g} {}", value, kUnits[unit]);
}

std::string time_text(Picoseconds time) {
  if (time < kPicosecondsPerNanosecond) return fmt::format("{} ps", time);
  if (time < kPicosecondsPerMicrosecond) return fmt::format("{:.4g} ns", static_cast<double>(time) / 1e3);
  if (time < 1000 * kPicosecondsPerMicrosecond) return fmt::format("{:.4g} us", static_cast<double>(time) / 1e6);
  if (time < kPicosecondsPerSecond) return fmt::format("{:.4g} ms", static_cast<double>(time) / 1e9);
  return fmt::format("{:.4g} s", static_cast<double>(time) / 1e12);
}

double microseconds(Picoseconds time) { return static_cast<double>(time) / 1e6; }

std::string count_text(std::uint64_t count, const std::string& noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

}  // namespace podsim::report
