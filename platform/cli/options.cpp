#include "platform/cli/options.h"

#include <memory>

#include "platform/run/run_fields.h"

namespace podsim::cli {

config::SourceMark option_mark(const std::string& option, const std::string& value) {
  return {std::make_shared<const std::string>(option + " " + value), 0, 0};
}

void add_set_option(CLI::App& app, std::vector<std::string>& sets) {
  app.add_option("--set", sets, "Override any key, such as ici.bandwidth_per_direction='90 GB/s'; may be repeated")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
}

void SimulationOptions::add(CLI::App& app) {
  add_set_option(app, sets);
  app.add_option_function<std::string>(
         "--fidelity", [this](const std::string& fidelity) { sets.push_back("ici.fidelity=" + fidelity); },
         "packet: every packet, the reference; burst: whole copies where nothing competes; flow: copies as fluids that "
         "share links fairly. The same as --set ici.fidelity=")
      ->type_name("LEVEL");
  app.add_option("--data", data, "real: bytes move and are checked; none: same times, no bytes; auto: by memory needed")
      ->type_name("MODE");
  app.add_option("--time-limit", time_limit, "Simulated time that a step may take, such as '10 ms'")->type_name("TIME");
  app.add_option("--checks", checks,
                 "What is watched: contracts (what the members of a clique call), all (and hazards: who orders which "
                 "accesses to memory), none, auto (all on up to 64 chips)")
      ->type_name("LEVEL");
  app.add_option("--on-violation", on_violation,
                 "stop: end the run when a check finds something; run: go on as hardware would")
      ->type_name("WHAT");
  app.add_option("--symmetry", symmetry,
                 "on: model one chip, which stands for all, since they do the same at the same times; off: model each; "
                 "auto: one on pods of more than 64 chips, or with --checks none, where that can be")
      ->type_name("MODE");
}

std::optional<run::DataMode> SimulationOptions::data_mode() const {
  if (data.empty()) return std::nullopt;
  return value_of(config::parse_scalar<run::DataMode>(data), "--data", data);
}

void SimulationOptions::apply(run::RunOptions& options) const {
  if (!time_limit.empty()) {
    options.time_limit = value_of(config::parse_duration(time_limit), "--time-limit", time_limit).ps;
    if (options.time_limit == 0) {
      throw config::ConfigError(option_mark("--time-limit", time_limit), {}, "must be more than zero");
    }
  }
  if (!checks.empty()) options.checks = value_of(config::parse_scalar<run::CheckLevel>(checks), "--checks", checks);
  if (!symmetry.empty())
    options.symmetry = value_of(config::parse_scalar<run::Symmetry>(symmetry), "--symmetry", symmetry);
  if (!on_violation.empty()) {
    options.on_violation =
        value_of(config::parse_scalar<run::OnViolation>(on_violation), "--on-violation", on_violation);
  }
}

}  // namespace podsim::cli
