// The results of a folder, each in a file of its own under its content address: a sweep that is killed at any moment
// finds again all that was finished, and never runs it twice.
//
//   DIR/points/ADDRESS.json   what is known of a point, written whole; never changed, unless it crashed
//   DIR/work/ADDRESS.json     the JSON of a run, while it is not in points yet; podsim writes it whole or not at all
//   DIR/work/ADDRESS.err      its standard error
//   DIR/work/ADDRESS.exit     its exit code, where a scheduler ran it
//   DIR/lock                  one sweep at a time
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "platform/study/durable_file.h"
#include "platform/study/point_result.h"

namespace podsim::study {

class ResultStore {
 public:
  // Makes the folder if need be and locks it. Throws StoreError.
  explicit ResultStore(std::filesystem::path folder);

  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
  [[nodiscard]] std::filesystem::path json_file(const std::string& address) const { return work(address, ".json"); }
  [[nodiscard]] std::filesystem::path err_file(const std::string& address) const { return work(address, ".err"); }
  [[nodiscard]] std::filesystem::path exit_file(const std::string& address) const { return work(address, ".exit"); }

  // What is known, if it is final and has all of `collect`; what a process has left in work counts. Throws StoreError.
  [[nodiscard]] std::optional<PointResult> find(const std::string& address,
                                                const std::vector<CollectEntry>& collect) const;
  // Takes in what a process has left in work, if that tells how it ended. Throws StoreError.
  std::optional<PointResult> adopt(const std::string& address, const std::vector<CollectEntry>& collect) const;
  // Takes in what the process of a point left, which ended with `exit_code` after `wall_s` seconds. Throws StoreError.
  PointResult record(const std::string& address, const std::vector<CollectEntry>& collect, int exit_code,
                     double wall_s) const;
  // Forgets what a process that did not end has left, before the point runs again.
  void clear(const std::string& address) const;

 private:
  [[nodiscard]] std::filesystem::path work(const std::string& address, const char* suffix) const;
  [[nodiscard]] std::filesystem::path point_file(const std::string& address) const;
  void put(const std::string& address, const PointResult& result) const;

  std::filesystem::path folder_;
  std::optional<FolderLock> lock_;
};

}  // namespace podsim::study
