#include "platform/cli/application.h"

#include <fmt/format.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <csignal>
#include <exception>
#include <iostream>
#include <memory>
#include <new>

#include "platform/cli/bench_command.h"
#include "platform/cli/compare_command.h"
#include "platform/cli/describe_command.h"
#include "platform/cli/exit_codes.h"
#include "platform/cli/lab_command.h"
#include "platform/cli/list_command.h"
#include "platform/cli/new_firmware_command.h"
#include "platform/cli/run_command.h"
#include "platform/cli/schema_command.h"
#include "platform/cli/size_command.h"
#include "platform/cli/sweep_command.h"
#include "platform/cli/systemc_reports.h"
#include "platform/cli/validate_command.h"
#include "platform/config/suggestion.h"
#include "platform/report/json_report.h"
#include "platform/version.h"

namespace podsim::cli {

namespace {

constexpr const char* kExamples =
    "Examples:\n"
    "  podsim run configs/runs/quickstart.yaml                  five collectives, data checked\n"
    "  podsim bench all_reduce --pod tpu-v5e-4x4 -b 1KiB -e 64MiB -f 4\n"
    "  podsim sweep configs/studies/busbw-vs-size.yaml          a study: many runs, one plot\n"
    "  podsim compare A.json B.json                             two results, by step and by cause\n"
    "  podsim validate                                          the model beside outside figures\n"
    "  podsim list pods\n"
    "  podsim describe tpu-v5p-8x8x8\n"
    "  podsim lab                                               exercises, checked and graded\n"
    "\n"
    "'podsim COMMAND --help' tells more. Presets are found in $PODSIM_ROOT, or beside the executable.";

void say(const std::string& text) { std::cerr << "podsim: " << text << std::endl; }

void log_to_stderr(bool verbose) {
  spdlog::set_default_logger(
      std::make_shared<spdlog::logger>("podsim", std::make_shared<spdlog::sinks::stderr_sink_mt>()));
  spdlog::set_pattern("podsim: [%l] %v");
  spdlog::set_level(verbose ? spdlog::level::debug : spdlog::level::warn);
}

class Application {
 public:
  Application() : app_("A model of TPU-style pods: collectives as firmware over remote DMA and semaphores", "podsim") {
    app_.set_version_flag("--version", "podsim " + version());
    app_.add_flag("-v,--verbose", verbose_, "Log what is done, on standard error");
    app_.footer(kExamples);
    app_.require_subcommand(0, 1);
    commands_.push_back(std::make_unique<RunCommand>(app_));
    commands_.push_back(std::make_unique<BenchCommand>(app_));
    commands_.push_back(std::make_unique<SweepCommand>(app_));
    commands_.push_back(std::make_unique<SizeCommand>(app_));
    commands_.push_back(std::make_unique<CompareCommand>(app_));
    commands_.push_back(std::make_unique<ValidateCommand>(app_));
    commands_.push_back(std::make_unique<ListCommand>(app_));
    commands_.push_back(std::make_unique<DescribeCommand>(app_));
    commands_.push_back(std::make_unique<LabCommand>(app_));
    commands_.push_back(std::make_unique<NewFirmwareCommand>(app_));
    commands_.push_back(std::make_unique<SchemaCommand>(app_));
  }

  int run(int argc, char* argv[]) {
    if (const auto message = unknown_command(argc, argv)) {
      say(*message);
      return kUsageError;
    }
    try {
      app_.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
      out_.print(app_.help());
      return 0;
    } catch (const CLI::CallForVersion& version) {
      out_.print(std::string(version.what()) + '\n');
      return 0;
    } catch (const CLI::ParseError& error) {  // with exit codes of its own, over 100
      say(fmt::format("{}{}\nSee '{} --help'", error.what(), option_hint(argc, argv), command_name()));
      return kUsageError;
    }
    log_to_stderr(verbose_);
    for (const auto& command : commands_) {
      if (command->app().parsed()) return execute(*command);
    }
    out_.print(app_.help());
    return 0;
  }

 private:
  int execute(Command& command) {
    try {
      return command.execute(out_);
    } catch (const config::ConfigError& error) {
      std::string text;
      for (const config::Diagnostic& diagnostic : error.diagnostics()) {
        text += fmt::format("podsim: {}\n", diagnostic.to_string());
      }
      std::cerr << text << std::flush;
      write_config_error(command, error);
      return run::exit_code(run::Outcome::kConfigError);
    }
  }

  // A config error is an outcome like the others: whoever asked for JSON finds it there.
  void write_config_error(const Command& command, const config::ConfigError& error) {
    report::RunRecord record;
    record.command = command.app().get_name();
    record.outcome = run::Outcome::kConfigError;
    record.explanation = error.what();
    for (const config::Diagnostic& diagnostic : error.diagnostics()) record.details.push_back(diagnostic.to_string());
    try {
      command.json().check_writable();
    } catch (const config::ConfigError&) {
      return;  // which is the very error that was reported
    }
    command.json().write(out_, [&](std::ostream& stream) { report::write_json_report(stream, record); });
  }

  [[nodiscard]] std::optional<std::string> unknown_command(int argc, char* argv[]) const {
    for (int i = 1; i < argc; ++i) {
      const std::string argument = argv[i];
      if (argument.starts_with('-')) continue;
      std::vector<std::string> known;
      for (const auto& command : commands_) known.push_back(command->app().get_name());
      if (std::find(known.begin(), known.end(), argument) != known.end()) break;
      return fmt::format("unknown command '{}'{}\nSee 'podsim --help'", argument, config::suggestion(argument, known));
    }
    return std::nullopt;
  }

  // "; did you mean '--json'?" for the first option that neither podsim nor the command has.
  [[nodiscard]] std::string option_hint(int argc, char* argv[]) const {
    std::vector<std::string> known;
    for (const CLI::App* app : scopes()) {
      for (const CLI::Option* option : app->get_options()) {
        for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
      }
    }
    for (int i = 1; i < argc; ++i) {
      const std::string argument = std::string(argv[i]).substr(0, std::string(argv[i]).find('='));
      if (!argument.starts_with("--") || std::find(known.begin(), known.end(), argument) != known.end()) continue;
      const auto near = config::nearest(argument, known);
      return near ? fmt::format("; did you mean '{}'?", *near) : "";
    }
    return {};
  }

  [[nodiscard]] std::vector<const CLI::App*> scopes() const {
    std::vector<const CLI::App*> scopes{&app_};
    for (const CLI::App* command : app_.get_subcommands()) scopes.push_back(command);
    return scopes;
  }

  [[nodiscard]] std::string command_name() const {
    const auto commands = app_.get_subcommands();
    return commands.empty() ? "podsim" : "podsim " + commands.front()->get_name();
  }

  CLI::App app_;
  bool verbose_ = false;
  std::vector<std::unique_ptr<Command>> commands_;
  Output out_{stdout};
};

}  // namespace

int run_application(int argc, char* argv[]) {
  std::signal(SIGPIPE, SIG_IGN);  // Output notices, so that temporary files are cleaned up
  take_over_systemc_reports();
  try {
    return Application().run(argc, argv);
  } catch (const BrokenPipe&) {
    return kBrokenPipe;
  } catch (const OutputError& error) {
    say(error.what());
    return kOutputError;
  } catch (const std::bad_alloc&) {
    say("not enough memory; try a smaller pod or size, or --data none");
    return kInternalError;
  } catch (const std::exception& error) {
    say(fmt::format("internal error: {}\nThis is a fault of podsim; please report it with the command line and files",
                    error.what()));
    return kInternalError;
  } catch (...) {
    say("internal error; please report it with the command line and files");
    return kInternalError;
  }
}

}  // namespace podsim::cli
