// The patterns of requests that HBM is measured with, as in tests/reference/hbm_bandwidth.csv.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "models/kernel/random.h"
#include "models/memory/dram/address_map.h"
#include "models/memory/hbm_config.h"

namespace podsim::memory {

enum class HbmPattern : std::uint8_t {
  kStreamRead,     // seqr: one stream
  kStreamWrite,    // seqw
  kCopy,           // copy: reads and writes of `chunk` alternating, to the same bank and another row
  kCopyOtherBank,  // copyoff: the same, to another bank
  kRandomRead,     // rnd: chunks over 1 GiB, each at a multiple of its size
  kRandomWrite,
  kStreamMixed,  // one stream, each access a read or a write at random
};

// The pattern that hbm_bandwidth.csv calls "seqr", "copyoff", ..., or hbm_dramsys.csv "seq read", "random read", ...
[[nodiscard]] std::optional<HbmPattern> hbm_pattern(std::string_view name);

struct HbmRequest {
  Bytes offset = 0;
  Bytes bytes = 0;
  bool write = false;
};

// The requests of a pattern, one after the other, each of `chunk` bytes, or of one access if that is more.
class HbmRequests {
 public:
  HbmRequests(HbmPattern pattern, Bytes chunk, const HbmConfig& config, const AddressMap& map);
  [[nodiscard]] HbmRequest next();

 private:
  HbmPattern pattern_;
  Bytes chunk_;
  Bytes range_;   // of random chunks
  Bytes space_;   // of streams
  Bytes target_;  // from the source of a copy to its destination
  std::uint64_t number_ = 0;
  kernel::Random random_{1};
};

}  // namespace podsim::memory
