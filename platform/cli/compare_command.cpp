#include "platform/cli/compare_command.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include "platform/cli/options.h"
#include "platform/observe/comparison.h"
#include "platform/report/html_report.h"
#include "platform/report/json_layout.h"

namespace podsim::cli {

namespace {

using observe::ResultJson;

ResultJson read_result(const std::string& file) {
  const auto refuse = [&](const std::string& why) {
    throw config::ConfigError({std::make_shared<const std::string>(file), 0, 0}, {}, why);
  };
  errno = 0;
  std::ifstream stream(file);
  if (!stream) refuse(fmt::format("can't read this file: {}", std::strerror(errno)));
  ResultJson result;
  try {
    result = ResultJson::parse(stream);
  } catch (const nlohmann::json::exception& error) {
    refuse(fmt::format("is not JSON, as 'podsim run --json FILE' writes it: {}", error.what()));
  }
  const bool of_podsim =
      result.is_object() && result.contains("podsim") && result.contains("results") && result["results"].is_array();
  if (!of_podsim) refuse("is not a result of 'podsim run --json' or 'podsim bench --json'");
  if (result["results"].empty()) refuse("is the result of a run that has no steps: nothing to compare");
  for (const ResultJson& step : result["results"]) {
    if (!step.contains("name") || !step.contains("time_ps")) refuse("has a step without a name or a time_ps");
  }
  return result;
}

// The report's data of one of them: its timeline with the run that it is of.
ResultJson document_of(ResultJson result, const std::string& file) {
  if (!result.contains("timeline")) {
    throw config::ConfigError({std::make_shared<const std::string>(file), 0, 0}, {},
                              "has no timeline for --report: run it again with --timeline beside --json");
  }
  ResultJson document = std::move(result["timeline"]);
  result.erase("timeline");
  document["run"] = std::move(result);
  return document;
}

}  // namespace

CompareCommand::CompareCommand(CLI::App& parent)
    : Command(parent, "compare", "Compare two results of 'podsim run --json' or 'podsim bench --json'",
              "Example:\n"
              "  podsim run configs/runs/dp-step-sync.yaml --timeline --json sync.json\n"
              "  podsim run configs/runs/dp-step-overlapped.yaml --timeline --json overlapped.json\n"
              "  podsim compare sync.json overlapped.json --report compare.html") {
  app().add_option("A", one_, "Result of one run")->required()->type_name("");
  app().add_option("B", other_, "Result of the other")->required()->type_name("");
  json_.add_option(app());
  report_.add_option(app(), "--report", "Write a report with both timelines on one axis to FILE.html");
}

int CompareCommand::execute(Output& out) {
  json_.check_writable();
  report_.check_writable();
  if (json_.is_stdout()) out.mute();
  ResultJson one = read_result(one_), other = read_result(other_);
  observe::Comparison comparison;
  try {
    comparison = observe::compare(one, one_, other, other_);
  } catch (const nlohmann::json::exception& error) {
    throw config::ConfigError(option_mark("compare", one_ + " " + other_), {},
                              fmt::format("a result is not as podsim writes it: {}", error.what()));
  }
  ResultJson document;
  if (report_.wanted()) {
    document = document_of(std::move(one), one_);
    document["compared"] = document_of(std::move(other), other_);
  }
  out.print(observe::comparison_text(comparison, one_, other_));
  json_.write(out, [&](std::ostream& stream) {
    report::write_json(stream, observe::comparison_json(comparison, one_, other_));
    stream << '\n';
  });
  report_.write(out, [&](std::ostream& stream) { report::write_html_report(stream, document.dump()); });
  return 0;
}

}  // namespace podsim::cli
