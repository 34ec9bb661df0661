#include "platform/cli/observation.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <sstream>

#include "platform/cli/options.h"
#include "platform/observe/chrome_writer.h"
#include "platform/observe/perfetto_writer.h"
#include "platform/observe/report_document.h"
#include "platform/report/html_report.h"

namespace podsim::cli {

void Observation::add_options(CLI::App& app) {
  trace_.add_option(
      app, "--trace",
      "Write what happened when to FILE: .perfetto-trace (ui.perfetto.dev), .json (Chrome's format), .vcd "
      "(GTKWave); see docs/traces.md");
  app.add_option("--trace-chips", chips_, "Chips in the trace: 0-7,12,x=0; all if left out")->type_name("CHIPS");
  app.add_option("--trace-from", from_, "Leave out of the trace what ends before this simulated time")
      ->type_name("TIME");
  app.add_option("--trace-to", to_, "Leave out of the trace what begins after this simulated time")->type_name("TIME");
  app.add_option("--trace-events", most_events_,
                 "Spans and arrows recorded at most; what comes after that is counted, and said")
      ->type_name("N")
      ->check(CLI::Range(std::size_t{1}, std::size_t{4'000'000'000}))
      ->capture_default_str();
  app.add_flag("--critical-path", critical_path_, "Tell what held the run up: time by cause, and the longest waits");
  report_.add_option(app, "--report",
                     "Write a report to FILE.html: timeline, heat map of links, critical path, tables");
  app.add_flag("--timeline", timeline_in_json_, "Put the timeline into the --json file, for 'podsim compare --report'");
}

void Observation::check(bool json_wanted) const {
  trace_.check_writable();
  report_.check_writable();
  const auto refuse = [](const std::string& option, const std::string& value, const std::string& why) {
    throw config::ConfigError(option_mark(option, value), {}, why);
  };
  if (trace_.wanted() && !observe::trace_format(trace_.file())) {
    refuse("--trace", trace_.file(), "expected a file that ends in .perfetto-trace, .json or .vcd");
  }
  if (report_.wanted() && !report_.file().ends_with(".html")) {
    refuse("--report", report_.file(), "expected a file that ends in .html");
  }
  if (trace_.wanted() && is_vcd() && (!from_.empty() || !to_.empty())) {
    const bool from = !from_.empty();
    refuse(from ? "--trace-from" : "--trace-to", from ? from_ : to_, "not for .vcd, which has the whole run");
  }
  if (timeline_in_json_ && !json_wanted) {
    refuse("--timeline", "", "needs --json FILE, where it goes");
  }
  const bool limits = !chips_.empty() || !from_.empty() || !to_.empty();
  if (limits && !trace_.wanted()) {
    const std::string option = !chips_.empty() ? "--trace-chips" : !from_.empty() ? "--trace-from" : "--trace-to";
    refuse(option, !chips_.empty() ? chips_ : !from_.empty() ? from_ : to_, "needs --trace FILE");
  }
}

observe::Selection Observation::selection(const ici::TorusShape& torus) const {
  observe::Selection selection;
  if (!chips_.empty()) {
    try {
      selection.chips = observe::parse_chips(chips_, torus);
    } catch (const std::invalid_argument& error) {
      throw config::ConfigError(option_mark("--trace-chips", chips_), {}, error.what());
    }
  }
  if (!from_.empty()) selection.from = value_of(config::parse_duration(from_), "--trace-from", from_).ps;
  if (!to_.empty()) selection.to = value_of(config::parse_duration(to_), "--trace-to", to_).ps;
  if (selection.to < selection.from) {
    throw config::ConfigError(option_mark("--trace-to", to_), {}, fmt::format("is before --trace-from {}", from_));
  }
  return selection;
}

void Observation::attach(pod::Pod& pod, run::RunOptions& options) {
  selection_ = selection(pod.torus());
  if (trace_.wanted() && is_vcd()) {
    vcd_ = std::make_unique<observe::VcdTrace>("vcd_trace", pod, selection_, std::filesystem::temp_directory_path());
    pod.queue().set_watcher(
        [](void* vcd, Picoseconds, std::uint64_t) { static_cast<observe::VcdTrace*>(vcd)->rest_with_the_pod(); },
        vcd_.get());
    options.run_ahead = false;  // its times are the kernel's
  }
  if (!wants_timeline()) return;
  timeline_ = std::make_unique<observe::Timeline>(most_events_);
  recorder_ = std::make_unique<observe::Recorder>(pod, *timeline_, wants_whole() ? observe::Selection() : selection_);
  options.observer = recorder_.get();
}

std::string Observation::finish() {
  if (recorder_ == nullptr) return {};
  recorder_->finish();
  if (timeline_->dropped() > 0) {
    spdlog::warn(
        "the timeline has the first {} spans and arrows; {} more were left out: see --trace-events, "
        "--trace-chips, --trace-from and --trace-to",
        timeline_->most(), timeline_->dropped());
  }
  if (!wants_whole()) return {};
  if (timeline_->dropped() > 0) {
    return critical_path_ ? fmt::format(
                                "\nCritical path: not known, since only the first {} events were recorded "
                                "(--trace-events)\n",
                                timeline_->most())
                          : std::string();
  }
  path_ = observe::find_critical_path(*timeline_);
  return critical_path_ ? observe::critical_path_text(*timeline_, *path_) : std::string();
}

void Observation::write(Output& out, const report::RunRecord& record, const std::string& title) const {
  trace_.write(out, [&](std::ostream& stream) {
    switch (*observe::trace_format(trace_.file())) {
      case observe::TraceFormat::kPerfetto: observe::write_perfetto(stream, *timeline_, selection_); break;
      case observe::TraceFormat::kChrome: observe::write_chrome(stream, *timeline_, selection_); break;
      case observe::TraceFormat::kVcd: vcd_->write(stream); break;
    }
  });
  if (recorder_ == nullptr) return;
  report_.write(out, [&](std::ostream& stream) {
    std::ostringstream document;
    observe::write_report_document(document, {record, *timeline_, path_ ? &*path_ : nullptr, title});
    report::write_html_report(stream, document.str());
  });
}

void Observation::add_to(report::RunRecord& record, const std::string& title) const {
  if (recorder_ == nullptr) return;
  if (path_ && critical_path_) {
    record.attachments.emplace_back("critical_path", observe::critical_path_json(*timeline_, *path_));
  }
  if (!timeline_in_json_) return;
  std::ostringstream timeline;
  observe::ReportDocument document{record, *timeline_, path_ ? &*path_ : nullptr, title};
  document.with_run = false;
  observe::write_report_document(timeline, document);
  record.attachments.emplace_back("timeline", timeline.str());
}

}  // namespace podsim::cli
