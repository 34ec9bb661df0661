// What a result is filed under: a digest of everything that it depends on, so that the same point is never run twice
// and a result is never taken for that of another configuration or another build.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "models/kernel/units.h"
#include "platform/config/config_node.h"

namespace podsim::study {

// 128 bits of FNV-1a (G. Fowler, L. C. Noll, K.-P. Vo; draft-eastlake-fnv). It guards against accidents, not against
// somebody who looks for two contents with the same digest.
class Digest {
 public:
  // Each part counts with its length: ("ab", "c") is not ("a", "bc").
  void add(std::string_view part);
  // Keys and values, in the order of the document, without their places.
  void add(const config::ConfigNode& document);
  // 32 hexadecimal digits.
  [[nodiscard]] std::string hex() const;

 private:
  void add_bytes(std::string_view bytes);

  Wide state_ = (Wide{0x6c62272e07bb0142} << 64) | 0x62b821756295c58d;
};

// The digest of a file's bytes. Throws std::runtime_error when it can't be read.
[[nodiscard]] std::string file_digest(const std::filesystem::path& file);

}  // namespace podsim::study
