// What HBM, VMEM and host memory have in common: a TLM target with sparse storage, bounds, latencies, statistics and a
// probe. How long the data path is occupied by an access is each memory's own affair: see reserve().
//
// Timing is by reservation, without events: nb_transport_fw(BEGIN_REQ) answers TLM_COMPLETED at once, with `delay`
// moved to the time (from now) at which the access is complete.
//
//   read:  data leaves from `start + read latency` to `finish + read latency`; complete with its last byte.
//   write: data arrives in [first_byte, last_byte]; visible at max(last_byte, finish) + write latency.
//
// [start, finish] is the service that reserve() grants from the access's time on (a write's first_byte). b_transport
// gives the same times; transport_dbg takes none. A payload without data pointer (data mode `none`) has the same times
// and leaves the storage alone. Addresses are global; the offset counts (kernel/address_map.h).
#pragma once

#include <systemc>
#include <tlm>

#include "models/kernel/burst.h"
#include "models/kernel/probe.h"
#include "models/kernel/units.h"
#include "models/memory/bandwidth_server.h"
#include "models/memory/sparse_storage.h"

namespace podsim::memory {

// What a memory needs to know of an access to price it.
struct Access {
  Bytes offset = 0;
  Bytes bytes = 0;
  bool write = false;
  Picoseconds pace = 0;   // the time over which the data comes or is taken; 0: at once
  Picoseconds now = 0;    // when the access is asked for: no later one begins before that
  kernel::Rows rows{};    // how the bytes lie from `offset` on
  bool trickles = false;  // not to be queued (kernel/burst.h)
};

// Told to observers once per access.
struct MemoryAccess {
  Address address = 0;
  Bytes bytes = 0;
  bool write = false;
  std::uint64_t transfer = 0;  // Burst::transfer; 0 for a payload from outside
  Picoseconds first_byte = 0;  // the data passes the memory's port from here
  Picoseconds last_byte = 0;   // to here
  Picoseconds complete = 0;
  Picoseconds requested = 0;  // when it was asked for, or, of a write, its first byte came
};

struct MemoryStatistics {
  std::uint64_t reads = 0;
  std::uint64_t writes = 0;
  Bytes bytes_read = 0;
  Bytes bytes_written = 0;
  std::uint64_t refused = 0;  // answered with a TLM error
  Picoseconds busy = 0;       // time for which the data path was occupied, summed over its ports
  Picoseconds read_time = 0;  // sum over reads of request to last byte, queueing included
};

class Memory : public sc_core::sc_module, protected tlm::tlm_fw_transport_if<> {
 public:
  tlm::tlm_target_socket<64> socket{"socket"};
  kernel::Probe<MemoryAccess> accesses;

  [[nodiscard]] const MemoryStatistics& statistics() const { return statistics_; }
  virtual void reset_statistics() { statistics_ = {}; }
  [[nodiscard]] Bytes capacity() const { return capacity_; }
  // Bytes of this machine's memory that the storage holds.
  [[nodiscard]] Bytes footprint() const { return storage_.footprint(); }

 protected:
  Memory(sc_core::sc_module_name name, ByteSize capacity, Duration read_latency, Duration write_latency);
  ~Memory() override;

  // Reserves the data path for an access that is within bounds, not before `earliest`. The reservation of a slow stream
  // lasts as long as the stream.
  virtual Reservation reserve(const Access& access, Picoseconds earliest) = 0;

 private:
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) override;
  bool get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi) override;

  [[nodiscard]] tlm::tlm_response_status check(const tlm::tlm_generic_payload& payload) const;
  void access(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  void move_data(const tlm::tlm_generic_payload& payload);

  const Bytes capacity_;
  const Picoseconds read_latency_;
  const Picoseconds write_latency_;
  SparseStorage storage_;
  MemoryStatistics statistics_;
};

}  // namespace podsim::memory
