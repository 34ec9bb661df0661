#include "platform/cli/bench_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <sstream>
#include <stdexcept>

#include "firmware/collectives/collective.h"
#include "platform/cli/bench_sizes.h"
#include "platform/cli/project_root.h"
#include "platform/cli/session.h"
#include "platform/config/pod_reader.h"
#include "platform/report/bench_table.h"
#include "platform/report/json_report.h"
#include "platform/run/run_fields.h"

namespace podsim::cli {

using config::ConfigError;
using firmware::CollectiveKind;

namespace {

// Behind '#', like all in a bench's output that is no row.
std::string commented(const std::string& text) {
  std::string out;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) out += "# " + line + '\n';
  return out;
}

}  // namespace

BenchCommand::BenchCommand(CLI::App& parent)
    : Command(
          parent, "bench", "Time one collective over a range of sizes; options and columns of nccl-tests",
          "Sizes are totals in nccl-tests' sense: 64K, 1KiB, 128M, 1e6. A permute sends from each chip to the next.\n"
          "\n"
          "Examples:\n"
          "  podsim bench all_reduce --pod tpu-v5e-4x4 -b 1KiB -e 64MiB -f 4\n"
          "  podsim bench all_gather --pod tpu-v4-4x4x4 --axes x -b 2MiB -e 2MiB --json -\n"
          "  podsim bench reduce_scatter --pod tpu-v5e-16x16 --axes y -d bf16 -o max --data none") {
  app()
      .add_option("COLLECTIVE", collective_,
                  "all_gather, reduce_scatter, all_reduce, all_to_all, collective_permute, broadcast, scatter, gather")
      ->required()
      ->type_name("");
  app().add_option("--pod", pod_, "Pod: a preset or a path")->required()->type_name("POD");
  app()
      .add_option("--axes", axes_, "Axes of the group, such as x,y; all if left out")
      ->delimiter(',')
      ->type_name("AXES")
      ->allow_extra_args(false);
  app().add_option("-b,--minbytes", begin_, "First size")->type_name("SIZE")->capture_default_str();
  app().add_option("-e,--maxbytes", end_, "Last size")->type_name("SIZE")->capture_default_str();
  CLI::Option* const factor =
      app()
          .add_option("-f,--stepfactor", factor_, "Each size is the last one times this; 2 if left out")
          ->type_name("N");
  app().add_option("-i,--stepbytes", step_, "Each size is the last one plus this")->type_name("SIZE")->excludes(factor);
  app().add_option("-d,--datatype", type_, "f32, bf16, s32, s8")->type_name("TYPE")->capture_default_str();
  app().add_option("-o,--op", reduction_, "sum, max, min")->type_name("OP")->capture_default_str();
  app()
      .add_option("-n,--iters", iterations_, "Times that each size is run; the mean is shown")
      ->type_name("N")
      ->check(CLI::Range(1u, 10'000u))
      ->capture_default_str();
  app()
      .add_option("-w,--warmup_iters", warmups_, "Accepted, and of no effect: a model need not warm up")
      ->type_name("N");
  app()
      .add_option("-c,--check", check_, "1: check the data; 0: don't, the same as --data none")
      ->type_name("0|1")
      ->check(CLI::Range(0, 1));
  app()
      .add_option("--directions", directions_, "Ways round a ring: one, both")
      ->type_name("WAYS")
      ->capture_default_str();
  app().add_option("--algorithm", algorithm_, "How it is carried out; see 'podsim list algorithms'")->type_name("NAME");
  app().add_option("-r,--root", root_, "Rank of the root of broadcast, scatter, gather")->type_name("RANK");
  app()
      .add_option("--window", window_, "Direct all_to_all: copies on their way out of a chip at a time; 0: all")
      ->type_name("N");
  app()
      .add_option("--seed", seed_,
                  "Direct all_to_all: draws a random order of copies for each chip; 0: the same for all")
      ->type_name("N");
  app()
      .add_option("--chunks", chunks_, "Pieces of a reduction's step; 0: by size")
      ->type_name("N")
      ->check(CLI::Range(0u, 4096u));
  options_.add(app());
  json_.add_option(app());
  observation_.add_options(app());
}

std::vector<Bytes> BenchCommand::sizes(firmware::DType type) const {
  SizeRange range;
  range.begin = value_of(parse_bench_size(begin_), "-b", begin_).bytes;
  range.end = value_of(parse_bench_size(end_), "-e", end_).bytes;
  range.factor = app().count("-f") > 0 ? factor_ : 2;
  if (!step_.empty()) range.step = value_of(parse_bench_size(step_), "-i", step_).bytes;
  try {
    return bench_sizes(range, tensor_core::size_of(type));
  } catch (const std::invalid_argument& error) {
    throw ConfigError(option_mark("bench", fmt::format("-b {} -e {}", begin_, end_)), {}, error.what());
  }
}

run::DataMode BenchCommand::data_mode() const {
  const std::optional<run::DataMode> asked = options_.data_mode();
  if (check_ == 0 && asked == run::DataMode::kReal) {
    throw ConfigError(option_mark("-c", "0"), {}, "can't stand beside --data real: data that moves is checked");
  }
  if (check_ == 1 && asked == run::DataMode::kNone) {
    throw ConfigError(option_mark("-c", "1"), {}, "can't stand beside --data none: there is nothing to check");
  }
  if (check_ >= 0) return check_ == 1 ? run::DataMode::kReal : run::DataMode::kNone;
  return asked.value_or(run::DataMode::kAuto);
}

firmware::CollectiveCall BenchCommand::call(const ici::TorusShape& torus) const {
  firmware::CollectiveCall call;
  std::string kind = collective_;
  std::replace(kind.begin(), kind.end(), '-', '_');
  call.kind = value_of(config::parse_scalar<CollectiveKind>(kind), "bench", collective_);
  call.type = value_of(config::parse_scalar<firmware::DType>(type_), "-d", type_);
  if (call.type == firmware::DType::kF8) {
    throw ConfigError(option_mark("-d", type_), {}, "collectives don't take f8; it is for kernels");
  }
  call.reduction = value_of(config::parse_scalar<firmware::Reduction>(reduction_), "-o", reduction_);
  call.directions = value_of(config::parse_scalar<firmware::Directions>(directions_), "--directions", directions_);
  call.chunks = chunks_;
  call.window = window_;
  call.seed = seed_;
  call.root = root_;
  if (!algorithm_.empty()) {
    call.algorithm = run::find_algorithm(algorithm_, call.kind, option_mark("--algorithm", algorithm_), {});
  }
  const config::SourceMark axes_mark = option_mark("--axes", fmt::format("{}", fmt::join(axes_, ",")));
  for (const std::string& name : axes_) {
    const ici::Axis axis = run::find_axis(name, torus, axes_mark, {});
    if (std::find(call.axes.begin(), call.axes.end(), axis) != call.axes.end()) {
      throw ConfigError(axes_mark, {}, fmt::format("axis '{}' is there twice", name));
    }
    call.axes.push_back(axis);
  }
  if (root_ >= firmware::group_size(call, torus)) {
    throw ConfigError(option_mark("-r", std::to_string(root_)), {},
                      fmt::format("there is no such rank in a group of {}", firmware::group_size(call, torus)));
  }
  if (call.kind == CollectiveKind::kCollectivePermute) {
    if (!axes_.empty()) throw ConfigError(axes_mark, {}, "a permute spans the pod");
    for (std::uint32_t i = 0; i < torus.chips(); ++i) {
      call.pairs.emplace_back(static_cast<ChipId>(i), static_cast<ChipId>((i + 1) % torus.chips()));
    }
  }
  return call;
}

run::RunFile BenchCommand::plan() const {
  const std::filesystem::path root = find_project_root();
  run::RunFile plan;
  plan.pod = config::read_pod(config::load_pod(pod_, root, options_.sets));
  plan.data = data_mode();
  plan.options.checks = run::CheckLevel::kContracts;  // a bench is to be quick; --checks all says otherwise
  options_.apply(plan.options);
  const config::SourceMark pod_mark = option_mark("--pod", pod_);
  run::Step step;
  step.collective = call(run::checked_shape(plan.pod, pod_mark));
  step.name = run::name(step.collective.kind);
  for (const Bytes size : sizes(step.collective.type)) {
    step.collective.elements = size / tensor_core::size_of(step.collective.type);
    plan.steps.push_back({step, pod_mark});
  }
  return plan;
}

std::string BenchCommand::title() const {
  return fmt::format("{} over {}, directions: {}, iterations: {}", collective_,
                     axes_.empty() ? "all axes" : fmt::format("axes {}", fmt::join(axes_, ",")), directions_,
                     iterations_);
}

int BenchCommand::execute(Output& out) {
  json_.check_writable();
  observation_.check(json_.wanted());
  if (json_.is_stdout()) out.mute();
  const run::RunFile plan = this->plan();
  report::RunRecord record;
  record.command = "bench";
  Session session(plan, record, &observation_);
  out.print(report::bench_header(record, title()));
  session.run([&](const report::StepRecord& step) { out.print(report::bench_row(step.result)); }, iterations_);
  out.print(report::bench_footer(record));
  out.print(commented(observation_.finish()));
  if (out.muted() && record.outcome != run::Outcome::kCompleted) std::cerr << report::bench_footer(record);
  observation_.write(out, record, title());
  observation_.add_to(record, title());
  json_.write(out, [&](std::ostream& stream) { report::write_json_report(stream, record); });
  return run::exit_code(record.outcome);
}

}  // namespace podsim::cli
