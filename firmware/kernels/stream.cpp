#include "firmware/kernels/stream.h"

#include <utility>

#include "firmware/kernels/kernel.h"

namespace podsim::firmware {

StreamPlaces stream_places(Device& chip, unsigned buffers, const std::vector<std::uint64_t>& input_elements, DType type,
                           std::uint64_t output_elements, DType result) {
  StreamPlaces places;
  for (unsigned i = 0; i < buffers; ++i) {
    std::vector<Buffer>& inputs = places.inputs.emplace_back();
    for (const std::uint64_t elements : input_elements) inputs.push_back(chip.allocate().vmem(elements, type));
    places.outputs.push_back(chip.allocate().vmem(output_elements, result));
  }
  places.here = chip.allocate().dma_semaphores("tiles", buffers);
  places.done = chip.allocate().dma_semaphores("commands", buffers);
  places.sent = chip.allocate().dma_semaphores("result", buffers);
  return places;
}

Task run_stream(Device& chip, unsigned core, const StreamPlan& plan, const StreamPlaces& places) {
  const std::uint64_t buffers = places.inputs.size();
  const auto here = [&](const StreamStep& step, std::uint64_t slot) {
    std::vector<Buffer> inputs;
    for (std::size_t i = 0; i < step.inputs.size(); ++i) {
      inputs.push_back(places.inputs[slot][i].slice({0, step.inputs[i].elements}));
    }
    return inputs;
  };
  const auto fetch = [&](std::uint64_t number) {
    if (number >= plan.steps) return;
    const StreamStep step = plan.step(number);
    const std::uint64_t slot = number % buffers;
    const std::vector<Buffer> to = here(step, slot);
    for (std::size_t i = 0; i < to.size(); ++i) start_split_copy(chip, step.inputs[i], to[i], places.here[slot]);
  };
  std::vector<Bytes> working(buffers);  // bytes of the commands under way
  std::vector<Bytes> sending(buffers);  // bytes on their way back
  const auto worked = [&](std::uint64_t number) {
    return chip.wait(places.done[number % buffers], working[number % buffers]);
  };
  const auto send = [&](std::uint64_t number) {
    const std::uint64_t slot = number % buffers;
    const Buffer to = plan.step(number).output;
    if (to.elements == 0) return;
    start_split_copy(chip, places.outputs[slot].slice({0, to.elements}), to, places.sent[slot]);
    sending[slot] = to.bytes();
  };

  for (std::uint64_t number = 0; number < buffers; ++number) fetch(number);
  for (std::uint64_t number = 0; number < plan.steps; ++number) {
    const std::uint64_t slot = number % buffers;
    const StreamStep step = plan.step(number);
    const std::vector<Buffer> inputs = here(step, slot);
    Bytes arriving = 0;
    for (const Buffer& input : inputs) arriving += input.bytes();
    co_await chip.wait(places.here[slot], arriving);
    if (sending[slot] > 0) co_await chip.wait(places.sent[slot], std::exchange(sending[slot], 0));
    CommandIssue issue(chip, core, places.done[slot]);
    plan.commands(number, inputs, places.outputs[slot].slice({0, step.output.elements}), issue);
    working[slot] = issue.bytes();
    if (number == 0) continue;
    co_await worked(number - 1);
    send(number - 1);
    fetch(number - 1 + buffers);
  }
  if (plan.steps > 0) {
    co_await worked(plan.steps - 1);
    send(plan.steps - 1);
  }
  for (std::uint64_t slot = 0; slot < buffers; ++slot) {
    if (sending[slot] > 0) co_await chip.wait(places.sent[slot], sending[slot]);
  }
}

}  // namespace podsim::firmware
