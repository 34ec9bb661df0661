// Whole pods: how much CPU time a run takes at each fidelity of the interconnect, and what it takes to build a pod.
// `scripts/bench` prints the counters as a table.
//
//   events       fired by the event queue, a CPU second
//   chip_bytes   chips times the collective's size, a CPU second
//   packet_hops  packets over links, a CPU second; at packet fidelity
//   chip_KiB     memory that a chip takes, built and not yet used
#include <benchmark/benchmark.h>

#include <unistd.h>

#include <fstream>
#include <memory>

#include "platform/run/runner.h"
#include "tests/support/fresh_simulation.h"
#include "tests/support/pods.h"

namespace podsim {
namespace {

using benchmark::Counter;
using firmware::Algorithm;
using firmware::CollectiveKind;
using ici::Fidelity;

struct Work {
  testing::Shape shape;
  CollectiveKind kind;
  Algorithm algorithm;
  Bytes bytes;
};

void run_collective(benchmark::State& state, Fidelity fidelity, const Work& work,
                    pod::Extent extent = pod::Extent::kAllChips) {
  std::uint64_t events = 0, moved = 0, hops = 0;
  for (auto _ : state) {
    // Building a pod and, above all, SystemC's taking it down again are measured apart.
    state.PauseTiming();
    testing::fresh_simulation();
    pod::PodConfig config = testing::pod_config(work.shape);
    config.chip.ici.fidelity = fidelity;
    auto pod = std::make_unique<pod::Pod>(config, /*with_data=*/false, extent);
    auto runner = std::make_unique<run::Runner>(*pod);
    run::Step step;
    step.collective.kind = work.kind;
    step.collective.algorithm = work.algorithm;
    step.collective.type = firmware::DType::kBf16;
    step.collective.elements = work.bytes / 2;
    state.ResumeTiming();
    const run::StepResult result = runner->run(step);
    state.PauseTiming();
    if (result.outcome != run::Outcome::kCompleted) state.SkipWithError(result.explanation.c_str());
    events += result.events;
    moved += work.bytes * pod->torus().chips();
    for (const auto& chip : pod->chips()) hops += chip->router.statistics().forwarded;
    runner.reset();
    pod.reset();
    state.ResumeTiming();
  }
  state.counters["events"] = Counter(static_cast<double>(events), Counter::kIsRate);
  state.counters["chip_bytes"] = Counter(static_cast<double>(moved), Counter::kIsRate);
  if (fidelity == Fidelity::kPacket) {
    state.counters["packet_hops"] = Counter(static_cast<double>(hops), Counter::kIsRate);
  }
}

const testing::Shape k8x8{{8, 8}, true}, k16x16{{16, 16}, true}, k16x16x16{{16, 16, 16}, true};
const Work kAllGather{k16x16, CollectiveKind::kAllGather, Algorithm::kRing, 16 * kMiB};
const Work kAllReduce{k16x16, CollectiveKind::kAllReduce, Algorithm::kTorus, 64 * kMiB};
const Work kSmallAllReduce{k16x16, CollectiveKind::kAllReduce, Algorithm::kTorus, 8 * kMiB};
const Work kAllToAll{k8x8, CollectiveKind::kAllToAll, Algorithm::kDirect, 16 * kMiB};
const Work kPodAllReduce{k16x16x16, CollectiveKind::kAllReduce, Algorithm::kTorus, 64 * kMiB};

void run_as_one(benchmark::State& state, const Work& work) {
  run_collective(state, Fidelity::kBurst, work, pod::Extent::kOneForAll);
}

// The goal: 256 chips, 64 MiB, at burst fidelity in 0.2 s; 4,096 chips, 1 GiB in 5 s.
BENCHMARK_CAPTURE(run_collective, packet / all_gather_256, Fidelity::kPacket, kAllGather);
BENCHMARK_CAPTURE(run_collective, burst / all_gather_256, Fidelity::kBurst, kAllGather);
BENCHMARK_CAPTURE(run_collective, flow / all_gather_256, Fidelity::kFlow, kAllGather);
BENCHMARK_CAPTURE(run_collective, packet / all_reduce_256, Fidelity::kPacket, kSmallAllReduce);
BENCHMARK_CAPTURE(run_collective, burst / all_reduce_256, Fidelity::kBurst, kAllReduce);
BENCHMARK_CAPTURE(run_collective, flow / all_reduce_256, Fidelity::kFlow, kAllReduce);
BENCHMARK_CAPTURE(run_collective, packet / all_to_all_64, Fidelity::kPacket, kAllToAll);
BENCHMARK_CAPTURE(run_collective, burst / all_to_all_64, Fidelity::kBurst, kAllToAll);
BENCHMARK_CAPTURE(run_collective, flow / all_to_all_64, Fidelity::kFlow, kAllToAll);
BENCHMARK_CAPTURE(run_collective, burst / all_reduce_4096, Fidelity::kBurst, kPodAllReduce)->Iterations(1);
BENCHMARK_CAPTURE(run_collective, flow / all_reduce_4096, Fidelity::kFlow, kPodAllReduce)->Iterations(1);

// One chip that stands for all.
const Work kLargePodAllReduce{k16x16x16, CollectiveKind::kAllReduce, Algorithm::kTorus, kGiB};
BENCHMARK_CAPTURE(run_as_one, burst / all_reduce_256, kAllReduce);
BENCHMARK_CAPTURE(run_as_one, burst / all_reduce_4096, kLargePodAllReduce);

// Memory of this process now.
double resident_bytes() {
  std::ifstream file("/proc/self/statm");
  std::uint64_t whole = 0, resident = 0;
  file >> whole >> resident;
  return static_cast<double>(resident) * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

// Building a pod, up to the start of the simulation. Memory counts only in the first round of a process: what a pod
// that was taken down leaves behind is used again.
void elaborate(benchmark::State& state, Fidelity fidelity, const std::vector<unsigned>& sizes) {
  double bytes = 0, chips = 1;
  for (auto _ : state) {
    state.PauseTiming();
    testing::fresh_simulation();
    pod::PodConfig config = testing::pod_config({sizes, true});
    config.chip.ici.fidelity = fidelity;
    const double before = resident_bytes();
    state.ResumeTiming();
    auto pod = std::make_unique<pod::Pod>(config, /*with_data=*/false);
    auto runner = std::make_unique<run::Runner>(*pod);
    state.PauseTiming();
    if (bytes == 0) bytes = resident_bytes() - before;
    chips = pod->size();
    runner.reset();
    pod.reset();
    state.ResumeTiming();
  }
  state.counters["chip_KiB"] = bytes / chips / static_cast<double>(kKiB);
}

const std::vector<unsigned> k256{16, 16}, k4096{16, 16, 16}, k9216{16, 24, 24};
BENCHMARK_CAPTURE(elaborate, packet / 256, Fidelity::kPacket, k256)->Iterations(1);
BENCHMARK_CAPTURE(elaborate, burst / 256, Fidelity::kBurst, k256)->Iterations(1);
BENCHMARK_CAPTURE(elaborate, flow / 256, Fidelity::kFlow, k256)->Iterations(1);
BENCHMARK_CAPTURE(elaborate, packet / 4096, Fidelity::kPacket, k4096)->Iterations(1);
BENCHMARK_CAPTURE(elaborate, burst / 4096, Fidelity::kBurst, k4096)->Iterations(1);
BENCHMARK_CAPTURE(elaborate, flow / 4096, Fidelity::kFlow, k4096)->Iterations(1);
BENCHMARK_CAPTURE(elaborate, packet / 9216, Fidelity::kPacket, k9216)->Iterations(1);
BENCHMARK_CAPTURE(elaborate, burst / 9216, Fidelity::kBurst, k9216)->Iterations(1);
BENCHMARK_CAPTURE(elaborate, flow / 9216, Fidelity::kFlow, k9216)->Iterations(1);

}  // namespace
}  // namespace podsim
