// Physical quantities. Simulated time is an exact integer number of picoseconds; rates are integers too, so that a
// result is the same on every machine and at every optimisation level.
#pragma once

#include <compare>
#include <cstdint>

namespace podsim {

// A point in, or a span of, simulated time. The blocks compute with this plain integer.
using Picoseconds = std::int64_t;

using Bytes = std::uint64_t;

// For products of two 64-bit quantities; a compiler extension, of GCC and Clang alike.
__extension__ using Wide = unsigned __int128;

inline constexpr Picoseconds kPicosecondsPerSecond = 1'000'000'000'000;
inline constexpr Picoseconds kPicosecondsPerMicrosecond = 1'000'000;
inline constexpr Picoseconds kPicosecondsPerNanosecond = 1'000;

inline constexpr Bytes kKiB = Bytes{1} << 10;
inline constexpr Bytes kMiB = Bytes{1} << 20;
inline constexpr Bytes kGiB = Bytes{1} << 30;

// The four types below are what configuration structs hold: a quantity's type says which unit YAML must give.

struct Duration {
  Picoseconds ps = 0;
  auto operator<=>(const Duration&) const = default;
};

struct ByteSize {
  Bytes bytes = 0;
  auto operator<=>(const ByteSize&) const = default;
};

struct Frequency {
  std::uint64_t hertz = 1;
  auto operator<=>(const Frequency&) const = default;

  // Length of `cycles` clock cycles, rounded to the nearest picosecond. Blocks call this at construction.
  [[nodiscard]] constexpr Picoseconds time_for(std::uint64_t cycles) const {
    const auto scaled = static_cast<Wide>(cycles) * kPicosecondsPerSecond + hertz / 2;
    return static_cast<Picoseconds>(scaled / hertz);
  }
};

struct Bandwidth {
  std::uint64_t bytes_per_second = 1;
  auto operator<=>(const Bandwidth&) const = default;
};

// Converts bytes to serialisation time at a fixed bandwidth without a division: the picoseconds of one byte are kept as
// a 32.32 fixed-point number, rounded up, and products round up, so that no transfer is ever faster than its rate.
class SerialisationTime {
 public:
  SerialisationTime() = default;
  explicit constexpr SerialisationTime(Bandwidth bandwidth)
      : ps_per_byte_q32_(static_cast<std::uint64_t>(
            ((static_cast<Wide>(kPicosecondsPerSecond) << 32) + bandwidth.bytes_per_second - 1) /
            bandwidth.bytes_per_second)) {}

  [[nodiscard]] constexpr Picoseconds operator()(Bytes bytes) const {
    const auto product = static_cast<Wide>(bytes) * ps_per_byte_q32_;
    return static_cast<Picoseconds>((product + 0xffff'ffffu) >> 32);
  }

 private:
  std::uint64_t ps_per_byte_q32_ = 0;
};

namespace literals {
constexpr Duration operator""_ps(unsigned long long n) { return {static_cast<Picoseconds>(n)}; }
constexpr Duration operator""_ns(unsigned long long n) {
  return {static_cast<Picoseconds>(n) * kPicosecondsPerNanosecond};
}
constexpr Duration operator""_us(unsigned long long n) {
  return {static_cast<Picoseconds>(n) * kPicosecondsPerMicrosecond};
}
constexpr ByteSize operator""_B(unsigned long long n) { return {n}; }
constexpr ByteSize operator""_KiB(unsigned long long n) { return {n * kKiB}; }
constexpr ByteSize operator""_MiB(unsigned long long n) { return {n * kMiB}; }
constexpr ByteSize operator""_GiB(unsigned long long n) { return {n * kGiB}; }
constexpr Bandwidth operator""_GBps(unsigned long long n) { return {n * 1'000'000'000}; }
constexpr Bandwidth operator""_TBps(unsigned long long n) { return {n * 1'000'000'000'000}; }
constexpr Frequency operator""_MHz(unsigned long long n) { return {n * 1'000'000}; }
}  // namespace literals

}  // namespace podsim
