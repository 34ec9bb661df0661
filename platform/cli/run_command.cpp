#include "platform/cli/run_command.h"

#include <fmt/format.h>

#include <iostream>

#include "platform/check/wait_for_graph.h"
#include "platform/cli/intact_twin.h"
#include "platform/cli/project_root.h"
#include "platform/cli/session.h"
#include "platform/library/firmware_library.h"
#include "platform/library/shared_object.h"
#include "platform/report/json_report.h"
#include "platform/report/kernel_text.h"
#include "platform/report/module_text.h"
#include "platform/report/run_text.h"
#include "platform/report/token_use.h"
#include "platform/run/run_path.h"

namespace podsim::cli {

namespace fs = std::filesystem;

namespace {

void load(const std::string& firmware) {
  try {
    library::load_firmware(firmware);
  } catch (const library::LoadError& error) {
    throw config::ConfigError(option_mark("--firmware", firmware), {}, error.what());
  }
}

std::string title_of(const report::RunRecord& record) {
  return record.description.empty() ? record.file : record.description;
}

}  // namespace

RunCommand::RunCommand(CLI::App& parent)
    : Command(parent, "run", "Run the steps of a run file on its pod, check their data, and report",
              "Examples:\n"
              "  podsim run configs/runs/quickstart.yaml\n"
              "  podsim run quickstart --set ici.bandwidth_per_direction='90 GB/s'\n"
              "  podsim run quickstart --set steps.0.size='4 MiB' --data none --json result.json\n"
              "  podsim run quickstart --critical-path --trace quickstart.perfetto-trace --report quickstart.html\n"
              "  podsim run mine/run.yaml --firmware mine/build/libmine.so\n"
              "\n"
              "Exit codes: 0 completed, 2 config error, 3 wrong data, 4 deadlock, 5 contract violated, 6 hazard,\n"
              "7 semaphore left over, 8 time limit, 70 internal error, 74 output could not be written") {
  app().add_option("FILE", file_, "Run file, or the name of one in configs/runs")->required()->type_name("");
  options_.add(app());
  app()
      .add_option("--firmware", firmware_,
                  "Library of programs that steps may name; see 'podsim new-firmware --help'. May be repeated")
      ->type_name("FILE");
  CLI::Option* const perturb =
      app()
          .add_option("--perturb", perturb_,
                      "Also run under so many disturbances (delayed copies and signals, stragglers, latecomers), and "
                      "report the first that ends otherwise")
          ->type_name("N")
          ->check(CLI::Range(1u, 1'000'000u));
  app()
      .add_option("--perturb-seed", perturb_seed_, "Run under this one disturbance")
      ->type_name("SEED")
      ->check(CLI::Range(std::uint64_t{1}, ~std::uint64_t{0}))
      ->excludes(perturb);
  json_.add_option(app());
  observation_.add_options(app());
  dot_.add_option(app(), "--dot", "Write who waits for whom to FILE, for Graphviz, if the run hangs");
}

std::optional<OtherEnd> RunCommand::find_seed(Session& session, Output& out) {
  const auto [fails_undisturbed, other] = try_seeds(session, perturb_);
  if (fails_undisturbed) {
    out.print("  perturbed: no seed was tried, since the undisturbed run, which follows, does not complete\n\n");
    return std::nullopt;
  }
  if (!other) {
    out.print(
        fmt::format("  perturbed: no seed of {} ends otherwise than the undisturbed run that follows\n\n", perturb_));
    return other;
  }
  out.print(fmt::format("  perturbed: seed {} of {} {}; it follows, and again with --perturb-seed {}\n\n", other->seed,
                        perturb_, other->how, other->seed));
  session.perturb(other->seed);
  return other;
}

int RunCommand::execute(Output& out) {
  json_.check_writable();
  dot_.check_writable();
  observation_.check(json_.wanted());
  if (json_.is_stdout()) out.mute();
  const fs::path root = find_project_root();
  for (const std::string& file : firmware_) load(file);
  run::RunFile plan =
      run::read_run(config::load(run::find_run_file(file_, root, option_mark("run", file_)), root, options_.sets));
  plan.data = options_.data_mode().value_or(plan.data);
  options_.apply(plan.options);

  report::RunRecord record;
  record.command = "run";
  record.file = file_;
  record.description = plan.description;
  if (perturb_ > 0 || perturb_seed_ > 0) plan.options.perturbation = perturb_seed_;
  record.with_links_alive = times_with_links_alive(plan);
  Session session(plan, record, &observation_);
  out.print(report::run_header(record));
  const std::optional<OtherEnd> other = perturb_ > 0 ? find_seed(session, out) : std::nullopt;
  out.print(report::step_header());
  std::size_t number = 0;
  session.run([&](const report::StepRecord& step) { out.print(report::step_line(++number, step.result)); });
  if (other && other->other_data && record.outcome == run::Outcome::kCompleted) {
    record.outcome = run::Outcome::kWrongData;
    record.explanation = fmt::format(
        "wrong data: under disturbance {} all programs end, with other data than undisturbed: the result depends on "
        "who is faster.\n",
        other->seed);
    record.details = {record.explanation};
  }
  out.print(report::module_summary(record) + report::kernel_summary(record) + report::token_summary(record) +
            report::link_summary(record) + report::detour_summary(record) + observation_.finish() +
            report::run_footer(record, plan.steps.size()));
  if (out.muted() && record.outcome != run::Outcome::kCompleted) {
    std::cerr << report::run_footer(record, plan.steps.size());
  }
  observation_.write(out, record, title_of(record));
  observation_.add_to(record, title_of(record));
  json_.write(out, [&](std::ostream& stream) { report::write_json_report(stream, record); });
  dot_.write(out, [&](std::ostream& stream) {
    stream << check::to_dot(record.graph != nullptr ? *record.graph : check::WaitForGraph());
  });
  return run::exit_code(record.outcome);
}

}  // namespace podsim::cli
