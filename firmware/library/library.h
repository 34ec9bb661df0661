// Programs that podsim was not built with: a shared object that `podsim run --firmware libmine.so` loads. It has
//
//   static constexpr podsim::firmware::Program kPrograms[] = {
//       {.name = "mine", .description = "what it does", .run = &mine},
//   };
//   extern "C" const podsim::firmware::Library* podsim_firmware() {
//     static constexpr podsim::firmware::Library library{kPrograms};
//     return &library;
//   }
//
// and finds everything else of firmware/ in the podsim that loads it. Both must be of the same headers and compiled
// alike, or neither could read what the other has in memory: Library says what it was built with, and podsim compares.
// docs/firmware-libraries.md tells how to build one.
#pragma once

#include <cstdint>
#include <span>

#include "firmware/library/stamp.h"
#include "firmware/programs/programs.h"

namespace podsim::firmware {

class Library {
 public:
  // Leave the last two as they are: they are made where the library is compiled.
  constexpr explicit Library(std::span<const Program> programs, const char* stamp = kStamp,
                             std::uint64_t sizes = kSizes)
      : stamp_(stamp), sizes_(sizes), programs_(programs) {}

  // Safe to read whatever the library was built with.
  [[nodiscard]] const char* stamp() const { return stamp_; }
  [[nodiscard]] bool fits(const Library& own) const { return sizes_ == own.sizes_; }
  // Only of a library of this stamp that fits.
  [[nodiscard]] std::span<const Program> programs() const { return programs_; }

 private:
  // Differs with the standard library and how it was told to check itself.
  static constexpr std::uint64_t kSizes =
      sizeof(Device) + (sizeof(ProgramCall) << 16) + (std::uint64_t{sizeof(Program)} << 32) + _GLIBCXX_USE_CXX11_ABI;

  // First, in this order, for good.
  const char* stamp_;
  std::uint64_t sizes_;
  std::span<const Program> programs_;
};

// What a library exports under the name "podsim_firmware", as extern "C".
using LibraryEntry = const Library*();

}  // namespace podsim::firmware
