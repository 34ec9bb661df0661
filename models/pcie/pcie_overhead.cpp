#include "models/pcie/pcie_overhead.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <stdexcept>

namespace podsim::pcie {

namespace {

// Per packet: start token with sequence number (4) and link CRC (4).
constexpr Bytes kFraming = 8;
constexpr Bytes kHeaderThreeWords = 12;  // completions, and requests with 32-bit addresses
constexpr Bytes kHeaderFourWords = 16;   // requests with 64-bit addresses
constexpr Bytes kDigest = 4;             // ECRC

// A data link layer packet (ACK or flow control update) with its framing.
constexpr std::uint64_t kLinkPacketBytes = 8;
// A skip ordered set of 4 symbols is due every 1538 symbols at the latest.
constexpr std::uint64_t kSkipSymbols = 4;
constexpr std::uint64_t kSkipInterval = 1538;

struct Generation {
  std::uint64_t transfers_per_second;  // and lane
  std::uint64_t coded_bits;            // payload bits / coded bits: 8b/10b or 128b/130b
  std::uint64_t line_bits;
  std::uint64_t internal_delay;  // symbol times, in the ACK latency limit
};
constexpr std::array<Generation, 5> kGenerations{{{2'500'000'000, 8, 10, 19},
                                                  {5'000'000'000, 8, 10, 70},
                                                  {8'000'000'000, 128, 130, 115},
                                                  {16'000'000'000, 128, 130, 115},
                                                  {32'000'000'000, 128, 130, 115}}};

[[noreturn]] void reject(const std::string& what) { throw std::invalid_argument("pcie: " + what); }

unsigned shift_of(ByteSize size, const char* key, Bytes least) {
  if (!std::has_single_bit(size.bytes) || size.bytes < least || size.bytes > 4096) {
    reject(fmt::format("{} must be a power of two from {} to 4096 bytes, is {}", key, least, size.bytes));
  }
  return static_cast<unsigned>(std::countr_zero(size.bytes));
}

void check(const PcieConfig& config) {
  if (config.generation < 1 || config.generation > kGenerations.size()) {
    reject(fmt::format("generation must be 1 to 5, is {}", config.generation));
  }
  constexpr std::array<unsigned, 7> kLanes{1, 2, 4, 8, 12, 16, 32};
  if (std::find(kLanes.begin(), kLanes.end(), config.lanes) == kLanes.end()) {
    reject(fmt::format("lanes must be 1, 2, 4, 8, 12, 16 or 32, is {}", config.lanes));
  }
}

// The AckFactor, in tenths: how many packets of full size may wait for one ACK. PCI Express Base Specification, section
// "Ack Latency Limit" (values beside the limits in its tables).
std::uint64_t ack_factor_tenths(unsigned lanes, Bytes max_payload) {
  const bool small_payload = max_payload <= 256;
  if (lanes <= 4) return small_payload ? 14 : 10;
  if (lanes <= 8) return small_payload ? 25 : 10;
  return small_payload ? 30 : 20;
}

// Symbol times between two ACKs, and between two flow control updates, at the most: the specification's
// (MPS + packet overhead) x AckFactor / lanes + internal delay.
std::uint64_t ack_interval(const PcieConfig& config) {
  constexpr Bytes kPacketOverhead = 28;
  const Bytes packet = config.max_payload.bytes + kPacketOverhead;
  return packet * ack_factor_tenths(config.lanes, config.max_payload.bytes) / (10 * config.lanes) +
         kGenerations[config.generation - 1].internal_delay;
}

Bytes packets(Bytes bytes, unsigned shift) { return (bytes + (Bytes{1} << shift) - 1) >> shift; }

}  // namespace

PcieOverhead::PcieOverhead(const PcieConfig& config) {
  check(config);
  payload_shift_ = shift_of(config.max_payload, "max_payload", 128);
  request_shift_ = shift_of(config.max_read_request, "max_read_request", 128);
  const unsigned boundary_shift = shift_of(config.read_completion_boundary, "read_completion_boundary", 64);
  completion_shift_ = config.completions_cut_at_boundary ? boundary_shift : payload_shift_;

  const Bytes digest = config.ecrc ? kDigest : 0;
  request_header_ = kFraming + (config.address_64_bit ? kHeaderFourWords : kHeaderThreeWords) + digest;
  write_header_ = request_header_;
  completion_header_ = kFraming + kHeaderThreeWords + digest;

  const Generation& generation = kGenerations[config.generation - 1];
  raw_.bytes_per_second =
      generation.transfers_per_second * config.lanes * generation.coded_bits / generation.line_bits / 8;

  // The pcie-model takes one ACK and one flow control update off the link in every interval, whatever its width.
  const std::uint64_t interval = ack_interval(config);
  const std::uint64_t whole = interval * kSkipInterval;
  const std::uint64_t overhead = 2 * kLinkPacketBytes * kSkipInterval + kSkipSymbols * interval;
  packets_.bytes_per_second = static_cast<std::uint64_t>(Wide{raw_.bytes_per_second} * (whole - overhead) / whole);
}

Bytes PcieOverhead::write_on_wire(Bytes bytes) const { return bytes + packets(bytes, payload_shift_) * write_header_; }

Bytes PcieOverhead::requests_on_wire(Bytes bytes) const { return packets(bytes, request_shift_) * request_header_; }

Bytes PcieOverhead::requests_for(Bytes bytes) const { return packets(bytes, request_shift_); }

Bytes PcieOverhead::completions_on_wire(Bytes bytes) const {
  return bytes + packets(bytes, completion_shift_) * completion_header_;
}

Bandwidth PcieOverhead::write_bandwidth(Bytes bytes) const { return packet_share(bytes, write_on_wire(bytes)); }

Bandwidth PcieOverhead::read_bandwidth(Bytes bytes) const {
  return packet_share(bytes, std::max(completions_on_wire(bytes), requests_on_wire(bytes)));
}

Bandwidth PcieOverhead::read_write_bandwidth_each(Bytes bytes) const {
  return packet_share(bytes, std::max(completions_on_wire(bytes), write_on_wire(bytes) + requests_on_wire(bytes)));
}

Bandwidth PcieOverhead::packet_share(Bytes data, Bytes on_wire) const {
  return Bandwidth{static_cast<std::uint64_t>(Wide{packets_.bytes_per_second} * data / on_wire)};
}

}  // namespace podsim::pcie
