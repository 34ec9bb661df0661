#include "platform/study/content_address.h"

#include <fmt/format.h>

#include <fstream>
#include <stdexcept>

namespace podsim::study {

namespace {

constexpr Wide kPrime = (Wide{1} << 88) | 0x13b;

}  // namespace

void Digest::add_bytes(std::string_view bytes) {
  for (const char c : bytes) state_ = (state_ ^ static_cast<unsigned char>(c)) * kPrime;
}

void Digest::add(std::string_view part) {
  add_bytes(fmt::format("{}:", part.size()));
  add_bytes(part);
}

void Digest::add(const config::ConfigNode& document) {
  add(fmt::format("{} {} {}", static_cast<int>(document.kind), document.items.size(), document.entries.size()));
  add(document.text);
  for (const config::ConfigNode& item : document.items) add(item);
  for (const config::ConfigEntry& entry : document.entries) {
    add(entry.key);
    add(entry.value);
  }
}

std::string Digest::hex() const {
  return fmt::format("{:016x}{:016x}", static_cast<std::uint64_t>(state_ >> 64), static_cast<std::uint64_t>(state_));
}

std::string file_digest(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  Digest digest;
  std::string part(1 << 16, '\0');
  while (stream.read(part.data(), static_cast<std::streamsize>(part.size())) || stream.gcount() > 0) {
    digest.add(std::string_view(part).substr(0, static_cast<std::size_t>(stream.gcount())));
  }
  if (stream.bad() || !stream.eof()) throw std::runtime_error(fmt::format("can't read {}", file.string()));
  return digest.hex();
}

}  // namespace podsim::study
