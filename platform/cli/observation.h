// What a command is asked to show of a run beyond its results: a trace file, the critical path, the HTML report, a
// timeline in the JSON.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include <CLI/CLI.hpp>

#include "platform/cli/json_target.h"
#include "platform/observe/critical_path.h"
#include "platform/observe/recorder.h"
#include "platform/observe/trace_file.h"
#include "platform/observe/vcd_trace.h"
#include "platform/report/run_record.h"
#include "platform/run/run_options.h"

namespace podsim::cli {

class Observation {
 public:
  void add_options(CLI::App& app);

  // Finds out before a long simulation what can't be done. `json_wanted`: with --json. Throws ConfigError.
  void check(bool json_wanted) const;
  // Whether anything is to be recorded.
  [[nodiscard]] bool wanted() const { return wants_timeline() || trace_.wanted(); }
  // Begins to record; before the first launch. Sets in the options what that takes. Throws ConfigError for chips that
  // the pod does not have.
  void attach(pod::Pod& pod, run::RunOptions& options);
  // Whether it has to be told of each dispatch of the pod's conductor, which tells one listener only.
  [[nodiscard]] bool watches_conductor() const { return vcd_ != nullptr; }
  // Follows the commands' steps. Nothing happens unless attached.
  void begin_step(const std::string& name) {
    if (recorder_ != nullptr) recorder_->begin_step(name);
  }

  // After the run: the critical path in words, if that is wanted; else empty.
  [[nodiscard]] std::string finish();
  // Writes the files. Throws OutputError.
  void write(Output& out, const report::RunRecord& record, const std::string& title) const;
  // For the JSON report's `critical_path` and `timeline`.
  void add_to(report::RunRecord& record, const std::string& title) const;

 private:
  // Whether all of the run is to be recorded: for the critical path.
  [[nodiscard]] bool wants_whole() const { return critical_path_ || report_.wanted() || timeline_in_json_; }
  // Whether a timeline is to be recorded.
  [[nodiscard]] bool wants_timeline() const { return wants_whole() || (trace_.wanted() && !is_vcd()); }
  [[nodiscard]] bool is_vcd() const { return observe::trace_format(trace_.file()) == observe::TraceFormat::kVcd; }
  [[nodiscard]] observe::Selection selection(const ici::TorusShape& torus) const;

  JsonTarget trace_;
  JsonTarget report_;
  std::string chips_;
  std::string from_;
  std::string to_;
  std::size_t most_events_ = observe::Timeline::kDefaultMost;
  bool critical_path_ = false;
  bool timeline_in_json_ = false;

  observe::Selection selection_;
  std::unique_ptr<observe::Timeline> timeline_;
  std::unique_ptr<observe::Recorder> recorder_;
  std::unique_ptr<observe::VcdTrace> vcd_;
  std::optional<observe::CriticalPath> path_;
};

}  // namespace podsim::cli
