#include "firmware/programs/copies.h"

namespace podsim::firmware {

Task local_copy(Device& chip, Buffer in, Buffer out) {
  const DmaSemaphore copied = chip.allocate().dma_semaphores("copied", 1)[0];
  co_await chip.start_copy(in, out, copied);
}

Task host_offload(Device& chip, Buffer in, Buffer out) {
  const Buffer on_host = chip.allocate().host(in.elements, in.type);
  const auto moved = chip.allocate().dma_semaphores("moved", 2);
  co_await chip.start_copy(in, on_host, moved[0]);
  co_await chip.start_copy(on_host, out, moved[1]);
}

Task vector_pass(Device& chip, Buffer in, Buffer out) {
  const DmaSemaphore passed = chip.allocate().dma_semaphores("passed", 1)[0];
  co_await chip.start_vector(Opcode::kMax, in, in, out, passed);
}

}  // namespace podsim::firmware
