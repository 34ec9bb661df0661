// Breaks the shipped collectives in one place each, runs the mutants undisturbed and under disturbances, and prints how
// many of them podsim reports. Usage: podsim_mutation_score [--most N] [--seeds N] [--only TEXT] [-v]
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <map>
#include <optional>
#include <systemc>

#include "platform/run/runner.h"
#include "tests/mutation/mutant_bus.h"
#include "tests/mutation/subjects.h"
#include "tests/mutation/verdict.h"

namespace podsim::mutation {
namespace {

struct Options {
  unsigned most = 12;  // mutants of a kind and subject; the others of the kind are like them
  unsigned seeds = 6;
  std::string only;
  bool verbose = false;
};

const std::string kHarmless = "equivalent: ";
constexpr std::size_t kTurns = 3;

// Things that change places matter between kernels, so that these run several times.
std::size_t turns_of(const Mutation& mutation) { return mutation.change == Change::kSwapWithNext ? kTurns : 1; }

// Runs a function in a process of its own, and returns what it prints.
template <class Function>
std::string apart(Function&& function) {
  int ends[2];
  if (::pipe(ends) != 0) std::exit(70);
  std::fflush(nullptr);
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(ends[0]);
    const std::string said = function();
    std::size_t written = 0;
    while (written < said.size()) {
      const ssize_t n = ::write(ends[1], said.data() + written, said.size() - written);
      if (n <= 0) ::_exit(70);
      written += static_cast<std::size_t>(n);
    }
    ::_exit(0);
  }
  ::close(ends[1]);
  std::string said;
  char buffer[4096];
  for (ssize_t n = 0; (n = ::read(ends[0], buffer, sizeof buffer)) > 0;)
    said.append(buffer, static_cast<std::size_t>(n));
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) return "broke off";
  return said;
}

// A pod on which one chip's program can be broken.
class Bench {
 public:
  explicit Bench(const Subject& subject) : subject_(subject), pod_(subject.pod, true), runner_(pod_, options()) {
    step_.name = subject.name;
  }

  // `turns`: how often the collective runs, on the same buffers and scratch memory. Barriers and capacity signals have
  // their use between kernels; wrong data of one turn the next one may put right.
  run::StepResult run(std::uint64_t seed, std::size_t turns, std::optional<Mutation> mutation) {
    runner_.perturb(seed);
    step_.sequence.assign(turns, run::SequenceCall{});
    for (run::SequenceCall& call : step_.sequence) call.collective = subject_.call;
    mutant_->begin(runner_.device(subject_.broken), pod_.size(), std::move(mutation));
    return runner_.run(step_);
  }
  [[nodiscard]] const std::vector<Action>& actions() const { return mutant_->actions(); }

 private:
  run::RunOptions options() {
    run::RunOptions options;
    options.checks = run::CheckLevel::kAll;
    options.perturbation = 0;
    options.wrap_bus = [this](ChipId chip, scalar_core::RegisterBus& bus) -> scalar_core::RegisterBus& {
      if (chip != subject_.broken) return bus;
      return mutant_.emplace(bus);
    };
    return options;
  }

  const Subject& subject_;
  std::optional<MutantBus> mutant_;
  pod::Pod pod_;
  run::Runner runner_;
  run::Step step_;
};

struct Tally {
  unsigned mutants = 0;
  unsigned equivalent = 0;
  unsigned found = 0;
  std::map<std::string, unsigned> outcomes;
};

class Score {
 public:
  explicit Score(Options options) : options_(std::move(options)) {}

  int run() {
    for (const Subject& subject : subjects()) {
      if (subject.name.find(options_.only) == std::string::npos) continue;
      const std::string lines = apart([&] { return mutants_of(subject); });
      unsigned mutants = 0;
      for (std::size_t at = 0; at < lines.size();) {
        const std::size_t end = lines.find('\n', at);
        count(subject, lines.substr(at, end - at));
        at = end == std::string::npos ? lines.size() : end + 1;
        ++mutants;
      }
      std::fputs(fmt::format("{}: {} mutants\n", subject.name, mutants).c_str(), stdout);
      std::fflush(stdout);
    }
    return print();
  }

 private:
  // One line each: kind, outcome, and the mutant in words.
  std::string mutants_of(const Subject& subject) {
    auto* const bench = new Bench(subject);  // never taken down: processes end without
    std::map<std::string, std::vector<Mutation>> by_kind;
    for (const std::size_t turns : {std::size_t{1}, kTurns}) {
      const run::StepResult whole = bench->run(0, turns, std::nullopt);
      if (whole.outcome != run::Outcome::kCompleted) return "unbroken\tfails\t" + whole.explanation;
      for (Mutation& mutation : mutations_of(bench->actions())) {
        if (turns_of(mutation) == turns) by_kind[kind_of(mutation)].push_back(std::move(mutation));
      }
    }
    std::string lines;
    for (const auto& [kind, mutations] : by_kind) {
      const std::size_t step = std::max<std::size_t>(1, mutations.size() / options_.most);
      for (std::size_t i = 0; i < mutations.size(); i += step) {
        const Mutation& mutation = mutations[i];
        std::string verdict = why_equivalent(mutation);
        if (verdict.empty()) {
          verdict = apart([&] { return verdict_on(*bench, mutation); });
          if (verdict == "survived" && !why_harmless(mutation).empty()) verdict = kHarmless + why_harmless(mutation);
        } else {
          verdict.insert(0, kHarmless);
        }
        lines += fmt::format("{}\t{}\t{} of task [{}], action {}, at {}\n", kind, verdict, kind,
                             fmt::join(mutation.action.task, "."), mutation.action.number, mutation.action.line);
      }
    }
    return lines;
  }

  std::string verdict_on(Bench& bench, const Mutation& mutation) const {
    // A mutant that fails can't be run again, and one that does not fail undisturbed may fail disturbed.
    for (std::uint64_t seed = 0; seed <= options_.seeds; ++seed) {
      run::Outcome outcome = run::Outcome::kCompleted;
      try {
        outcome = bench.run(seed, turns_of(mutation), mutation).outcome;
      } catch (const std::exception& error) {
        return fmt::format("broke off: {}", error.what());
      }
      if (outcome == run::Outcome::kCompleted) continue;
      const char* const right = is_right_kind(mutation, outcome) ? "" : " (misleading)";
      return fmt::format("{}{}", run::name(outcome), right);
    }
    return "survived";
  }

  void count(const Subject& subject, const std::string& line) {
    const std::size_t first = line.find('\t');
    const std::size_t second = line.find('\t', first + 1);
    if (second == std::string::npos) {
      failures_.push_back(subject.name + ": " + line);
      return;
    }
    const std::string verdict = line.substr(first + 1, second - first - 1);
    const std::string mutant = subject.name + ": " + line.substr(second + 1);
    Tally& tally = tallies_[line.substr(0, first)];
    ++tally.mutants;
    if (options_.verbose) std::fputs(fmt::format("  {} -> {}\n", mutant, verdict).c_str(), stdout);
    if (verdict.starts_with(kHarmless)) {
      ++tally.equivalent;
      ++arguments_[verdict.substr(kHarmless.size())];
      return;
    }
    ++tally.outcomes[verdict];
    const bool known =
        verdict == "deadlock" || verdict == "hazard" || verdict == "semaphore left over" || verdict == "wrong data";
    if (known) {
      ++tally.found;
    } else {
      failures_.push_back(fmt::format("{} -> {}", mutant, verdict));
    }
  }

  int print() const {
    std::fputs(
        fmt::format("\n{:<48} {:>7} {:>10} {:>6}  reported as\n", "mutation", "mutants", "equivalent", "found").c_str(),
        stdout);
    Tally all;
    for (const auto& [kind, tally] : tallies_) {
      std::string outcomes;
      for (const auto& [outcome, count] : tally.outcomes) outcomes += fmt::format("{} {}  ", outcome, count);
      std::fputs(
          fmt::format("{:<48} {:>7} {:>10} {:>6}  {}\n", kind, tally.mutants, tally.equivalent, tally.found, outcomes)
              .c_str(),
          stdout);
      all.mutants += tally.mutants;
      all.equivalent += tally.equivalent;
      all.found += tally.found;
    }
    const unsigned real = all.mutants - all.equivalent;
    std::fputs(
        fmt::format("\n{} mutants, {} equivalent\n"
                    "mutation score {:.2f} %: {} of {} that are not equivalent are reported with the right kind\n",
                    all.mutants, all.equivalent, real == 0 ? 0.0 : 100.0 * all.found / real, all.found, real)
            .c_str(),
        stdout);
    for (const auto& [argument, count] : arguments_) {
      std::fputs(fmt::format("equivalent, {}: {}\n", count, argument).c_str(), stdout);
    }
    for (const std::string& failure : failures_) std::fputs(fmt::format("NOT FOUND: {}\n", failure).c_str(), stdout);
    return failures_.empty() && real > 0 ? 0 : 1;
  }

  const Options options_;
  std::map<std::string, Tally> tallies_;
  std::map<std::string, unsigned> arguments_;  // why mutants are equivalent, and how many are for this reason
  std::vector<std::string> failures_;
};

}  // namespace
}  // namespace podsim::mutation

int sc_main(int argc, char* argv[]) {
  podsim::mutation::Options options;
  for (int i = 1; i < argc; ++i) {
    const bool has_value = i + 1 < argc;
    if (std::strcmp(argv[i], "-v") == 0) {
      options.verbose = true;
    } else if (std::strcmp(argv[i], "--most") == 0 && has_value) {
      options.most = static_cast<unsigned>(std::max(1, std::atoi(argv[++i])));
    } else if (std::strcmp(argv[i], "--seeds") == 0 && has_value) {
      options.seeds = static_cast<unsigned>(std::max(0, std::atoi(argv[++i])));
    } else if (std::strcmp(argv[i], "--only") == 0 && has_value) {
      options.only = argv[++i];
    } else {
      std::fputs("usage: mutation-score [--most N] [--seeds N] [--only TEXT] [-v]\n", stderr);
      return 2;
    }
  }
  return podsim::mutation::Score(options).run();
}

int main(int argc, char* argv[]) {
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
  return sc_core::sc_elab_and_sim(argc, argv);
}
