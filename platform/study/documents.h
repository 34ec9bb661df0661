// The documents behind points: what of the configuration a point depends on, beside its own arguments.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "platform/study/point_command.h"

namespace podsim::study {

class Documents {
 public:
  // `root` has the presets, `build` stands for the program: results of another build are not taken for its own.
  Documents(std::filesystem::path root, std::string build) : root_(std::move(root)), build_(std::move(build)) {}

  // Chips of the pod that the command simulates; nothing if its configuration is refused.
  [[nodiscard]] std::optional<std::uint64_t> chips(const PointCommand& command);
  // The content address of the command's result.
  [[nodiscard]] std::string address(const PointCommand& command);

 private:
  struct Facts {
    std::string digest;
    std::optional<std::uint64_t> chips;
  };
  // Points share a few documents. They are loaded with the arguments that name other files, or change the topology,
  // alone; all others count as the text that they are.
  [[nodiscard]] const Facts& facts(const PointCommand& command);

  std::filesystem::path root_;
  std::string build_;
  std::map<std::vector<std::string>, Facts> known_;
};

}  // namespace podsim::study
