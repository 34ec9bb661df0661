#include "platform/cli/sweep_command.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <thread>

#include "platform/cli/exit_codes.h"
#include "platform/cli/options.h"
#include "platform/cli/project_root.h"
#include "platform/report/count_bar.h"
#include "platform/report/number_text.h"
#include "platform/run/run_path.h"
#include "platform/study/commands.h"
#include "platform/study/html_report.h"
#include "platform/study/slurm_engine.h"
#include "platform/study/sweep_text.h"

namespace podsim::cli {

namespace {

namespace fs = std::filesystem;

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

// Processor time of this process and of the children that it has waited for.
double processor_seconds() {
  double sum = 0;
  for (const auto who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage usage{};
    ::getrusage(who, &usage);
    sum += seconds(usage.ru_utime) + seconds(usage.ru_stime);
  }
  return sum;
}

unsigned cores() { return std::max(1u, std::thread::hardware_concurrency()); }

}  // namespace

SweepCommand::SweepCommand(CLI::App& parent)
    : Command(
          parent, "sweep", "Run every point of a study, and gather the results",
          "Each point is an ordinary 'podsim run' or 'podsim bench' in a process of its own; its row has the command.\n"
          "DIR gets results.csv, results.jsonl and timing.csv. A sweep that was broken off, or whose study has grown,\n"
          "goes on where it was: what has been run with the same configuration and the same podsim is not run again.\n"
          "\n"
          "Examples:\n"
          "  podsim sweep configs/studies/busbw-vs-size.yaml --report out/busbw.html\n"
          "  podsim sweep pod-shape-llama70b --jobs 2\n"
          "  podsim sweep busbw-vs-size --engine slurm\n"
          "  podsim sweep busbw-vs-size --emit commands | parallel; podsim sweep busbw-vs-size\n"
          "\n"
          "Exit codes: 0 every point completed, 1 one did not (the rest ran), 2 config error, 74 results could not be\n"
          "written") {
  app().add_option("STUDY", file_, "Study, or the name of one in configs/studies")->required()->type_name("");
  app().add_option("--out", out_, "Folder for results; out/STUDY if left out")->type_name("DIR");
  app()
      .add_option("--jobs", jobs_, "Points at a time; all cores if left out. Slurm: tasks of the job array")
      ->type_name("N")
      ->check(CLI::Range(1u, 4096u));
  CLI::Option* const engine =
      app()
          .add_option("--engine", engine_, "local: processes on this machine; slurm: a job array on a cluster")
          ->type_name("NAME")
          ->check(CLI::IsMember({"local", "slurm"}))
          ->capture_default_str();
  app()
      .add_option("--emit", emit_,
                  "commands: run nothing, print a shell line for each point that is left; the next sweep of the study "
                  "gathers what they found")
      ->type_name("WHAT")
      ->check(CLI::IsMember({"commands"}))
      ->excludes(engine);
  report_.add_option(app(), "--report", "Draw the study's plots to FILE, a page of HTML");
}

fs::path SweepCommand::folder(const fs::path& study) const {
  return out_.empty() ? fs::path("out") / study.stem() : fs::path(out_);
}

void SweepCommand::run(const std::vector<study::Job>& jobs, const std::vector<study::CollectEntry>& collect,
                       study::ResultStore& store, std::map<std::string, study::PointResult>& results) const {
  std::unique_ptr<report::CountBar> bar;
  if (::isatty(STDERR_FILENO) != 0) bar = std::make_unique<report::CountBar>(std::cerr, "points", jobs.size());
  std::size_t done = 0, failed = 0;
  const auto on_result = [&](const study::Job& job, const study::PointResult& result) {
    results.emplace(job.address, result);
    ++done;
    if (!result.completed()) ++failed;
    if (bar) bar->show(done, failed);
  };
  if (engine_ == "slurm") {
    study::run_by_slurm(jobs, collect, jobs_, store, on_result);
  } else {
    study::run_locally(jobs, collect, jobs_ > 0 ? jobs_ : cores(), store, on_result);
  }
}

int SweepCommand::execute(Output& out) {
  try {
    return sweep(out);
  } catch (const study::StoreError& error) {
    throw OutputError(error.what());
  }
}

int SweepCommand::sweep(Output& out) {
  const fs::path root = find_project_root();
  const fs::path file = run::find_file(file_, "studies", root, option_mark("sweep", file_));
  const study::Study study = study::load_study(file);
  if (report_.wanted() && !report_.is_stdout()) {
    std::error_code ignored;  // check_writable() will tell
    fs::create_directories(fs::absolute(app().get_option("--report")->as<std::string>()).parent_path(), ignored);
  }
  report_.check_writable();
  if (report_.is_stdout()) out.mute();
  study::Documents documents(root, study::this_build());
  const std::vector<study::Point> points =
      study::points_of(study, [&](const study::PointCommand& command) { return documents.chips(command); });
  if (points.empty()) throw config::ConfigError(option_mark("sweep", file_), {}, "the constraints leave no point");

  study::ResultStore store(folder(file));
  std::vector<study::Job> jobs;
  for (const study::Point& point : points) jobs.push_back(study::job_of(point.command, documents));
  std::map<std::string, study::PointResult> known;
  const std::vector<study::Job> left = study::missing(jobs, study.collect, store, known);
  if (!emit_.empty()) {
    for (const study::Job& job : left) out.print(study::shell_line(job, store) + '\n');
    return 0;
  }
  if (!study.description.empty()) out.print(study.description + '\n');
  out.print(fmt::format("  {}: {}, {} of them known already\n\n", file_, report::count_text(points.size(), "point"),
                        jobs.size() - left.size()));

  const auto began = std::chrono::steady_clock::now();
  const double used_before = processor_seconds();
  run(left, study.collect, store, known);
  const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  const double used = processor_seconds() - used_before;

  std::vector<study::PointResult> results;
  std::string timing = "point,address,wall_s\n";
  for (std::size_t i = 0; i < points.size(); ++i) {
    results.push_back(known.at(jobs[i].address));
    timing += fmt::format("{},{},{:.3f}\n", points[i].number, jobs[i].address, results.back().wall_s);
  }
  const study::ResultTable table = study::result_table(study, points, results);
  study::write_durably(store.folder() / "results.csv", table.csv());
  study::write_durably(store.folder() / "results.jsonl", table.json_lines());
  study::write_durably(store.folder() / "timing.csv", timing);

  const auto failed = static_cast<std::size_t>(
      std::count_if(results.begin(), results.end(), [](const auto& result) { return !result.completed(); }));
  const std::vector<std::string> empty = study::empty_columns(study, table);
  out.print(study::table_text(table) + study::findings_text(study, table) + study::failures_text(table));
  for (const std::string& column : empty) {
    out.print(fmt::format("\nNothing to collect: no run has what '{}' asks for\n", column));
  }
  out.print(fmt::format("\n{} of {} completed; {} run now", points.size() - failed,
                        report::count_text(points.size(), "point"), left.size()));
  if (!left.empty() && engine_ == "local") {
    const unsigned at_once = std::min(jobs_ > 0 ? jobs_ : cores(), cores());
    out.print(fmt::format(" in {:.1f} s, {:.0f} % of {} busy", wall, 100 * used / (wall * at_once),
                          report::count_text(at_once, "core")));
  }
  out.print(fmt::format("; results.csv and results.jsonl are in {}\n", store.folder().string()));
  report_.write(out, [&](std::ostream& stream) { stream << study::html_report(study, table, file.stem().string()); });
  return failed > 0 || !empty.empty() ? kNotAll : 0;
}

}  // namespace podsim::cli
