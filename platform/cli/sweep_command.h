// `podsim sweep STUDY`: all points of a study, each in a process of its own.
#pragma once

#include <string>

#include "platform/cli/command.h"
#include "platform/study/gather.h"
#include "platform/study/result_table.h"

namespace podsim::cli {

class SweepCommand final : public Command {
 public:
  explicit SweepCommand(CLI::App& parent);
  int execute(Output& out) override;

 private:
  int sweep(Output& out);
  // Runs `jobs`, adding their results to `results`.
  void run(const std::vector<study::Job>& jobs, const std::vector<study::CollectEntry>& collect,
           study::ResultStore& store, std::map<std::string, study::PointResult>& results) const;
  [[nodiscard]] std::filesystem::path folder(const std::filesystem::path& study) const;

  std::string file_;
  std::string out_;
  std::string engine_ = "local";
  std::string emit_;
  unsigned jobs_ = 0;
  JsonTarget report_;
};

}  // namespace podsim::cli
