#include "firmware/programs/vector_work.h"

namespace podsim::firmware {

Task vector_work(Device& chip, std::uint64_t elements, unsigned passes) {
  const DmaSemaphore done = chip.allocate().dma_semaphores("vector_work", 1)[0];
  const Buffer term = chip.allocate().hbm(elements, DType::kF32);
  const Buffer sum = chip.allocate().hbm(elements, DType::kF32);
  co_await chip.start_zero(term, done);
  co_await chip.start_zero(sum, done);
  for (unsigned pass = 0; pass < passes; ++pass) co_await chip.start_vector(Opcode::kAdd, sum, term, sum, done);
}

}  // namespace podsim::firmware
