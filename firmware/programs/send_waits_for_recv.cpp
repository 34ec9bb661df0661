#include "firmware/programs/send_waits_for_recv.h"

namespace podsim::firmware {

Task send_waits_for_recv(Device& chip, Buffer in, Buffer out) {
  const auto partner = static_cast<ChipId>(podsim::index(chip.id()) ^ 1u);
  if (podsim::index(partner) >= chip.torus().chips()) co_return;
  const auto semaphores = chip.allocate().dma_semaphores("exchange", 2);
  co_await chip.wait(semaphores[1], out.bytes());  // the other waits here too, and nobody has sent
  co_await chip.start_remote_copy({.src = in, .dst = out, .to = partner, .send = semaphores[0], .recv = semaphores[1]})
      .wait_send();
}

}  // namespace podsim::firmware
