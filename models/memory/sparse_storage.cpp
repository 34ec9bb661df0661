#include "models/memory/sparse_storage.h"

#include <algorithm>
#include <cstring>

namespace podsim::memory {

namespace {

// Calls part(page number, offset within it, bytes) for every page that [offset, offset + bytes) touches, in order.
template <class Part>
void for_each_page(Bytes offset, Bytes bytes, Part part) {
  while (bytes > 0) {
    const Bytes within = offset % SparseStorage::kPageBytes;
    const Bytes here = std::min(bytes, SparseStorage::kPageBytes - within);
    part(offset / SparseStorage::kPageBytes, within, here);
    offset += here;
    bytes -= here;
  }
}

}  // namespace

void SparseStorage::read(Bytes offset, std::span<unsigned char> to) const {
  unsigned char* target = to.data();
  for_each_page(offset, to.size(), [&](Bytes page, Bytes within, Bytes bytes) {
    if (const unsigned char* source = find(page)) {
      std::memcpy(target, source + within, bytes);
    } else {
      std::memset(target, 0, bytes);
    }
    target += bytes;
  });
}

void SparseStorage::write(Bytes offset, std::span<const unsigned char> from) {
  const unsigned char* source = from.data();
  for_each_page(offset, from.size(), [&](Bytes page, Bytes within, Bytes bytes) {
    std::memcpy(find_or_allocate(page, bytes == kPageBytes) + within, source, bytes);
    source += bytes;
  });
}

void SparseStorage::clear() {
  pages_.clear();
  latest_page_ = kNoPage;
  latest_bytes_ = nullptr;
}

unsigned char* SparseStorage::find(Bytes page) const {
  if (page == latest_page_) return latest_bytes_;
  const auto found = pages_.find(page);
  if (found == pages_.end()) return nullptr;
  latest_page_ = page;
  latest_bytes_ = found->second.get();
  return latest_bytes_;
}

unsigned char* SparseStorage::find_or_allocate(Bytes page, bool keeps_nothing) {
  if (unsigned char* bytes = find(page)) return bytes;
  Page fresh = std::make_unique_for_overwrite<unsigned char[]>(kPageBytes);
  if (!keeps_nothing) std::memset(fresh.get(), 0, kPageBytes);
  latest_page_ = page;
  latest_bytes_ = fresh.get();
  pages_.emplace(page, std::move(fresh));
  return latest_bytes_;
}

}  // namespace podsim::memory
