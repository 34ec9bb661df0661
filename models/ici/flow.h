// One copy on its way through the flow network: how much of it is still to flow, and when its first and last byte will
// have done so.
#pragma once

#include <vector>

#include "models/ici/flow_network.h"

namespace podsim::ici {

class FlowNetwork::Flow {
 public:
  explicit Flow(FlowNetwork& network) : network_(network) {}

  // The packet is planned; it lines up when its first byte is there. Takes over the reference.
  void take(IciPacket& packet);
  // It is its turn.
  void begin();
  // The flow's rate is another from now on.
  void flow_at(MaxMinSharing::Rate rate);

  [[nodiscard]] const IciPacket& packet() const { return *packet_; }
  [[nodiscard]] const std::vector<MaxMinSharing::LinkIndex>& path() const { return path_; }
  // Payload and headers.
  [[nodiscard]] Bytes bytes() const { return bytes_; }

  Flow* next = nullptr;  // of the pool, or of those that wait for the same link

 private:
  // What flows is counted in bytes x ps/s, exact at any whole rate.
  using Fluid = Wide;

  void plan();
  // What the source can give at most, if that is less than the links could take.
  [[nodiscard]] MaxMinSharing::Rate source_limit() const;
  void line_up() { network_.line_up(*this); }
  void first_byte_arrives();
  void end();
  void settle();
  void give_tail();

  FlowNetwork& network_;
  IciPacket* packet_ = nullptr;
  std::vector<MaxMinSharing::LinkIndex> path_;
  Bytes bytes_ = 0;
  Picoseconds latency_ = 0;    // of the whole way
  Picoseconds link_time_ = 0;  // alone on its way
  MaxMinSharing::FlowId id_{};
  MaxMinSharing::Rate rate_ = 0;
  Fluid left_ = 0;
  Picoseconds settled_ = 0;  // the time that left_ is of
  Picoseconds started_ = 0;
  bool flows_ = false;  // something has
  bool arrived_ = false;
  bool ended_ = false;
  kernel::Timer<Flow> turn_{network_.queue_, this, &Flow::line_up};
  kernel::Timer<Flow> arrival_{network_.queue_, this, &Flow::first_byte_arrives};
  kernel::Timer<Flow> end_{network_.queue_, this, &Flow::end};
};

}  // namespace podsim::ici
