#include "platform/cli/run_command.h"

#include <iostream>

#include "platform/cli/project_root.h"
#include "platform/cli/session.h"
#include "platform/config/suggestion.h"
#include "platform/report/json_report.h"
#include "platform/report/run_text.h"

namespace podsim::cli {

namespace {

namespace fs = std::filesystem;

// A path, or the name of a file in configs/runs.
fs::path find_run_file(const std::string& file, const fs::path& root) {
  std::error_code ignored;
  if (fs::exists(file, ignored)) return file;
  const fs::path preset = root / "configs" / "runs" / (file + ".yaml");
  if (file.find('/') == std::string::npos && fs::exists(preset, ignored)) return preset;
  throw config::ConfigError(
      option_mark("run", file), {},
      "no such file" + config::suggestion(fs::path(file).stem().string(), config::preset_names(root, "runs")));
}

}  // namespace

RunCommand::RunCommand(CLI::App& parent)
    : Command(parent, "run", "Run the steps of a run file on its pod, check their data, and report",
              "Examples:\n"
              "  podsim run configs/runs/quickstart.yaml\n"
              "  podsim run quickstart --set ici.bandwidth_per_direction='90 GB/s'\n"
              "  podsim run quickstart --set steps.0.size='4 MiB' --data none --json result.json\n"
              "\n"
              "Exit codes: 0 completed, 2 config error, 3 wrong data, 4 deadlock, 5 contract violated, 6 hazard,\n"
              "7 semaphore left over, 8 time limit, 70 internal error, 74 output could not be written") {
  app().add_option("FILE", file_, "Run file, or the name of one in configs/runs")->required()->type_name("");
  options_.add(app());
  json_.add_option(app());
}

int RunCommand::execute(Output& out) {
  json_.check_writable();
  if (json_.is_stdout()) out.mute();
  const fs::path root = find_project_root();
  run::RunFile plan = run::read_run(config::load(find_run_file(file_, root), root, options_.sets));
  plan.data = options_.data_mode().value_or(plan.data);
  plan.time_limit = options_.limit().value_or(plan.time_limit);

  report::RunRecord record;
  record.command = "run";
  record.file = file_;
  record.description = plan.description;
  Session session(plan, record);
  out.print(report::run_header(record) + report::step_header());
  std::size_t number = 0;
  session.run([&](const report::StepRecord& step) { out.print(report::step_line(++number, step.result)); });
  out.print(report::link_summary(record) + report::detour_summary(record) +
            report::run_footer(record, plan.steps.size()));
  if (out.muted() && record.outcome != run::Outcome::kCompleted) {
    std::cerr << report::run_footer(record, plan.steps.size());
  }
  json_.write(out, [&](std::ostream& stream) { report::write_json_report(stream, record); });
  return run::exit_code(record.outcome);
}

}  // namespace podsim::cli
