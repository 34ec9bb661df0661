// Where a program was when it came to grief: written by the process that runs it, read by the one that waits for it.
#pragma once

#include <cstdint>
#include <string>

namespace podsim::lab {

class LastWords {
 public:
  // Memory that a child made from now on shares with this process. Throws std::runtime_error.
  LastWords();
  ~LastWords();
  LastWords(const LastWords&) = delete;
  LastWords& operator=(const LastWords&) = delete;

  // A chip's program goes on behind a line of it; line 0: it begins. `file` is kept as far as there is room.
  void note(std::uint32_t chip, const char* file, std::uint32_t line);
  // " on chip 2, behind firmware/labs/all_gather.cpp:40"; empty if nothing was noted.
  [[nodiscard]] std::string text() const;

 private:
  struct Shared {
    bool noted;
    std::uint32_t chip;
    std::uint32_t line;
    char file[500];
  };
  Shared* shared_;
};

}  // namespace podsim::lab
