// How fast HBM bursts are priced, in requests of 64 B' worth of data, and how fast the per-bank model is.
#include <benchmark/benchmark.h>

#include "models/memory/hbm_pricing.h"
#include "models/memory/hbm_trial.h"

namespace podsim::memory {
namespace {

void count_requests(benchmark::State& state, Bytes bytes) {
  state.counters["64B/s"] =
      benchmark::Counter(static_cast<double>(bytes) / 64, benchmark::Counter::kIsIterationInvariantRate);
}

// A stream in bursts of the given size.
void price_stream(benchmark::State& state) {
  HbmPricing pricing{HbmConfig{}};
  const auto burst = static_cast<Bytes>(state.range(0));
  Bytes offset = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(pricing.price(offset, burst, false, false));
    offset = (offset + burst) % kGiB;
  }
  count_requests(state, burst);
}
BENCHMARK(price_stream)->Arg(64)->Arg(4096)->Arg(65536);

void price_random(benchmark::State& state) {
  HbmPricing pricing{HbmConfig{}};
  kernel::Random random(1);
  const auto burst = static_cast<Bytes>(state.range(0));
  for (auto _ : state) {
    benchmark::DoNotOptimize(pricing.price(random.below(kGiB / burst) * burst, burst, false, false));
  }
  count_requests(state, burst);
}
BENCHMARK(price_random)->Arg(64)->Arg(4096);

void detailed(benchmark::State& state, HbmPattern pattern) {
  HbmTrial trial{.config = {}, .pattern = pattern, .chunk = 4096, .requests = 1024};
  for (auto _ : state) benchmark::DoNotOptimize(percent_of_peak(trial));
  count_requests(state, trial.chunk * trial.requests);
}
BENCHMARK_CAPTURE(detailed, stream, HbmPattern::kStreamRead)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(detailed, random, HbmPattern::kRandomRead)->Unit(benchmark::kMillisecond);

// The first use of a configuration: finding its rates.
void find_rates(benchmark::State& state) {
  for (auto _ : state) {
    HbmRates rates{HbmConfig{}};
    for (const HbmPattern pattern : {HbmPattern::kStreamRead, HbmPattern::kStreamWrite, HbmPattern::kCopyOtherBank,
                                     HbmPattern::kRandomRead, HbmPattern::kRandomWrite}) {
      benchmark::DoNotOptimize(rates.cost_q16(pattern, 12));
    }
  }
}
BENCHMARK(find_rates)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace podsim::memory
