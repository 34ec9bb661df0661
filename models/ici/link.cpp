#include "models/ici/link.h"

#include <algorithm>

#include "models/kernel/local_time.h"

namespace podsim::ici {

using sc_core::sc_time;

IciLink::IciLink(sc_core::sc_module_name name, const LinkConfig& config)
    : sc_module(name),
      config_(config),
      serialisation_(config.bandwidth_per_direction),
      latency_(sc_time::from_value(static_cast<std::uint64_t>(config.hop_latency.ps))) {
  in.bind(static_cast<tlm::tlm_fw_transport_if<IciProtocol>&>(*this));
  out.bind(static_cast<tlm::tlm_bw_transport_if<IciProtocol>&>(*this));
}

void IciLink::end_of_elaboration() {
  downstream_ = out.operator->();
  upstream_ = in.operator->();
}

tlm::tlm_sync_enum IciLink::nb_transport_fw(IciPacket& packet, IciPhase& phase, sc_time& delay) {
  const auto now = kernel::local_time();
  const Picoseconds start = now + static_cast<Picoseconds>(delay.value());
  const Picoseconds own_time = serialisation_(packet.bytes + config_.packet_header.bytes);
  const Picoseconds end = std::max(start + own_time, packet.tail);
  statistics_.packets += 1;
  statistics_.payload_bytes += packet.bytes;
  statistics_.busy += end - start;
  transferred.tell([&] { return LinkTransfer{packet, start, end}; });

  packet.head = start + config_.hop_latency.ps;
  packet.tail = end + config_.hop_latency.ps;
  sc_time arrival = delay + latency_;
  downstream_->nb_transport_fw(packet, phase, arrival);

  delay = sc_time::from_value(static_cast<std::uint64_t>(end - now));  // the link is free again
  return tlm::TLM_UPDATED;
}

tlm::tlm_sync_enum IciLink::nb_transport_bw(IciPacket& packet, IciPhase& phase, sc_time& delay) {
  delay += latency_;
  return upstream_->nb_transport_bw(packet, phase, delay);
}

}  // namespace podsim::ici
