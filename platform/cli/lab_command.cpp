#include "platform/cli/lab_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "platform/cli/options.h"
#include "platform/cli/project_root.h"
#include "platform/config/suggestion.h"
#include "platform/lab/compiler.h"
#include "platform/lab/report_text.h"
#include "platform/report/json_layout.h"

namespace podsim::cli {

namespace {

namespace fs = std::filesystem;

std::string list() {
  std::size_t width = 0;
  for (const lab::Lab& each : lab::labs()) width = std::max(width, each.name.size());
  std::string text;
  for (const lab::Lab& each : lab::labs()) text += fmt::format("{:<{}}  {}\n", each.name, width, each.title);
  return text + "\n'podsim lab NAME' prints a lab's task.\n";
}

std::string task(const lab::Lab& lab, const fs::path& root) {
  const auto text = lab::task_of(lab, root);
  if (!text) {
    throw config::ConfigError(option_mark("lab", std::string(lab.name)), {},
                              fmt::format("can't read {}", (root / lab::file_of(lab)).string()));
  }
  return *text + fmt::format(
                     "\nHow to go on\n"
                     "  cp {0} my_{1}.cpp        and write your part in it\n"
                     "  scripts/podsim lab {1} --file my_{1}.cpp\n",
                     lab::file_of(lab).string(), lab.name);
}

const lab::Lab& find(const std::string& name) {
  if (const lab::Lab* const found = lab::find_lab(name)) return *found;
  std::vector<std::string> known;
  for (const lab::Lab& each : lab::labs()) known.emplace_back(each.name);
  throw config::ConfigError(option_mark("lab", name), {}, "there is no such lab" + config::suggestion(name, known));
}

}  // namespace

LabCommand::LabCommand(CLI::App& parent)
    : Command(
          parent, "lab", "Exercises: write collectives out of remote copies and semaphores, and have them checked",
          "Examples:\n"
          "  podsim lab                                            list the labs\n"
          "  podsim lab all_gather                                 print the task\n"
          "  podsim lab all_gather --file my_all_gather.cpp        compile it and check it\n"
          "\n"
          "Exit codes: 0 all checks passed, 2 the file can't be compiled or loaded, 3 to 8 as those of 'podsim run',\n"
          "1 other failures: a crash, an error that the program throws, too slow where a lab is about time") {
  app().add_option("NAME", name_, "Lab")->type_name("");
  CLI::Option* const file =
      app().add_option("--file", file_, "Check this file: C++, or a shared object (.so)")->type_name("FILE");
  app()
      .add_option("--function", function_, "The extern \"C\" function in it that returns the program")
      ->type_name("NAME")
      ->needs(file)
      ->capture_default_str();
  app()
      .add_option("--cpu-limit", limits_.cpu_seconds, "Processor time that each check may take, in seconds")
      ->type_name("N")
      ->check(CLI::Range(1u, 10'000u))
      ->needs(file)
      ->capture_default_str();
  json_.add_option(app());
}

fs::path LabCommand::built(const fs::path& root, const fs::path& scratch, Output& out) const {
  const config::SourceMark mark = option_mark("--file", file_);
  std::error_code ignored;
  if (!fs::exists(file_, ignored)) throw config::ConfigError(mark, {}, "no such file");
  if (fs::is_directory(file_, ignored)) throw config::ConfigError(mark, {}, "it is a folder");
  if (fs::path(file_).extension() == ".so") return file_;
  const fs::path shared_object = scratch / "lab.so";
  const lab::Compiled compiled = lab::compile(file_, headers_of(root), shared_object);
  if (!compiled.ok) throw config::ConfigError(mark, {}, "does not compile:\n" + compiled.messages);
  std::cerr << compiled.messages << std::flush;  // warnings
  out.print(fmt::format("  compiled {} in {:.1f} s\n", file_, compiled.seconds));
  return shared_object;
}

int LabCommand::check(const lab::Lab& lab, Output& out) {
  json_.check_writable();
  if (json_.is_stdout()) out.mute();
  const fs::path root = fs::absolute(find_project_root());
  const lab::ScratchFolder scratch;
  out.print(fmt::format("lab {}: {}\n", lab.name, lab.title));
  const lab::Checker checker(lab, built(root, scratch.path(), out), function_, root, limits_);
  if (const auto error = checker.load_error()) {
    throw config::ConfigError(option_mark("--file", file_), {}, *error);
  }
  out.print('\n' + lab::ring_header());
  const lab::LabReport report = checker.run([&](const lab::RingRecord& ring) { out.print(lab::ring_line(ring)); });
  out.print(lab::footer(lab, report));
  if (out.muted() && !report.passed) std::cerr << lab::footer(lab, report);
  json_.write(out, [&](std::ostream& stream) {
    report::write_json(stream, lab::to_json(lab, file_, report));
    stream << '\n';
  });
  return report.exit_code;
}

int LabCommand::execute(Output& out) {
  if (name_.empty()) {
    if (!file_.empty()) throw config::ConfigError(option_mark("--file", file_), {}, "which lab is it for?");
    out.print(list());
    return 0;
  }
  const lab::Lab& lab = find(name_);
  if (!file_.empty()) return check(lab, out);
  out.print(task(lab, find_project_root()));
  return 0;
}

}  // namespace podsim::cli
