#include "platform/lab/last_words.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <cstring>
#include <stdexcept>

namespace podsim::lab {

LastWords::LastWords() {
  void* const memory = ::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::runtime_error("can't share memory with a process");
  shared_ = static_cast<Shared*>(memory);  // all zero
}

LastWords::~LastWords() { ::munmap(shared_, sizeof(Shared)); }

void LastWords::note(std::uint32_t chip, const char* file, std::uint32_t line) {
  shared_->noted = true;
  shared_->chip = chip;
  shared_->line = line;
  std::strncpy(shared_->file, file, sizeof shared_->file - 1);
}

std::string LastWords::text() const {
  if (!shared_->noted) return {};
  if (shared_->line == 0) return fmt::format(" on chip {}, before its first wait", shared_->chip);
  return fmt::format(" on chip {}, behind the wait in {}:{}", shared_->chip, shared_->file, shared_->line);
}

}  // namespace podsim::lab
