// A number that tells sequences apart: FNV-1a (Fowler, Noll, Vo; public domain).
#pragma once

#include <cstdint>

namespace podsim::check {

class Digest {
 public:
  // A byte, or any number that is compared as a whole.
  void add(std::uint64_t number) { value_ = (value_ ^ number) * 0x100'0000'01b3u; }
  [[nodiscard]] std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf2'9ce4'8422'2325u;
};

}  // namespace podsim::check
