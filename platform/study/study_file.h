// A study (configs/studies/*.yaml): one run or bench, over and over, with other parameters each time.
//
//   description: bus bandwidth of an all-reduce against its size
//   bench: all_reduce                      # or run: FILE, a path or the name of one in configs/runs
//   set: [pod=tpu-v5e-4x4, data=none]      # for all points
//   vary:                                  # crossed with each other; the first changes slowest
//     - {key: algorithm, values: [ring, torus]}
//     - {key: size, log_range: {from: 1 KiB, to: 64 MiB, factor: 4}}
//     - {key: ici.bandwidth_per_direction, name: link, range: {from: 45 GB/s, to: 90 GB/s, points: 4}}
//     - zip:                               # these go together
//         - {key: pod, values: [tpu-v5e-4x4, tpu-v5e-8x8]}
//         - {key: axes, values: [x, y]}
//     - {key: steps.0.workload.tokens, compute: 1048576 / chips}
//   constraints: [size >= 4 KiB or algorithm == 'torus']
//   seeds: [1, 2, 3]
//   collect:
//     - {name: busbw, path: results.-1.busbw_GBps}
//     - {name: busiest, path: results.-1.links.*.busy_fraction, take: max}
//   derive:
//     - {name: share, of: busbw / 90}
//   plots:
//     - {kind: lines, x: size, y: busbw, series: algorithm, log: [x]}
//
// 'chips', those of the point's pod, may stand in every expression.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "platform/config/config_error.h"
#include "platform/config/config_node.h"
#include "platform/study/expression.h"
#include "platform/study/point_command.h"
#include "platform/study/study_fields.h"

namespace podsim::study {

struct Parameter {
  std::string name;
  std::string key;
  std::vector<std::string> values;
  std::optional<Expression> compute;  // in place of values
  config::SourceMark mark;
};

struct Condition {
  Expression expression;
  config::SourceMark mark;
};

struct Study {
  std::string description;
  Base base;
  std::vector<Setting> set;
  std::vector<std::vector<Parameter>> groups;  // crossed; the parameters of a group change together
  std::vector<Parameter> computed;
  std::vector<Condition> constraints;
  std::vector<CollectEntry> collect;
  std::vector<std::pair<std::string, Expression>> derive;
  std::vector<PlotEntry> plots;

  // The columns of its results that have a value for each point: parameters, 'chips', collected, derived.
  [[nodiscard]] std::vector<std::string> parameter_names() const;
  [[nodiscard]] std::vector<std::string> columns() const;
};

// Throws ConfigError with what is wrong. A `run` that is a path is relative to the study's own folder.
[[nodiscard]] Study load_study(const std::filesystem::path& file);
// The same from a document; `folder` is where paths start.
[[nodiscard]] Study read_study(const config::ConfigNode& document, const std::filesystem::path& folder);

}  // namespace podsim::study
