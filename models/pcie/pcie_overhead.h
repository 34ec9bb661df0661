// What PCIe adds to data: packet headers and framing, and the link's own traffic. Reproduces the public pcie-model of
// Neugebauer et al., "Understanding PCIe performance for end host networking", SIGCOMM 2018 (tests/reference/
// pcie_bandwidth.csv) from the quantities of the PCI Express Base Specification.
//
// Free of the SystemC kernel.
#pragma once

#include "models/kernel/units.h"
#include "models/pcie/pcie_config.h"

namespace podsim::pcie {

class PcieOverhead {
 public:
  // Throws std::invalid_argument, naming the key, when the configuration is not one that PCIe knows.
  explicit PcieOverhead(const PcieConfig& config);

  // One direction of the link after line coding.
  [[nodiscard]] Bandwidth raw_bandwidth() const { return raw_; }
  // What is left for transaction layer packets when ACKs, flow control updates and skip ordered sets have had their
  // share.
  [[nodiscard]] Bandwidth packet_bandwidth() const { return packets_; }

  // Bytes on the link, headers and framing included, for `bytes` of data.
  [[nodiscard]] Bytes write_on_wire(Bytes bytes) const;        // upstream, for a write
  [[nodiscard]] Bytes requests_on_wire(Bytes bytes) const;     // upstream, to ask for a read
  [[nodiscard]] Bytes completions_on_wire(Bytes bytes) const;  // downstream, for a read's data
  [[nodiscard]] Bytes requests_for(Bytes bytes) const;         // how many read requests: each takes a tag

  // Data rate of an endless succession of transfers of `bytes` each.
  [[nodiscard]] Bandwidth write_bandwidth(Bytes bytes) const;
  [[nodiscard]] Bandwidth read_bandwidth(Bytes bytes) const;
  // The same when as many reads as writes go on at once: requests share the upstream direction with the writes' data.
  [[nodiscard]] Bandwidth read_write_bandwidth_each(Bytes bytes) const;

 private:
  [[nodiscard]] Bandwidth packet_share(Bytes data, Bytes on_wire) const;

  Bandwidth raw_;
  Bandwidth packets_;
  Bytes write_header_ = 0;
  Bytes request_header_ = 0;
  Bytes completion_header_ = 0;
  unsigned payload_shift_ = 0;
  unsigned request_shift_ = 0;
  unsigned completion_shift_ = 0;
};

}  // namespace podsim::pcie
