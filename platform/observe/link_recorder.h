// Records what goes over ICI and PCIe links, how busy links are, and what HBM and the hosts' memories carry.
//
// Packets of one copy that follow each other without a gap are one span.
#pragma once

#include <functional>
#include <vector>

#include "models/ici/flow_network.h"
#include "platform/observe/names.h"
#include "platform/observe/recording.h"
#include "platform/pod/pod.h"

namespace podsim::observe {

class LinkRecorder {
 public:
  using NumberOf = std::function<std::uint32_t(std::uint64_t transfer)>;

  // Listens to the pod, which must not outlive the recorder.
  LinkRecorder(Recording& recording, Names& names, pod::Pod& pod, NumberOf number_of);

  void reset();
  // Moves what has been counted to the timeline.
  void finish();

 private:
  // A lane whose last span may grow.
  struct Track {
    LaneSet* lane = nullptr;
    std::uint64_t transfer = ~std::uint64_t{0};
    Picoseconds end = 0;
    SpanId span = kNone;
    unsigned track = 0;
  };
  struct Link {
    ChipId from{}, to{};
    LaneSet* signals = nullptr;
    Track data;
    std::size_t bins = 0;
    SerialisationTime time;
    Picoseconds latency = 0;
  };

  void transferred(Link& link, const ici::LinkTransfer& transfer);
  void flow_ended(const ici::FlowEnded& flow);
  void passed_pcie(Track& track, const pcie::PcieTransfer& transfer);
  // Lengthens the track's last span by `span`, if that is of the same transfer and begins where it ends.
  bool grow(Track& track, std::uint64_t transfer, const Span& span);
  void add(Track& track, std::uint64_t transfer, Span span);

  Recording& recording_;
  Names& names_;
  pod::Pod& pod_;
  const NumberOf number_of_;
  std::vector<Link> links_;           // in the pod's order
  std::vector<std::size_t> by_port_;  // chip * ports + port: place in links_
  std::vector<Track> pcie_;           // 2 * chip: out; and in
};

}  // namespace podsim::observe
