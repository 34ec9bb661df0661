#include "platform/cli/size_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <thread>

#include "platform/cli/exit_codes.h"
#include "platform/cli/options.h"
#include "platform/cli/project_root.h"
#include "platform/config/pod_reader.h"
#include "platform/report/count_bar.h"
#include "platform/report/json_layout.h"
#include "platform/report/number_text.h"
#include "platform/report/text_table.h"
#include "platform/run/run_file.h"
#include "platform/run/run_path.h"
#include "platform/study/resources.h"

namespace podsim::cli {

namespace {

namespace fs = std::filesystem;
using study::PodShape;
using study::PointResult;
using study::Setting;

// A folder for results that nobody asked to keep.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (fs::temp_directory_path() / "podsim-size-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr)
      throw study::StoreError("can't make a folder in " + fs::temp_directory_path().string());
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

// The pod that the program names itself.
PodShape own_pod(const config::ConfigNode& document, const pod::PodConfig& pod) {
  const config::ConfigNode* const name = document.find("pod");
  std::uint64_t chips = 1;
  for (const pod::AxisConfig& axis : pod.topology.axes) chips *= axis.size;
  return {name != nullptr ? name->text : "its own pod", std::max<std::uint64_t>(chips, pod.topology.chips), {}};
}

std::string step_text(const PointResult& result) {
  const auto step = study::figure("step", result, 1);
  return step ? report::time_text(static_cast<Picoseconds>(step->number * 1e12 + 0.5)) : "-";
}

std::string share_text(const PointResult& result, const char* name) {
  const auto share = study::figure(name, result, 1);
  return share ? fmt::format("{:.0f} %", 100 * share->number) : "-";
}

}  // namespace

SizeCommand::SizeCommand(CLI::App& parent)
    : Command(
          parent, "size", "Find the smallest pod on which a program meets a target, by running it",
          "Shapes are those of slices: presets, and between them one axis doubled after the other. They are bisected,\n"
          "which takes for granted that a larger pod does no worse; podsim says so where it does. Runs move no data.\n"
          "\n"
          "A target compares figures of the program's last step: step (its time), total (of all steps), algbw, busbw,\n"
          "mxu, hbm, ici (shares of the step that they were busy), hbm_peak (bytes of a chip's memory), chips.\n"
          "\n"
          "A program's 'tokens' are those of a chip. To size for a batch of the whole pod, compute them:\n"
          "--compute steps.1.workload.tokens='1048576 / chips'\n"
          "\n"
          "Examples:\n"
          "  podsim size --program configs/runs/llama3-8b-fsdp-v5p-4x4x4.yaml --target 'step < 1.5 s' --pods v5e,v5p\n"
          "  podsim size --program tensor-parallel --target 'step < 2 ms and ici < 0.8' --pods tpu-v5e\n"
          "  podsim size --program dp-step-sync                       what 10 % more of each resource brings it\n"
          "\n"
          "Exit codes: 0 a pod meets the target, 1 none does, 2 config error, 74 output could not be written") {
  app().add_option("--program", program_, "Run file, or the name of one in configs/runs")->required()->type_name("RUN");
  app().add_option("--target", target_, "What the pod must reach, such as 'step < 2 s'")->type_name("TARGET");
  app()
      .add_option("--pods", pods_, "Chip generations, such as v5e,tpu-v5p; that of the program's own pod if left out")
      ->delimiter(',')
      ->type_name("CHIPS")
      ->allow_extra_args(false);
  app()
      .add_option("--max-chips", most_chips_, "No larger pods than this: a large one takes long to simulate")
      ->type_name("N")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1'000'000}))
      ->capture_default_str();
  add_set_option(app(), sets_);
  app()
      .add_option("--compute", computes_, "Override a key by an expression over 'chips'; may be repeated")
      ->type_name("KEY=EXPRESSION")
      ->allow_extra_args(false);
  app().add_option("--fidelity", fidelity_, "packet, burst or flow, as for run")->type_name("LEVEL");
  app()
      .add_option("--jobs", jobs_, "Runs at a time; all cores if left out")
      ->type_name("N")
      ->check(CLI::Range(1u, 1024u));
  app()
      .add_option("--percent", percent_, "How much more of each resource the sensitivity is for")
      ->type_name("PERCENT")
      ->check(CLI::Range(0.1, 1000.0))
      ->capture_default_str();
  app().add_flag("--no-sensitivity", no_sensitivity_, "Don't ask what more of each resource would bring");
  app()
      .add_option("--out", out_, "Keep results in this folder, as sweep does, and use those that are there")
      ->type_name("DIR");
  json_.add_option(app());
}

// One call of the command.
class SizeCommand::Job {
 public:
  Job(const SizeCommand& command, Output& out, const fs::path& root, const fs::path& folder)
      : command_(command), out_(out), root_(root), documents_(root, study::this_build()), store_(folder) {
    for (const std::string& text : command.computes_) {
      const config::SourceMark mark = option_mark("--compute", text);
      try {
        const Setting setting = study::parse_setting(text);
        computed_.emplace_back(setting.key, study::Expression(setting.value));
        (void)study::value_text(computed_.back().second.evaluate(&of_one_chip));
      } catch (const std::exception& error) {
        throw config::ConfigError(mark, {}, error.what());
      }
    }
    for (const std::string& text : command.sets_) {
      try {
        settings_.push_back(study::parse_setting(text));
      } catch (const std::invalid_argument& error) {
        throw config::ConfigError(option_mark("--set", text), {}, error.what());
      }
    }
    if (!command.fidelity_.empty()) settings_.push_back({"fidelity", command.fidelity_});
    settings_.push_back({"data", "none"});
    settings_.push_back({"checks", "none"});
    document_ = config::load(run::find_run_file(command.program_, root, option_mark("--program", command.program_)),
                             root, sets_of(command_for({"", 1, {}}, {})));
    (void)run::read_run(document_);
  }

  int find() {
    const config::SourceMark mark = option_mark("--target", command_.target_);
    std::vector<study::Search> searches;
    for (const std::string& chip : chips()) {
      std::vector<PodShape> shapes = study::pod_shapes(chip, root_);
      std::erase_if(shapes, [&](const PodShape& shape) { return shape.chips > command_.most_chips_; });
      if (shapes.empty()) {
        throw config::ConfigError(option_mark("--pods", chip), {},
                                  fmt::format("there is no pod of up to {} chips", command_.most_chips_));
      }
      searches.push_back({chip, std::move(shapes), {}, {}, {}, false});
    }
    try {
      const study::Expression target = study::parse_target(command_.target_);
      study::search(searches, target, command_.at_once(), [&](const auto& trials) {
        std::vector<study::PointCommand> commands;
        for (const auto& [s, shape] : trials) commands.push_back(command_for(searches[s].shapes[shape], {}));
        return run(commands);
      });
    } catch (const study::ExpressionError& error) {
      throw config::ConfigError(mark, {}, error.what());
    }
    const PodShape* smallest = nullptr;
    for (const study::Search& each : searches) {
      if (each.smallest && (smallest == nullptr || each.shapes[*each.smallest].chips < smallest->chips)) {
        smallest = &each.shapes[*each.smallest];
      }
    }
    print(searches, smallest);
    json_["smallest"] = smallest != nullptr ? study::Json(smallest->name) : study::Json();
    if (smallest != nullptr && !command_.no_sensitivity_) analyse(*smallest);
    return smallest != nullptr ? 0 : kNotAll;
  }

  int analyse_own() { return analyse(own_pod(document_, run::read_run(document_).pod)) ? 0 : kNotAll; }

  [[nodiscard]] const study::Json& json() const { return json_; }

 private:
  static std::optional<study::Value> of_one_chip(const std::string& name) {
    return name == "chips" ? std::optional(study::Value::plain(1)) : std::nullopt;
  }

  [[nodiscard]] std::vector<std::string> chips() const {
    std::vector<std::string> chips;
    for (const std::string& name : command_.pods_) {
      const std::string chip = study::find_chip(name, root_, option_mark("--pods", name));
      if (std::find(chips.begin(), chips.end(), chip) == chips.end()) chips.push_back(chip);
    }
    if (!chips.empty()) return chips;
    const config::ConfigNode* const own = document_.find("chip");
    if (own == nullptr) {
      throw config::ConfigError(option_mark("--program", command_.program_), {},
                                "names no chip: say which with --pods");
    }
    return {own->text};
  }

  [[nodiscard]] study::PointCommand command_for(const PodShape& shape, const std::vector<Setting>& more) const {
    std::vector<Setting> all = settings_;
    all.insert(all.end(), shape.settings.begin(), shape.settings.end());
    for (const auto& [key, expression] : computed_) {
      const study::Value value = expression.evaluate([&](const std::string& name) {
        return name == "chips" ? std::optional(study::Value::plain(static_cast<double>(shape.chips))) : std::nullopt;
      });
      all.push_back({key, study::value_text(value)});
    }
    all.insert(all.end(), more.begin(), more.end());
    return study::point_command({study::BaseKind::kRun, command_.program_}, all);
  }
  static std::vector<std::string> sets_of(const study::PointCommand& command) { return command.sets; }

  std::vector<PointResult> run(const std::vector<study::PointCommand>& commands) {
    std::vector<study::Job> jobs;
    for (const study::PointCommand& each : commands) jobs.push_back(study::job_of(each, documents_));
    std::map<std::string, PointResult> known;
    const std::vector<study::CollectEntry> collect = study::sizing_collect();
    const std::vector<study::Job> left = study::missing(jobs, collect, store_, known);
    std::unique_ptr<report::CountBar> bar;
    if (::isatty(STDERR_FILENO) != 0) bar = std::make_unique<report::CountBar>(std::cerr, "runs", left.size());
    std::size_t done = 0;
    if (bar) bar->show(0, 0);
    study::run_locally(left, collect, command_.at_once(), store_,
                       [&](const study::Job& job, const PointResult& result) {
                         known.emplace(job.address, result);
                         if (bar) bar->show(++done, 0);
                       });
    std::vector<PointResult> results;
    for (const study::Job& job : jobs) results.push_back(known.at(job.address));
    return results;
  }

  void print(const std::vector<study::Search>& searches, const PodShape* smallest) {
    out_.print(fmt::format("{}: target {}\n\n", command_.program_, command_.target_));
    std::size_t width = 4;
    for (const study::Search& each : searches) {
      for (const PodShape& shape : each.shapes) width = std::max(width, shape.name.size());
    }
    const report::TextTable table({{"pod", width, true},
                                   {"chips", 6},
                                   {"step", 10},
                                   {"MXU", 6},
                                   {"HBM", 6},
                                   {"ICI", 6},
                                   {"nearest bound", 13, true},
                                   {"", 0, true}});
    out_.print(table.header());
    json_["program"] = command_.program_;
    json_["target"] = command_.target_;
    json_["pods"] = study::Json::array();
    for (const study::Search& each : searches) {
      for (std::size_t i = 0; i < each.shapes.size(); ++i) print_shape(each, i, table);
      if (each.uneven) {
        out_.print(fmt::format(
            "  {}: a larger pod missed the target where a smaller one meets it; between them not all was tried\n",
            each.chip));
      }
    }
    out_.print(smallest != nullptr
                   ? fmt::format("\nsmallest pod that meets the target: {}, {}\n", smallest->name,
                                 report::count_text(smallest->chips, "chip"))
                   : fmt::format("\nno pod of up to {} chips meets the target\n", command_.most_chips_));
  }

  void print_shape(const study::Search& search, std::size_t i, const report::TextTable& table) {
    const PodShape& shape = search.shapes[i];
    const std::optional<PointResult>& result = search.results[i];
    if (!result) return;
    const std::string bound = study::bound_of(*result);
    std::string verdict = search.meets[i] ? "meets the target"
                          : bound.empty() ? "misses it"
                                          : fmt::format("misses it, {} bound", bound);
    if (search.smallest == i) verdict += "  <- smallest";
    if (!result->completed()) verdict = fmt::format("{}: {}", result->outcome, result->diagnosis);
    out_.print(
        table.row({shape.name, std::to_string(shape.chips), step_text(*result), share_text(*result, "mxu"),
                   share_text(*result, "hbm"), share_text(*result, "ici"), bound.empty() ? "-" : bound, verdict}));
    json_["pods"].push_back({{"pod", shape.name},
                             {"chips", shape.chips},
                             {"outcome", result->outcome},
                             {"diagnosis", result->diagnosis},
                             {"step_ps", result->collected.value("results.-1.time_ps", study::Json())},
                             {"nearest_bound", bound},
                             {"meets", bool{search.meets[i]}},
                             {"command", command_for(shape, {}).text()}});
  }

  // What more of each resource brings on a pod. False if the program does not complete there.
  bool analyse(const PodShape& shape) {
    const std::vector<std::string> sets = sets_of(command_for(shape, {}));
    const config::ConfigNode document = config::load(run::find_run_file(command_.program_, root_, {}), root_, sets);
    const std::vector<study::Improvement> all =
        study::improvements(config::list_keys(run::read_run(document).pod), command_.percent_ / 100);
    std::vector<study::PointCommand> commands{command_for(shape, {})};
    for (const study::Improvement& each : all) commands.push_back(command_for(shape, each.settings));
    const std::vector<PointResult> results = run(commands);
    const PointResult& base = results.front();
    if (!base.completed()) {
      out_.print(fmt::format("{} on {}: {}: {}\n", command_.program_, shape.name, base.outcome, base.diagnosis));
      return false;
    }
    struct Gain {
      const study::Improvement* what;
      const PointResult* result;
      double share;  // of the step's time that is saved
    };
    std::vector<Gain> gains;
    const double step = study::figure("step", base, shape.chips).value_or(study::Value::plain(0)).number;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const auto better = study::figure("step", results[i + 1], shape.chips);
      gains.push_back({&all[i], &results[i + 1], better && step > 0 ? 1 - better->number / step : 0});
    }
    std::stable_sort(gains.begin(), gains.end(), [](const Gain& a, const Gain& b) { return a.share > b.share; });

    out_.print(fmt::format("\nOn {}, where the step takes {}, {:g} % better:\n", shape.name, step_text(base),
                           command_.percent_));
    const report::TextTable table(
        {{"resource", 26, true}, {"change", 30, true}, {"step", 10}, {"time saved", 10}, {"", 0, true}});
    out_.print(table.header());
    json_["pod"] = shape.name;
    json_["step_ps"] = base.collected.value("results.-1.time_ps", study::Json());
    json_["sensitivity"] = study::Json::array();
    for (const Gain& gain : gains) {
      const bool ran = gain.result->completed();
      out_.print(table.row({gain.what->resource, gain.what->change, ran ? step_text(*gain.result) : "-",
                            ran ? fmt::format("{:.2f} %", 100 * gain.share) : "-", ran ? "" : gain.result->diagnosis}));
      json_["sensitivity"].push_back({{"resource", gain.what->resource},
                                      {"change", gain.what->change},
                                      {"outcome", gain.result->outcome},
                                      {"step_ps", gain.result->collected.value("results.-1.time_ps", study::Json())},
                                      {"time_saved", ran ? study::Json(gain.share) : study::Json()}});
    }
    return true;
  }

  const SizeCommand& command_;
  Output& out_;
  fs::path root_;
  study::Documents documents_;
  study::ResultStore store_;
  std::vector<Setting> settings_;
  std::vector<std::pair<std::string, study::Expression>> computed_;
  config::ConfigNode document_;
  study::Json json_ = study::Json::object();
};

unsigned SizeCommand::at_once() const { return jobs_ > 0 ? jobs_ : std::max(1u, std::thread::hardware_concurrency()); }

int SizeCommand::execute(Output& out) {
  json_.check_writable();
  if (json_.is_stdout()) out.mute();
  if (target_.empty() && !pods_.empty()) {
    throw config::ConfigError(option_mark("--pods", pods_.front()), {}, "needs a --target to size for");
  }
  const fs::path root = find_project_root();
  try {
    std::optional<TemporaryFolder> temporary;
    if (out_.empty()) temporary.emplace();
    Job job(*this, out, root, temporary ? temporary->path() : fs::path(out_));
    const int code = target_.empty() ? job.analyse_own() : job.find();
    json_.write(out, [&](std::ostream& stream) {
      report::write_json(stream, job.json());
      stream << '\n';
    });
    return code;
  } catch (const study::StoreError& error) {
    throw OutputError(error.what());
  }
}

}  // namespace podsim::cli
