// Figures for people: a few significant digits and a unit. Programs read the JSON, which has exact numbers.
#pragma once

#include <string>

#include "models/kernel/units.h"

namespace podsim::report {

// Four significant digits with a decimal prefix: "45 GB/s", "1.44 TB/s", "197 TFLOP/s".
[[nodiscard]] std::string decimal_text(double value, const std::string& unit);
[[nodiscard]] std::string bandwidth_text(double bytes_per_second);
// Binary prefixes: "16 GiB", "1.5 KiB", "5 B".
[[nodiscard]] std::string bytes_text(Bytes bytes);
// "850 ps", "12.35 us", "1.2 s".
[[nodiscard]] std::string time_text(Picoseconds time);
[[nodiscard]] double microseconds(Picoseconds time);
// "1 chip", "16 chips".
[[nodiscard]] std::string count_text(std::uint64_t count, const std::string& noun);

}  // namespace podsim::report
