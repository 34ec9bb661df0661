// The price of the event queue and the payload pool.
//
//   random:    every timer re-arms itself for a random time: each event has a picosecond of its own, the worst case
//   lockstep:  all timers share each picosecond, as chips of a pod do
#include <benchmark/benchmark.h>

#include <memory>
#include <vector>

#include "models/kernel/event_queue.h"
#include "models/kernel/payload_pool.h"
#include "tests/support/fresh_simulation.h"

namespace podsim::kernel {
namespace {

class Ticker {
 public:
  Ticker(EventQueue& queue, std::uint64_t seed, bool lockstep)
      : state_(seed * 0x9e37'79b9'7f4a'7c15u + 1), lockstep_(lockstep), timer_(queue, this, &Ticker::tick) {}
  void tick() { timer_.arm_in(delay()); }

 private:
  Picoseconds delay() {
    if (lockstep_) return 1000;
    state_ ^= state_ << 13;  // xorshift64 (Marsaglia 2003)
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return 1 + static_cast<Picoseconds>(state_ % 1'000'000);
  }

  std::uint64_t state_;
  bool lockstep_;
  Timer<Ticker> timer_;
};

void run_tickers(benchmark::State& state, bool lockstep) {
  testing::fresh_simulation();
  EventQueue queue("queue");
  std::vector<std::unique_ptr<Ticker>> tickers;
  const auto count = static_cast<std::uint64_t>(state.range(0));
  for (std::uint64_t i = 0; i < count; ++i) {
    tickers.push_back(std::make_unique<Ticker>(queue, i, lockstep));
    tickers.back()->tick();
  }
  // Some two hundred thousand events a round, whatever the number of timers.
  const std::uint64_t mean_delay = lockstep ? 1000 : 500'000;
  const auto round = sc_core::sc_time::from_value(200'000 * mean_delay / count);
  sc_core::sc_start(round);
  const std::uint64_t before = queue.fired();
  for (auto _ : state) sc_core::sc_start(round);
  state.SetItemsProcessed(static_cast<std::int64_t>(queue.fired() - before));
}

void random_times(benchmark::State& state) { run_tickers(state, false); }
void lockstep_times(benchmark::State& state) { run_tickers(state, true); }
BENCHMARK(random_times)->Arg(64)->Arg(4096)->Arg(24'576);
BENCHMARK(lockstep_times)->Arg(64)->Arg(4096)->Arg(24'576);

void arm_and_cancel(benchmark::State& state) {
  testing::fresh_simulation();
  EventQueue queue("queue");
  std::vector<std::unique_ptr<Ticker>> others;
  for (std::uint64_t i = 0; i < 4096; ++i) {
    others.push_back(std::make_unique<Ticker>(queue, i, false));
    others.back()->tick();
  }
  struct Nothing {
    void happen() {}
  } nothing;
  Timer<Nothing> timer(queue, &nothing, &Nothing::happen);
  for (auto _ : state) {
    timer.arm_in(500'000);
    timer.cancel();
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()));
}
BENCHMARK(arm_and_cancel);

void serialisation_time(benchmark::State& state) {
  const SerialisationTime time(Bandwidth{819'000'000'000});
  Bytes bytes = 1;
  for (auto _ : state) {
    bytes = (bytes * 7 + static_cast<Bytes>(time(bytes))) & 0xffff'ffff;
    benchmark::DoNotOptimize(bytes);
  }
}
BENCHMARK(serialisation_time);

void payload(benchmark::State& state) {
  PayloadPool pool;
  const bool with_data = state.range(0) != 0;
  for (auto _ : state) {
    tlm::tlm_generic_payload& one = pool.acquire(tlm::TLM_WRITE_COMMAND, 64, 4096, with_data);
    benchmark::DoNotOptimize(&one);
    one.release();
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()));
}
BENCHMARK(payload)->ArgName("with_data")->Arg(0)->Arg(1);

}  // namespace
}  // namespace podsim::kernel
