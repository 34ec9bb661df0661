#include "platform/cli/validate_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <thread>

#include "platform/cli/exit_codes.h"
#include "platform/cli/options.h"
#include "platform/cli/project_root.h"
#include "platform/report/json_layout.h"
#include "platform/validate/validation.h"
#include "platform/validate/validation_report.h"

namespace podsim::cli {

ValidateCommand::ValidateCommand(CLI::App& parent)
    : Command(parent, "validate",
              "Hold the model against outside figures: hardware, public simulators, papers, worked problems",
              "Examples:\n"
              "  podsim validate\n"
              "  podsim validate --only hbm --rows\n"
              "  podsim validate --only M22 --json -\n"
              "\n"
              "The figures are in configs/validation (runs) and tests/reference (single blocks).\n"
              "Exit codes: 0 every row is within its tolerance or explained, 1 one is not, 2 config error") {
  app().add_option("--only", only_, "Only tables and rows whose name or id contains TEXT")->type_name("TEXT");
  app().add_flag("--rows", rows_, "Every row, also of tables with hundreds of one kind");
  app()
      .add_option("--jobs", jobs_, "Runs at a time; all cores if left out")
      ->type_name("N")
      ->check(CLI::Range(1u, 1024u));
  json_.add_option(app());
  markdown_.add_option(app(), "--markdown", "Write the table to FILE as Markdown (docs/validation.md is that)");
}

int ValidateCommand::execute(Output& out) {
  json_.check_writable();
  markdown_.check_writable();
  if (json_.is_stdout() || markdown_.is_stdout()) out.mute();
  validate::Choice choice;
  choice.only = only_;
  choice.jobs = jobs_ > 0 ? jobs_ : std::max(1u, std::thread::hardware_concurrency());
  const bool terminal = ::isatty(STDERR_FILENO) != 0;
  if (terminal) {
    choice.on_progress = [](std::size_t done, std::size_t of) {
      std::cerr << fmt::format("\r{} of {} runs", done, of) << (done == of ? "\r\033[K" : "") << std::flush;
    };
  }
  const std::vector<validate::Table> tables = validate::validate(find_project_root(), choice);
  if (tables.empty()) throw config::ConfigError(option_mark("--only", only_), {}, "no table or row has such a name");

  const bool holds = validate::holds(tables);
  out.print(validate::text_report(tables, rows_));
  out.print(holds ? "every row is within its tolerance or explained\n"
                  : "NOT every row is within its tolerance or explained\n");
  json_.write(out, [&](std::ostream& stream) {
    report::write_json(stream, validate::json_report(tables));
    stream << '\n';
  });
  markdown_.write(out, [&](std::ostream& stream) { stream << validate::markdown_report(tables); });
  return holds ? 0 : kNotValid;
}

}  // namespace podsim::cli
