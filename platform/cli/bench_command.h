// `podsim bench COLLECTIVE`: one collective over a range of sizes, with nccl-tests' options and columns.
#pragma once

#include <string>
#include <vector>

#include "platform/cli/command.h"
#include "platform/cli/observation.h"
#include "platform/cli/options.h"
#include "platform/report/run_record.h"
#include "platform/run/run_file.h"

namespace podsim::cli {

class BenchCommand final : public Command {
 public:
  explicit BenchCommand(CLI::App& parent);
  int execute(Output& out) override;

 private:
  [[nodiscard]] run::RunFile plan() const;
  [[nodiscard]] firmware::CollectiveCall call(const ici::TorusShape& torus) const;
  [[nodiscard]] std::vector<Bytes> sizes(firmware::DType type) const;
  [[nodiscard]] run::DataMode data_mode() const;
  // The call in words, for the header.
  [[nodiscard]] std::string title() const;

  std::string collective_;
  std::string pod_;
  std::vector<std::string> axes_;
  std::string begin_ = "1KiB";
  std::string end_ = "64MiB";
  unsigned factor_ = 0;
  std::string step_;
  std::string type_ = "f32";
  std::string reduction_ = "sum";
  std::string directions_ = "both";
  std::string algorithm_;
  std::uint64_t root_ = 0;
  unsigned window_ = 0;
  std::uint64_t seed_ = 0;
  unsigned chunks_ = 0;
  unsigned iterations_ = 1;
  unsigned warmups_ = 0;
  int check_ = -1;  // not given
  SimulationOptions options_;
  Observation observation_;
};

}  // namespace podsim::cli
