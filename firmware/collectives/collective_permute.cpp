#include "firmware/collectives/collective_permute.h"

#include <fmt/format.h>

#include <optional>
#include <set>

#include "firmware/device/errors.h"

namespace podsim::firmware {

namespace {

void check(const std::vector<std::pair<ChipId, ChipId>>& pairs) {
  std::set<ChipId> sources;
  std::set<ChipId> targets;
  for (const auto& [source, target] : pairs) {
    if (!sources.insert(source).second) {
      throw ProgramError(fmt::format("collective_permute: chip {} is a source twice", index(source)));
    }
    if (!targets.insert(target).second) {
      throw ProgramError(fmt::format("collective_permute: chip {} is a target twice", index(target)));
    }
  }
}

}  // namespace

Task collective_permute(Device& chip, std::vector<std::pair<ChipId, ChipId>> pairs, Buffer in, Buffer out) {
  check(pairs);
  std::optional<ChipId> target_of_mine;
  std::optional<ChipId> source_of_mine;
  for (const auto& [source, target] : pairs) {
    if (source == chip.id()) target_of_mine = target;
    if (target == chip.id()) source_of_mine = source;
  }
  const RegularSemaphore ready = chip.allocate().regular_semaphores("permute_ready", 1)[0];
  const auto done = chip.allocate().dma_semaphores("permute", 3);
  const DmaSemaphore send = done[0];
  const DmaSemaphore recv = done[1];

  // A target's buffer may be in use until the target says that it is not.
  if (source_of_mine) chip.signal(ready, *source_of_mine);
  if (target_of_mine) {
    co_await chip.wait(ready);
    const RemoteCopy copy =
        chip.start_remote_copy({.src = in, .dst = out, .to = *target_of_mine, .send = send, .recv = recv});
    co_await copy.wait_send();
  }
  if (source_of_mine) {
    co_await chip.wait(recv, out.bytes());
  } else {
    co_await chip.start_zero(out, done[2]);
  }
}

}  // namespace podsim::firmware
