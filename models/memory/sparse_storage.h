// Backing store of a memory that may be far larger than the machine the model runs on: a page is allocated when it is
// first written, and what was never written reads as zeros.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>

#include "models/kernel/units.h"

namespace podsim::memory {

class SparseStorage {
 public:
  // A burst is typically 64 KiB, so it touches one page or two.
  static constexpr Bytes kPageBytes = 64 * kKiB;

  void read(Bytes offset, std::span<unsigned char> to) const;
  void write(Bytes offset, std::span<const unsigned char> from);

  // Forgets everything: all of the memory reads as zeros again.
  void clear();

  // Bytes held for pages that were written to.
  [[nodiscard]] Bytes footprint() const { return pages_.size() * kPageBytes; }

 private:
  using Page = std::unique_ptr<unsigned char[]>;

  [[nodiscard]] unsigned char* find(Bytes page) const;
  // `keeps_nothing`: the caller overwrites the whole page, so a new one need not be zeroed first.
  unsigned char* find_or_allocate(Bytes page, bool keeps_nothing);

  static constexpr Bytes kNoPage = ~Bytes{0};

  std::unordered_map<Bytes, Page> pages_;
  // Accesses are mostly sequential: the page used last spares most look-ups.
  mutable Bytes latest_page_ = kNoPage;
  mutable unsigned char* latest_bytes_ = nullptr;
};

}  // namespace podsim::memory
