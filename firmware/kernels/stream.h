// Kernels that stream tiles through the vector unit: elementwise, reduce, softmax. A step brings tiles from HBM into
// VMEM, works on them with vector commands, and may send a tile back. Copies in, commands and copies back of different
// steps overlap; the commands themselves run in order, one after the other, so that a later one may use what an earlier
// one made.
#pragma once

#include <functional>
#include <vector>

#include "firmware/device/commands.h"
#include "firmware/device/device.h"
#include "models/tensor_core/command_footprint.h"

namespace podsim::firmware {

// Starts the commands of a step, and counts what they will have written when all are done.
class CommandIssue {
 public:
  CommandIssue(Device& chip, unsigned core, DmaSemaphore done) : chip_(chip), core_(core), done_(done) {}
  void operator()(const Command& command) {
    chip_.start(core_, command, done_);
    bytes_ += tensor_core::footprint_of(command).destination;
  }
  [[nodiscard]] Bytes bytes() const { return bytes_; }

 private:
  Device& chip_;
  const unsigned core_;
  const DmaSemaphore done_;
  Bytes bytes_ = 0;
};

struct StreamStep {
  std::vector<Buffer> inputs;  // in HBM
  Buffer output;               // in HBM; without elements: nothing is sent back
};

struct StreamPlan {
  std::uint64_t steps = 0;
  std::function<StreamStep(std::uint64_t)> step;
  // `inputs` and `output`: the places in VMEM of what the step names.
  std::function<void(std::uint64_t step, const std::vector<Buffer>& inputs, const Buffer& output, CommandIssue& issue)>
      commands;
};

// A core's places in VMEM for a stream, and its semaphores.
struct StreamPlaces {
  std::vector<std::vector<Buffer>> inputs;  // by buffer, then by operand
  std::vector<Buffer> outputs;              // by buffer
  SemaphoreArray<DmaSemaphore> here, done, sent;
};
// `input_elements`: of the largest tile of each operand; there are `buffers` of each.
[[nodiscard]] StreamPlaces stream_places(Device& chip, unsigned buffers,
                                         const std::vector<std::uint64_t>& input_elements, DType type,
                                         std::uint64_t output_elements, DType result);

// Both outlive the task.
[[nodiscard]] Task run_stream(Device& chip, unsigned core, const StreamPlan& plan, const StreamPlaces& places);

}  // namespace podsim::firmware
