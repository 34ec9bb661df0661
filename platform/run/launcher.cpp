#include "platform/run/launcher.h"

#include <algorithm>

#include "platform/check/faults.h"
#include "platform/check/leftover_semaphores.h"
#include "platform/run/figures.h"
#include "platform/run/launch_observer.h"

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

check::ObserverChoice chosen(CheckLevel level, const pod::Pod& pod) {
  if (pod.stands_for() > 1) level = CheckLevel::kNone;  // the others can't differ from the one
  if (level == CheckLevel::kAuto) level = pod.size() <= kMostAutoChips ? CheckLevel::kAll : CheckLevel::kContracts;
  return {.contracts = level != CheckLevel::kNone, .hazards = level == CheckLevel::kAll};
}

LaunchResult explained(Outcome outcome, check::Explanation explanation) {
  LaunchResult result;
  result.outcome = outcome;
  result.explanation = std::move(explanation.text);
  result.details = std::move(explanation.facts);
  result.graph = std::move(explanation.graph);
  return result;
}

// A check has found something, and the run went on: what it came to in the end, and why.
void add_cause(LaunchResult& result, const check::Explanation& cause) {
  result.explanation += "before that:\n" + cause.text;
  result.details.insert(result.details.end(), cause.facts.begin(), cause.facts.end());
}

// Who waits for whom can't be told of chips that are not there.
check::Explanation one_for_all(check::Hang hang) {
  const std::string text = fmt::format("{}: one chip stood for all; 'symmetry: off' shows each of them\n",
                                       hang == check::Hang::kNothingLeft ? "deadlock: nothing is left to happen"
                                                                         : "time limit: the programs have not ended");
  return {.text = text, .facts = {text}, .graph = nullptr};
}

// Events in a time slice from which on a simulation is busy, and not just waiting.
constexpr std::uint64_t kBusyEvents = 1000;

}  // namespace

// What the chips' programs came to.
struct Launcher::Ends {
  std::uint32_t count = 0;
  Picoseconds last = 0;
  std::exception_ptr error;
};

Launcher::Launcher(pod::Pod& pod, const RunOptions& options)
    : pod_(pod), options_(options), checks_(chosen(options.checks, pod)) {
  for (std::uint32_t i = 0; i < pod.size(); ++i) {
    const auto id = static_cast<ChipId>(i);
    devices_.push_back(std::make_unique<firmware::Device>(id, bus_of(id), pod.torus(), resources_of(pod, id)));
  }
  sc_core::sc_start(sc_core::SC_ZERO_TIME);  // elaborate
}

Launcher::~Launcher() = default;

// From the program to the core: what a test puts in between, and whoever watches for hazards.
scalar_core::RegisterBus& Launcher::bus_of(ChipId chip) {
  scalar_core::RegisterBus* bus = &pod_.chip(chip).scalar_core;
  if (options_.perturbation) {
    perturbed_.push_back(std::make_unique<PerturbedBus>(chip, *bus, pod_.queue()));
    perturbed_.back()->reseed(*options_.perturbation);
    bus = perturbed_.back().get();
  }
  if (checks_.hazards) {
    watchers_.push_back(std::make_unique<check::BusWatcher>(chip, *bus));
    bus = watchers_.back().get();
  }
  if (options_.observer != nullptr) {
    taps_.push_back(std::make_unique<check::BusWatcher>(chip, *bus));
    taps_.back()->listen(options_.observer);
    bus = taps_.back().get();
  }
  return options_.wrap_bus ? options_.wrap_bus(chip, *bus) : *bus;
}

void Launcher::perturb(std::uint64_t seed) {
  for (const auto& bus : perturbed_) bus->reseed(seed);
}

void Launcher::reset_allocation() {
  for (const auto& device : devices_) device->allocate().reset();
  written_.clear();
}

std::uint64_t Launcher::activity() const {
  std::uint64_t sum = 0;
  for (const auto& chip : pod_.chips()) {
    sum += chip->semaphores.statistics().signals + chip->semaphores.statistics().waits;
    sum += chip->network_interface.statistics().packets_received;
    for (const auto& engine : chip->dma_engines) sum += engine->statistics().bursts;
    for (const auto& core : chip->tensor_cores) sum += core->statistics().commands;
  }
  return sum;
}

bool Launcher::hardware_busy() const {
  return std::any_of(pod_.chips().begin(), pod_.chips().end(), [](const auto& chip) {
    const auto idle = [](const auto& unit) { return unit->idle(); };
    return !std::all_of(chip->dma_engines.begin(), chip->dma_engines.end(), idle) ||
           !std::all_of(chip->tensor_cores.begin(), chip->tensor_cores.end(), idle);
  });
}

bool Launcher::simulate(Picoseconds limit) {
  // A limit that comes before the first event is no reason to warn of an idle simulation.
  sc_core::sc_report_handler::set_actions(sc_core::SC_ID_NO_SC_START_ACTIVITY_, sc_core::SC_DO_NOTHING);
  const Picoseconds end = pod_.queue().now() + limit;
  Picoseconds slice = options_.progress_limit;
  std::uint64_t moved = activity();
  while (pod_.queue().pending() > 0 && !stopped_) {
    const Picoseconds before = pod_.queue().now();
    const std::uint64_t fired = pod_.queue().fired();
    const Picoseconds length = std::min(slice, end - before);
    pod_.queue().conductor().run_ahead_until(before + length);
    sc_core::sc_start(sc_core::sc_time::from_value(static_cast<std::uint64_t>(length)), sc_core::SC_EXIT_ON_STARVATION);
    const bool busy = pod_.queue().fired() - fired >= kBusyEvents;
    if (busy && length == slice && activity() == moved && !hardware_busy()) return false;
    moved = activity();
    if (pod_.queue().now() > before) continue;
    if (length < slice) break;  // the next event comes after the limit
    slice *= 2;                 // or after the slice
  }
  return true;
}

LaunchResult Launcher::launch(const std::function<firmware::Task(firmware::Device&)>& program,
                              std::optional<Picoseconds> time_limit, Picoseconds lookahead) {
  const Picoseconds limit = time_limit.value_or(options_.time_limit);
  const Picoseconds start = pod_.queue().now();
  const std::uint64_t events = pod_.queue().fired();
  stopped_ = false;
  const bool in_order = !options_.run_ahead || options_.perturbation || options_.wrap_bus || checks_.hazards;
  if (pod_.queue().pending() == 0) pod_.queue().conductor().run_ahead(in_order ? 0 : lookahead);
  check::Observers observers(pod_.torus(), devices_, watchers_, checks_, [this] {
    if (options_.on_violation == OnViolation::kRun) return;
    stopped_ = true;
    if (sc_core::sc_get_status() == sc_core::SC_RUNNING) sc_core::sc_pause();
  });
  if (observers.hazards() != nullptr) {
    for (const firmware::Buffer& buffer : written_) observers.hazards()->note_written(buffer);
  }
  LaunchObserver* const observer = observed_ ? options_.observer : nullptr;
  if (observer != nullptr) {
    observer->launch_began(start);
    for (const auto& device : devices_) device->attach(*observer);
  }
  Ends ends;
  for (const auto& device : devices_) {
    device->run(program(*device), [&ends, this](std::exception_ptr error) {
      ++ends.count;
      ends.last = std::max(ends.last, pod_.queue().now());  // chips may run ahead of each other
      if (error && !ends.error) ends.error = error;
    });
  }
  check::Hang hang = check::Hang::kNothingLeft;
  if (!simulate(limit)) {
    hang = check::Hang::kNoProgress;
  } else if (pod_.queue().pending() > 0) {
    hang = check::Hang::kOutOfTime;
  }

  if (observer != nullptr) observer->launch_stopped(pod_.queue().now());
  LaunchResult result = judge(ends, observers, hang);
  result.time = (ends.count == devices_.size() ? ends.last : pod_.queue().now()) - start;
  // SystemC's time stops at the last event before the limit.
  if (result.outcome == Outcome::kTimeLimit && hang == check::Hang::kOutOfTime) result.time = limit;
  result.events = pod_.queue().fired() - events;
  if (observer != nullptr) observer->launch_ended(result);
  return result;
}

LaunchResult Launcher::judge(const Ends& ends, check::Observers& observers, check::Hang hang) {
  const check::Explanation* const broken = observers.contracts() != nullptr && observers.contracts()->violation()
                                               ? &*observers.contracts()->violation()
                                               : nullptr;
  const check::Explanation* const hazard =
      observers.hazards() != nullptr && observers.hazards()->hazard() ? &*observers.hazards()->hazard() : nullptr;
  if (stopped_ && broken != nullptr) return explained(Outcome::kContractViolated, *broken);
  if (stopped_ && hazard != nullptr) return explained(Outcome::kHazard, *hazard);
  if (ends.error) {
    for (const auto& device : devices_) device->abandon();
    std::rethrow_exception(ends.error);
  }
  LaunchResult result;
  if (const auto fault = check::find_fault(pod_)) {
    result = explained(Outcome::kHazard, *fault);
  } else if (ends.count < devices_.size()) {
    Outcome outcome = hang == check::Hang::kNothingLeft ? Outcome::kDeadlock : Outcome::kTimeLimit;
    if (pod_.stands_for() > 1) return explained(outcome, one_for_all(hang));
    check::Explanation explanation = check::explain_blocked(pod_, devices_, observers, hang);
    // Two calls in different order are no disagreement at any position, but they hang.
    if (broken == nullptr && hang == check::Hang::kNothingLeft && observers.find_swapped()) {
      const check::Explanation& swapped = *observers.contracts()->violation();
      outcome = Outcome::kContractViolated;
      explanation.text = swapped.text + "  so that there is a " + explanation.text;
      explanation.facts.insert(explanation.facts.begin(), swapped.facts.begin(), swapped.facts.end());
    }
    result = explained(outcome, std::move(explanation));
  } else if (broken != nullptr) {
    return explained(Outcome::kContractViolated, *broken);
  } else if (hazard != nullptr) {
    return explained(Outcome::kHazard, *hazard);
  } else if (const auto leftover = check::find_leftover_semaphores(pod_, devices_, observers.ledger())) {
    return explained(Outcome::kSemaphoreLeftOver, *leftover);
  } else {
    return result;
  }
  if (broken != nullptr) add_cause(result, *broken);
  if (hazard != nullptr) add_cause(result, *hazard);
  return result;
}

}  // namespace podsim::run
