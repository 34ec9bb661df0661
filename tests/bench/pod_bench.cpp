// Whole pods: how much CPU time a run takes. "items" are events; "bytes" are chips times the collective's size.
//
// The goal for the first of them: 256 chips, an all-reduce of 64 MiB a chip without data, in under two seconds of CPU
// time.
#include <benchmark/benchmark.h>

#include <memory>

#include "platform/run/runner.h"
#include "tests/support/fresh_simulation.h"
#include "tests/support/pods.h"

namespace podsim {
namespace {

void run_collective(benchmark::State& state, firmware::CollectiveKind kind, ici::Fidelity fidelity, Bytes bytes) {
  std::uint64_t events = 0;
  std::uint64_t moved = 0;
  for (auto _ : state) {
    // Building a pod and, above all, SystemC's taking it down again are measured apart.
    state.PauseTiming();
    testing::fresh_simulation();
    const auto side = static_cast<unsigned>(state.range(0));
    pod::PodConfig config = testing::pod_config({{side, side}, true});
    config.chip.ici.fidelity = fidelity;
    auto pod = std::make_unique<pod::Pod>(config, /*with_data=*/false);
    auto runner = std::make_unique<run::Runner>(*pod);
    state.ResumeTiming();
    run::Step step;
    step.collective.kind = kind;
    step.collective.elements = bytes / 4;
    const run::StepResult result = runner->run(step);
    if (result.outcome != run::Outcome::kCompleted) state.SkipWithError(result.explanation.c_str());
    events += result.events;
    moved += bytes * pod->size();
    state.PauseTiming();
    runner.reset();
    pod.reset();
    state.ResumeTiming();
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(events));
  state.SetBytesProcessed(static_cast<std::int64_t>(moved));
}

void all_reduce_burst(benchmark::State& state) {
  run_collective(state, firmware::CollectiveKind::kAllReduce, ici::Fidelity::kBurst, 64 * kMiB);
}
void all_reduce_packet(benchmark::State& state) {
  run_collective(state, firmware::CollectiveKind::kAllReduce, ici::Fidelity::kPacket, 4 * kMiB);
}
void all_to_all_burst(benchmark::State& state) {
  run_collective(state, firmware::CollectiveKind::kAllToAll, ici::Fidelity::kBurst, 16 * kMiB);
}

BENCHMARK(all_reduce_burst)->Arg(16)->Arg(8)->Unit(benchmark::kMillisecond);
BENCHMARK(all_reduce_packet)->Arg(8)->Unit(benchmark::kMillisecond);
BENCHMARK(all_to_all_burst)->Arg(8)->Unit(benchmark::kMillisecond);

// Building a pod, up to the start of the simulation.
void elaborate(benchmark::State& state) {
  for (auto _ : state) {
    testing::fresh_simulation();
    const auto side = static_cast<unsigned>(state.range(0));
    auto pod = std::make_unique<pod::Pod>(testing::pod_config({{side, side}, true}), /*with_data=*/false);
    auto runner = std::make_unique<run::Runner>(*pod);
    state.PauseTiming();
    runner.reset();
    pod.reset();
    state.ResumeTiming();
  }
  state.SetItemsProcessed(state.iterations() * state.range(0) * state.range(0));  // chips
}
BENCHMARK(elaborate)->Arg(16)->Arg(64)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace podsim
