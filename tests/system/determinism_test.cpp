// The same picosecond whether data moves or not, and on every run.
#include <gtest/gtest.h>

#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "firmware/programs/failures/failures.h"
#include "platform/run/runner.h"
#include "tests/support/pods.h"

namespace podsim {
namespace {

// A process builds one pod, so each mode runs in a process of its own (the Worker tests).
std::vector<std::pair<Picoseconds, std::uint64_t>> run_all(bool with_data, ici::Fidelity fidelity) {
  pod::PodConfig config = testing::pod_config({{4, 3}, true});
  config.chip.ici.fidelity = fidelity;
  pod::Pod pod(config, with_data);
  run::Runner runner(pod);
  std::vector<std::pair<Picoseconds, std::uint64_t>> results;
  for (const auto kind : {firmware::CollectiveKind::kAllGather, firmware::CollectiveKind::kReduceScatter,
                          firmware::CollectiveKind::kAllReduce, firmware::CollectiveKind::kAllToAll}) {
    run::Step step;
    step.collective.kind = kind;
    step.collective.type = firmware::DType::kBf16;
    step.collective.elements = 300'007;
    const run::StepResult result = runner.run(step);
    EXPECT_EQ(result.outcome, run::Outcome::kCompleted) << result.explanation;
    results.emplace_back(result.time, result.events);
  }
  for (const firmware::Program& program : firmware::programs()) {
    if (!program.copies || program.run == &firmware::failures::wrong_half) continue;
    run::Step step;
    step.program = &program;
    step.collective.elements = 100'003;
    const run::StepResult result = runner.run(step);
    EXPECT_EQ(result.outcome, run::Outcome::kCompleted) << result.explanation;
    results.emplace_back(result.time, result.events);
  }
  return results;
}

std::string text(const std::vector<std::pair<Picoseconds, std::uint64_t>>& results) {
  std::string text;
  for (const auto& [time, events] : results) text += std::to_string(time) + " " + std::to_string(events) + "\n";
  return text;
}

// The results of this test binary, run again for the case of the other data mode.
std::string results_of(const std::string& which) {
  const std::string file = ::testing::TempDir() + "podsim_" + which + "_" + std::to_string(::getpid());
  const std::string command = "PODSIM_RESULTS=" + file + " /proc/" + std::to_string(::getpid()) +
                              "/exe --gtest_filter=Worker." + which + " > /dev/null 2>&1";
  EXPECT_EQ(std::system(command.c_str()), 0);
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

void work(bool with_data, ici::Fidelity fidelity) {
  if (const char* file = std::getenv("PODSIM_RESULTS")) std::ofstream(file) << text(run_all(with_data, fidelity));
}

TEST(Worker, Real) { work(true, ici::Fidelity::kBurst); }
TEST(Worker, None) { work(false, ici::Fidelity::kBurst); }
TEST(Worker, RealPackets) { work(true, ici::Fidelity::kPacket); }
TEST(Worker, NoPackets) { work(false, ici::Fidelity::kPacket); }
TEST(Worker, RealFlows) { work(true, ici::Fidelity::kFlow); }
TEST(Worker, NoFlows) { work(false, ici::Fidelity::kFlow); }

void expect_same(const char* one, const char* other) {
  const std::string results = results_of(one);
  EXPECT_FALSE(results.empty());
  EXPECT_EQ(results, results_of(other));
}

TEST(Determinism, DataModesTakeTheSamePicoseconds) { expect_same("Real", "None"); }
TEST(Determinism, DataModesTakeTheSamePicosecondsPacketByPacket) { expect_same("RealPackets", "NoPackets"); }
TEST(Determinism, DataModesTakeTheSamePicosecondsAsFlows) { expect_same("RealFlows", "NoFlows"); }

TEST(Determinism, TwoRunsAreTheSame) {
  expect_same("Real", "Real");
  expect_same("RealFlows", "RealFlows");
}

}  // namespace
}  // namespace podsim
