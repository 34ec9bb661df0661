// All channels of a chip's HBM, behind its address mapping. What happens in one channel does not depend on the others;
// callers that couple them (a window of outstanding requests) step them in the order of time.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "models/memory/dram/address_map.h"
#include "models/memory/dram/channel_controller.h"
#include "models/memory/dram/dram_timing.h"

namespace podsim::memory {

class ChannelArray {
 public:
  // Throws std::invalid_argument, naming the key, when the configuration makes no sense.
  explicit ChannelArray(const HbmConfig& config);

  [[nodiscard]] const DramTiming& timing() const { return *timing_; }
  [[nodiscard]] const AddressMap& map() const { return map_; }
  [[nodiscard]] Bytes access_bytes() const { return access_; }
  [[nodiscard]] std::vector<ChannelController>& channels() { return channels_; }
  [[nodiscard]] const std::vector<ChannelController>& channels() const { return channels_; }

  // The access at `offset` (of any of its bytes) goes to its channel, whose number is returned.
  std::uint32_t push(Bytes offset, bool write, DramTick arrival, std::uint32_t request);

  // The earliest tick at which a channel may get on; kNever when nothing waits.
  [[nodiscard]] DramTick next_time() const;
  void step(DramTick now, std::vector<DramDone>& done);

 private:
  std::unique_ptr<const DramTiming> timing_;  // where the channels find it, wherever the array is moved to
  AddressMap map_;
  Bytes access_;
  std::uint32_t groups_;
  std::uint32_t banks_per_group_;
  std::vector<ChannelController> channels_;
};

}  // namespace podsim::memory
