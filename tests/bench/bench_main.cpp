// Entry point of the benchmarks: Google Benchmark inside SystemC's sc_main. SystemC elaborates once per process, so a
// benchmark that simulates builds its modules in static storage, before its first sc_start.
#include <benchmark/benchmark.h>

#include <systemc>

int sc_main(int argc, char* argv[]) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}

int main(int argc, char* argv[]) { return sc_core::sc_elab_and_sim(argc, argv); }
