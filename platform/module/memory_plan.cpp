#include "platform/module/memory_plan.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace podsim::module {

MemoryPlan plan_memory(const std::vector<Lifetime>& buffers, Bytes alignment) {
  const auto room = [&](const Lifetime& buffer) { return (buffer.bytes + alignment - 1) / alignment * alignment; };
  std::vector<std::size_t> order(buffers.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (buffers[a].first != buffers[b].first) return buffers[a].first < buffers[b].first;
    return buffers[a].bytes > buffers[b].bytes;
  });
  MemoryPlan plan;
  plan.offsets.resize(buffers.size());
  std::map<Bytes, std::size_t> live;  // by offset
  Bytes live_bytes = 0;
  for (const std::size_t each : order) {
    for (auto at = live.begin(); at != live.end();) {
      const bool ended = buffers[at->second].last < buffers[each].first;
      if (ended) live_bytes -= buffers[at->second].bytes;
      at = ended ? live.erase(at) : std::next(at);
    }
    if (buffers[each].bytes == 0) continue;
    Bytes offset = 0;
    for (const auto& [start, other] : live) {
      if (start >= offset + room(buffers[each])) break;
      offset = start + room(buffers[other]);
    }
    live.emplace(offset, each);
    live_bytes += buffers[each].bytes;
    plan.offsets[each] = offset;
    plan.size = std::max(plan.size, offset + room(buffers[each]));
    plan.peak = std::max(plan.peak, live_bytes);
  }
  return plan;
}

}  // namespace podsim::module
