// The host's way to buffers that are not pinned: between root complex and host memory. DMA can't go there; a CPU copies
// between them and a pinned staging buffer, piece by piece, while other pieces are on the PCIe link. A piece is what
// the chip's DMA engine asks for at a time (dma.host_burst). Accesses to pinned buffers pass through untouched.
//
//   write: the piece lands in the staging buffer, and is then copied to its place. Complete when it is there.
//   read:  the piece is copied to the staging buffer, and leaves when it is there.
//
// The copies share the CPU's bandwidth, and both they and the staging buffer take their part of the memory's. No
// events.
#pragma once

#include <systemc>
#include <tlm>

#include "models/kernel/burst.h"
#include "models/memory/bandwidth_server.h"
#include "models/pcie/host_staging_config.h"

namespace podsim::pcie {

struct HostStagingStatistics {
  Bytes bytes_copied = 0;
  Picoseconds cpu_busy = 0;
};

class HostStaging final : public sc_core::sc_module,
                          private tlm::tlm_fw_transport_if<>,
                          private tlm::tlm_bw_transport_if<> {
 public:
  tlm::tlm_target_socket<64> bus{"bus"};           // from the root complex
  tlm::tlm_initiator_socket<64> memory{"memory"};  // must answer at once

  HostStaging(sc_core::sc_module_name name, const HostStagingConfig& config);
  ~HostStaging() override;

  [[nodiscard]] const HostStagingStatistics& statistics() const { return statistics_; }
  void reset_statistics() { statistics_ = {}; }

 private:
  struct Stream {
    Picoseconds first_byte = 0;
    Picoseconds last_byte = 0;
    Picoseconds complete = 0;
  };

  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) override;
  bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&) override {
    return tlm::TLM_ACCEPTED;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

  void write_by_way_of_staging(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  void read_by_way_of_staging(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  // The CPU's time for a copy.
  Stream copy(Picoseconds earliest, Bytes bytes);
  // An access to memory: of the payload, or, without data, to the staging buffer.
  Stream access(tlm::tlm_generic_payload& payload, tlm::tlm_command command, Picoseconds time, Stream data);
  Stream access_staging(tlm::tlm_command command, Bytes bytes, Picoseconds time, Stream data);

  const Picoseconds copy_latency_;
  podsim::memory::BandwidthServer cpu_;
  HostStagingStatistics statistics_;
};

}  // namespace podsim::pcie
