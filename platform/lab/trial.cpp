#include "platform/lab/trial.h"

#include <fmt/format.h>

#include <functional>
#include <nlohmann/json.hpp>

#include "firmware/collectives/collective.h"
#include "firmware/device/errors.h"
#include "platform/config/pod_reader.h"
#include "platform/lab/field_times.h"
#include "platform/run/figures.h"
#include "platform/run/permute_pairs.h"
#include "platform/run/runner.h"

namespace podsim::lab {

using firmware::Buffer;
using firmware::CollectiveCall;
using firmware::CollectiveKind;
using firmware::Device;
using firmware::LabProgram;
using firmware::Task;

namespace {

constexpr int kOtherFailure = 1;  // that is no outcome of a run

pod::PodConfig pod_of(const TrialRing& ring, const std::filesystem::path& root) {
  pod::PodConfig config = config::read_chip("tpu-v5e", root);
  config.name = fmt::format("{} chips, {}", ring.chips, ring.wraps ? "ring" : "line");
  config.topology.axes = {{"x", ring.chips, ring.wraps ? pod::Wrap::kYes : pod::Wrap::kNo}};
  return config;
}

run::Step step_of(const Lab& lab, const TrialRing& ring, const ici::TorusShape& torus) {
  run::Step step;
  step.name = lab.name;
  CollectiveCall& call = step.collective;
  call.kind = lab.collective;
  call.directions = lab.directions;
  if (call.kind == CollectiveKind::kCollectivePermute) {
    call.pairs = run::shifted_pairs({1}, torus);
  } else {
    call.algorithm = firmware::Algorithm::kRing;
  }
  call.type = ring.type;
  call.elements = ring.elements;
  return step;
}

// Watches what a program does beyond its data: where it is, and whether it is the reader's own.
class Witness final : public firmware::DeviceObserver {
 public:
  explicit Witness(LastWords& last_words) : last_words_(last_words) {}

  void access_ended(Device& chip, const scalar_core::PendingAccess& access) override {
    last_words_.note(index(chip.id()), access.point.where.file_name(), access.point.where.line());
  }
  void collective_began(Device& /*chip*/, const CollectiveCall& call, const std::source_location& where) override {
    if (!borrowed_.empty()) return;
    borrowed_ = fmt::format("{}:{}: calls the library's {}; a lab is to be built of copies and semaphores\n",
                            where.file_name(), where.line(), run::name(call.kind));
  }
  // What the program lets the library do for it, in words; empty for nothing.
  [[nodiscard]] const std::string& borrowed() const { return borrowed_; }

 private:
  LastWords& last_words_;
  std::string borrowed_;
};

// What a chip did before: its output buffer was still in use. A neighbour that does not wait for it (a barrier is
// missing) writes to a place that is being written.
Task use_first(Device& chip, Buffer out) {
  const firmware::DmaSemaphore done = chip.allocate().dma_semaphores("kernel_before", 1)[0];
  if (out.elements > 0) co_await chip.start_zero(out, done);
}

Task run_program(Device& chip, LabProgram program, firmware::Ring ring, Buffer in, Buffer out, bool used_before) {
  if (used_before) co_await use_first(chip, out);
  co_await program(chip, std::move(ring), in, out);
}

// The library's collective, hidden behind the work of lab exposed.
Task reference_beside_work(Device& chip, CollectiveCall call, Buffer in, Buffer out) {
  firmware::Token gathering = firmware::start_collective(chip, call, in, out);
  const std::uint64_t shard = call.elements / firmware::group_size(call, chip.torus()) + 1;
  co_await firmware::vector_work(chip, shard, firmware::kLabWorkPasses);
  co_await gathering;
}

std::uint64_t additions(const pod::Pod& pod) {
  std::uint64_t elements = 0;
  for (const auto& chip : pod.chips()) {
    for (const auto& core : chip->tensor_cores) elements += core->statistics().elements;
  }
  return elements;
}

void take_over(TrialResult& result, const run::StepResult& run) {
  result.outcome = run::name(run.outcome);
  result.exit_code = run::exit_code(run.outcome);
  result.explanation = run.explanation;
  result.details = run.details;
  result.time = run.time;
}

void fail(TrialResult& result, const std::string& outcome, const std::string& explanation) {
  result.outcome = outcome;
  result.exit_code = kOtherFailure;
  result.explanation = explanation;
  result.details = {explanation};
}

// `run`, with what the program throws as a failure.
void guarded(TrialResult& result, const std::function<void()>& run) {
  try {
    run();
  } catch (const std::exception& error) {  // a ProgramError has the line in it
    fail(result, "program error", fmt::format("the program ends with an error: {}\n", error.what()));
  }
}

}  // namespace

TrialResult Trial::check(const TrialRing& ring) const {
  auto& pod = *new pod::Pod(pod_of(ring, root_), /*with_data=*/true);
  run::RunOptions options;
  options.checks = run::CheckLevel::kAll;
  options.perturbation = 0;
  run::Runner runner(pod, options);
  Witness witness(last_words_);
  run::Step step = step_of(lab_, ring, pod.torus());
  step.stand_in = [&](Device& chip, Buffer in, Buffer out) {
    last_words_.note(index(chip.id()), "", 0);
    chip.attach(witness);
    return run_program(chip, program_, firmware::Group(chip.torus(), chip.id(), {}).ring(0), in, out, true);
  };
  TrialResult result;
  for (unsigned seed = 0; seed <= kDisturbances && result.passed(); ++seed) {
    result.disturbance = seed;
    runner.perturb(seed);
    guarded(result, [&] { take_over(result, runner.run(step)); });
    if (result.passed() && !witness.borrowed().empty()) fail(result, "not your own", witness.borrowed());
  }
  if (result.passed()) result.disturbance = 0;
  return result;
}

TrialResult Trial::time(const TrialRing& ring) const {
  auto& pod = *new pod::Pod(pod_of(ring, root_), /*with_data=*/false);
  run::RunOptions options;
  options.checks = run::CheckLevel::kNone;
  run::Runner runner(pod, options);
  run::Step step = step_of(lab_, ring, pod.torus());
  if (lab_.beside_work) {
    step.stand_in = [&](Device& chip, Buffer in, Buffer out) {
      return reference_beside_work(chip, step.collective, in, out);
    };
  }
  TrialResult result;
  take_over(result, runner.run(step));
  result.reference = result.time;
  const std::uint64_t work = lab_.beside_work ? additions(pod) : 0;
  const firmware::Figures figures = run::figures_of(pod.config().chip);
  result.one_way = field_time(step.collective, ring.chips, figures, firmware::Directions::kOneWay);
  result.both_ways = field_time(step.collective, ring.chips, figures, firmware::Directions::kBothWays);

  step.stand_in = [&](Device& chip, Buffer in, Buffer out) {
    last_words_.note(index(chip.id()), "", 0);
    return run_program(chip, program_, firmware::Group(chip.torus(), chip.id(), {}).ring(0), in, out, false);
  };
  guarded(result, [&] { take_over(result, runner.run(step)); });
  if (result.passed() && additions(pod) < work) {
    fail(result, "work left out",
         fmt::format("the vector units have written {} elements; the work has {}\n", additions(pod), work));
  }
  return result;
}

std::string TrialResult::to_text() const {
  const nlohmann::json json = {{"outcome", outcome},     {"exit_code", exit_code},     {"explanation", explanation},
                               {"details", details},     {"disturbance", disturbance}, {"time", time},
                               {"reference", reference}, {"one_way", one_way},         {"both_ways", both_ways}};
  return json.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

TrialResult TrialResult::from_text(const std::string& text) {
  const auto json = nlohmann::json::parse(text);
  TrialResult result;
  result.outcome = json["outcome"].get<std::string>();
  result.exit_code = json["exit_code"];
  result.explanation = json["explanation"].get<std::string>();
  result.details = json["details"].get<std::vector<std::string>>();
  result.disturbance = json["disturbance"];
  result.time = json["time"];
  result.reference = json["reference"];
  result.one_way = json["one_way"];
  result.both_ways = json["both_ways"];
  return result;
}

}  // namespace podsim::lab
