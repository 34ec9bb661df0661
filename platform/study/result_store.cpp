#include "platform/study/result_store.h"

#include <fmt/format.h>

#include "platform/config/scalar_parsers.h"

namespace podsim::study {

namespace fs = std::filesystem;

ResultStore::ResultStore(fs::path folder) : folder_(std::move(folder)) {
  std::error_code error;
  for (const fs::path& each : {folder_ / "points", folder_ / "work"}) {
    fs::create_directories(each, error);
    if (error) throw StoreError(fmt::format("can't make the folder {}: {}", each.string(), error.message()));
  }
  lock_.emplace(folder_ / "lock");
}

fs::path ResultStore::work(const std::string& address, const char* suffix) const {
  return folder_ / "work" / (address + suffix);
}
fs::path ResultStore::point_file(const std::string& address) const { return folder_ / "points" / (address + ".json"); }

void ResultStore::put(const std::string& address, const PointResult& result) const {
  write_durably(point_file(address), to_json(result).dump() + '\n');
  clear(address);
}

void ResultStore::clear(const std::string& address) const {
  std::error_code ignored;
  for (const char* suffix : {".json", ".err", ".exit"}) fs::remove(work(address, suffix), ignored);
}

std::optional<PointResult> ResultStore::find(const std::string& address,
                                             const std::vector<CollectEntry>& collect) const {
  const std::string known = read_file(point_file(address));
  std::optional<PointResult> result = known.empty() ? std::nullopt : result_from_json(known);
  if (!result || !result->is_final() || !result->has(collect)) result = adopt(address, collect);
  return result && result->is_final() ? result : std::nullopt;
}

std::optional<PointResult> ResultStore::adopt(const std::string& address,
                                              const std::vector<CollectEntry>& collect) const {
  std::string text = read_file(exit_file(address));
  while (!text.empty() && text.back() == '\n') text.pop_back();
  std::optional<int> exit_code;
  if (const auto parsed = config::parse_integer(text, 0, 255).value) exit_code = static_cast<int>(*parsed);
  std::optional<PointResult> left =
      result_of(read_file(json_file(address)), read_file(err_file(address)), exit_code, collect);
  if (left) put(address, *left);
  return left;
}

PointResult ResultStore::record(const std::string& address, const std::vector<CollectEntry>& collect, int exit_code,
                                double wall_s) const {
  PointResult result =
      result_of(read_file(json_file(address)), read_file(err_file(address)), exit_code, collect).value();
  result.wall_s = wall_s;
  put(address, result);
  return result;
}

}  // namespace podsim::study
