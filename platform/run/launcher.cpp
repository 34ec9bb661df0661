#include "platform/run/launcher.h"

#include <algorithm>

#include "platform/check/deadlock.h"
#include "platform/check/faults.h"
#include "platform/check/leftover_semaphores.h"
#include "platform/run/figures.h"

namespace podsim::run {

namespace {

firmware::Resources resources_of(const pod::Pod& pod, ChipId chip) {
  const pod::ChipConfig& config = pod.config().chip;
  return {.hbm = config.hbm.capacity.bytes,
          .vmem = config.vmem.capacity.bytes,
          .dma_semaphores = config.semaphores.dma,
          .regular_semaphores = config.semaphores.regular,
          .barrier_semaphores = config.semaphores.barrier,
          .dma_engines = config.dma.engines,
          .tensor_cores = config.tensor_cores,
          .contexts = config.scalar_core.contexts,
          .host = pod.host_bytes_per_chip(),
          .host_base = pod.host_base(chip),
          .figures = figures_of(config)};
}

// What the chips' programs came to.
struct Ends {
  std::uint32_t count = 0;
  Picoseconds last = 0;
  std::exception_ptr error;
};

LaunchResult explained(Outcome outcome, check::Explanation explanation) {
  LaunchResult result;
  result.outcome = outcome;
  result.explanation = std::move(explanation.text);
  result.details = std::move(explanation.facts);
  return result;
}

}  // namespace

Launcher::Launcher(pod::Pod& pod) : pod_(pod) {
  for (std::uint32_t i = 0; i < pod.size(); ++i) {
    const auto id = static_cast<ChipId>(i);
    devices_.push_back(
        std::make_unique<firmware::Device>(id, pod.chip(id).scalar_core, pod.torus(), resources_of(pod, id)));
  }
  sc_core::sc_start(sc_core::SC_ZERO_TIME);  // elaborate
}

Launcher::~Launcher() = default;

void Launcher::reset_allocation() {
  for (const auto& device : devices_) device->allocate().reset();
}

bool Launcher::any_running() const {
  return std::any_of(devices_.begin(), devices_.end(), [](const auto& device) { return device->running(); });
}

LaunchResult Launcher::launch(const std::function<firmware::Task(firmware::Device&)>& program, Picoseconds time_limit) {
  const Picoseconds start = pod_.queue().now();
  const std::uint64_t events = pod_.queue().fired();
  Ends ends;
  for (const auto& device : devices_) {
    device->run(program(*device), [&ends, this](std::exception_ptr error) {
      ++ends.count;
      ends.last = pod_.queue().now();
      if (error && !ends.error) ends.error = error;
    });
  }
  if (pod_.queue().pending() > 0) {
    // A limit that comes before the first event is no reason to warn of an idle simulation.
    sc_core::sc_report_handler::set_actions(sc_core::SC_ID_NO_SC_START_ACTIVITY_, sc_core::SC_DO_NOTHING);
    sc_core::sc_start(sc_core::sc_time::from_value(static_cast<std::uint64_t>(time_limit)),
                      sc_core::SC_EXIT_ON_STARVATION);
  }

  LaunchResult result;
  if (ends.error) {
    for (const auto& device : devices_) device->abandon();
    std::rethrow_exception(ends.error);
  }
  if (const auto fault = check::find_fault(pod_)) {
    result = explained(Outcome::kHazard, *fault);
  } else if (ends.count < devices_.size()) {
    const bool out_of_time = pod_.queue().pending() > 0;
    result = explained(out_of_time ? Outcome::kTimeLimit : Outcome::kDeadlock,
                       check::explain_blocked(pod_, devices_, out_of_time));
  } else if (const auto leftover = check::find_leftover_semaphores(pod_, devices_)) {
    result = explained(Outcome::kSemaphoreLeftOver, *leftover);
  }
  result.time = (ends.count == devices_.size() ? ends.last : pod_.queue().now()) - start;
  // SystemC's time stops at the last event before the limit.
  if (result.outcome == Outcome::kTimeLimit) result.time = time_limit;
  result.events = pod_.queue().fired() - events;
  return result;
}

}  // namespace podsim::run
