// Physical quantities. Simulated time is an exact integer number of picoseconds; rates are integers too, so that a
// result is the same on every machine and at every optimisation level.
#pragma once

#include <bit>
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

// Converts bytes to serialisation time at a fixed bandwidth: the exact quotient, rounded up to a whole picosecond, so
// that no transfer is ever faster than its rate. A multiplication by the rate's reciprocal stands in for the slow
// 128-bit division; what it misses by being cut off is one picosecond or two, and is made good. A default-constructed
// object takes no time for anything.
class SerialisationTime {
 public:
  SerialisationTime() = default;
  // `bandwidth` is not zero.
  explicit constexpr SerialisationTime(Bandwidth bandwidth)
      : bytes_per_second_(bandwidth.bytes_per_second),
        shift_(22u + static_cast<unsigned>(std::bit_width(bandwidth.bytes_per_second))),
        ps_per_byte_(static_cast<std::uint64_t>((static_cast<Wide>(kPicosecondsPerSecond) << shift_) /
                                                bandwidth.bytes_per_second)) {}

  [[nodiscard]] constexpr Picoseconds operator()(Bytes bytes) const {
    if (bytes_per_second_ == 0) return 0;
    const Wide dividend = static_cast<Wide>(bytes) * kPicosecondsPerSecond;
    auto quotient = static_cast<std::uint64_t>((static_cast<Wide>(bytes) * ps_per_byte_) >> shift_);
    while (static_cast<Wide>(quotient) * bytes_per_second_ < dividend) ++quotient;
    return static_cast<Picoseconds>(quotient);
  }

 private:
  std::uint64_t bytes_per_second_ = 0;
  unsigned shift_ = 0;  // as large as leaves the reciprocal within 64 bits, for any rate: 1e12 is just below 2^40
  std::uint64_t ps_per_byte_ = 0;
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
