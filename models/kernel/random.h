// Numbers that look random and follow from a seed alone: the same on every machine. No SystemC.
#pragma once

#include <cstdint>

namespace podsim::kernel {

// SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t number = state_ += 0x9e37'79b9'7f4a'7c15u;
    number = (number ^ (number >> 30)) * 0xbf58'476d'1ce4'e5b9u;
    number = (number ^ (number >> 27)) * 0x94d0'49bb'1331'11ebu;
    return number ^ (number >> 31);
  }
  // One of 0 .. n-1.
  std::uint64_t below(std::uint64_t n) { return next() % n; }
  bool one_in(std::uint64_t n) { return below(n) == 0; }

 private:
  std::uint64_t state_;
};

}  // namespace podsim::kernel
