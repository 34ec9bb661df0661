#include "platform/observe/link_recorder.h"

#include <fmt/format.h>

#include <algorithm>

#include "platform/report/link_use.h"

namespace podsim::observe {

LinkRecorder::LinkRecorder(Recording& recording, Names& names, pod::Pod& pod, NumberOf number_of)
    : recording_(recording),
      names_(names),
      pod_(pod),
      number_of_(std::move(number_of)),
      by_port_(std::size_t{pod.size()} * pod.torus().link_ports(), ~std::size_t{0}) {
  Timeline& timeline = recording.timeline;
  links_.reserve(pod.links().size());  // listeners keep references
  for (const pod::Pod::Link& module : pod.links()) {
    Link& link = links_.emplace_back();
    link.from = module.from;
    link.to = pod.torus().neighbour(module.from, module.port).value();
    link.time = SerialisationTime(module.module->config().bandwidth_per_direction);
    link.latency = module.module->config().hop_latency.ps;
    link.bins = recording.bins.size();
    recording.bins.emplace_back();
    const unsigned port = ici::index(module.port);
    by_port_[std::size_t{index(module.from)} * pod.torus().link_ports() + port] = links_.size() - 1;
    if (const GroupId group = recording.groups[index(module.from)]; group != kNone) {
      const std::string name = "ICI " + report::direction_text(module.port, pod.torus());
      link.data.lane = &recording.lanes.lane(group, Place::kIci, 2 * port, LaneKind::kIci, name);
      link.signals = &recording.lanes.lane(group, Place::kIci, 2 * port + 1, LaneKind::kIci, name + " signals");
    }
    module.module->transferred.attach([this, &link](const ici::LinkTransfer& event) { transferred(link, event); });
  }
  if (pod.flows() != nullptr) {
    pod.flows()->ended.attach([this](const ici::FlowEnded& event) { flow_ended(event); });
  }

  const auto watch = [&](memory::Memory& memory, GroupId group, const char* name) {
    const std::size_t bins = recording.add_counter(group, name, "GB/s", 1e3);  // from bytes in a picosecond
    memory.accesses.attach([this, bins](const memory::MemoryAccess& access) {
      if (!recording_.active) return;
      recording_.bins[bins].add(recording_.at(access.first_byte), recording_.at(access.last_byte),
                                static_cast<double>(access.bytes));
    });
  };
  pcie_.resize(2 * pod.chips().size());
  for (const auto& chip : pod.chips()) {
    const GroupId group = recording.groups[index(chip->id())];
    if (group == kNone) continue;
    watch(chip->hbm, group, "HBM bandwidth");
    Track* const tracks = &pcie_[2 * std::size_t{index(chip->id())}];
    tracks[0].lane = &recording.lanes.lane(group, Place::kPcieOut, 0, LaneKind::kPcie, "PCIe out");
    tracks[1].lane = &recording.lanes.lane(group, Place::kPcieIn, 0, LaneKind::kPcie, "PCIe in");
    chip->pcie.transfers.attach(
        [this, tracks](const pcie::PcieTransfer& event) { passed_pcie(tracks[event.write ? 0 : 1], event); });
  }
  const unsigned per_host = std::max(1u, pod.config().host.chips);
  for (std::size_t i = 0; i < pod.hosts().size(); ++i) {
    const bool wanted = std::any_of(pod.chips().begin(), pod.chips().end(), [&](const auto& chip) {
      return index(chip->id()) / per_host == i && recording.wants(chip->id());
    });
    if (!wanted) continue;
    const GroupId group = timeline.add_group(
        {timeline.intern(fmt::format("/host:{}", i)), GroupKind::kHost, static_cast<std::uint32_t>(i)});
    watch(pod.hosts()[i]->memory, group, "host memory bandwidth");
  }
}

void LinkRecorder::reset() {
  const auto forget = [](Track& track) { track.transfer = ~std::uint64_t{0}; };
  for (Link& link : links_) forget(link.data);
  std::for_each(pcie_.begin(), pcie_.end(), forget);
}

bool LinkRecorder::grow(Track& track, std::uint64_t transfer, const Span& span) {
  if (track.transfer != transfer || track.end != span.begin) return false;
  track.end = span.end;
  track.lane->close(track.track, span.end);
  if (Span* const last = recording_.timeline.find(track.span)) {
    last->end = span.end;
    last->bytes += span.bytes;
  }
  return true;
}

void LinkRecorder::add(Track& track, std::uint64_t transfer, Span span) {
  track.track = track.lane->open(span.begin);
  track.lane->close(track.track, span.end);
  span.lane = track.lane->lane(track.track);
  track.transfer = transfer;
  track.end = span.end;
  track.span = recording_.add(span);
}

void LinkRecorder::transferred(Link& link, const ici::LinkTransfer& transfer) {
  if (!recording_.active) return;
  const Picoseconds begin = recording_.at(transfer.start), end = recording_.at(transfer.end);
  recording_.bins[link.bins].add(begin, end, static_cast<double>(end - begin));
  if (link.data.lane == nullptr) return;
  const ici::IciPacket& packet = transfer.packet;
  Span span{.begin = begin, .end = end, .asked = begin, .bytes = packet.bytes};
  span.role = Role::kLink;
  span.cause = Cause::kLink;
  if (packet.burst == nullptr) {
    span.name = names_.between(true, packet.source, packet.destination);
    span.lane = link.signals->put(begin, end);
    recording_.add(span);
    return;
  }
  const std::uint64_t number = kernel::burst_of(*packet.burst)->transfer;
  if (grow(link.data, number, span)) return;
  span.name = names_.between(false, packet.source, packet.destination);
  span.copy = number_of_(number);
  add(link.data, number, span);
}

// A flow has been on all links of its way at once, each a hop's latency behind the one before.
void LinkRecorder::flow_ended(const ici::FlowEnded& flow) {
  if (!recording_.active) return;
  const std::uint64_t number = kernel::burst_of(*flow.packet.burst)->transfer;
  Span span{.begin = recording_.at(flow.start), .end = recording_.at(flow.end), .bytes = flow.packet.bytes};
  span.name = names_.between(false, flow.packet.source, flow.packet.destination);
  span.copy = number_of_(number);
  span.role = Role::kLink;
  span.cause = Cause::kLink;
  for (const auto place : flow.path) {
    Link& link = links_[by_port_[place]];
    recording_.bins[link.bins].add(span.begin, span.end, static_cast<double>(link.time(flow.packet.bytes)));
    span.asked = span.begin;
    if (link.data.lane != nullptr && !grow(link.data, number, span)) add(link.data, number, span);
    span.begin += link.latency;
    span.end += link.latency;
  }
}

void LinkRecorder::passed_pcie(Track& track, const pcie::PcieTransfer& transfer) {
  if (!recording_.active) return;
  Span span{.begin = recording_.at(transfer.first_byte), .end = recording_.at(transfer.last_byte)};
  span.asked = recording_.at(transfer.requested);
  span.bytes = transfer.bytes;
  if (grow(track, transfer.transfer, span)) return;
  span.name = recording_.timeline.intern(transfer.write ? "copy to host" : "copy from host");
  span.copy = number_of_(transfer.transfer);
  span.role = Role::kPcie;
  span.cause = Cause::kPcie;
  add(track, transfer.transfer, span);
}

void LinkRecorder::finish() {
  Timeline& timeline = recording_.timeline;
  Picoseconds width = BinnedSeries::kFirstWidth;
  for (const Link& link : links_) width = std::max(width, recording_.bins[link.bins].width());
  timeline.link_slice = width;
  std::size_t slices = 0;
  for (const Link& link : links_) {
    recording_.bins[link.bins].widen_to(width);
    slices = std::max(slices, recording_.bins[link.bins].values().size());
  }
  for (std::size_t i = 0; i < links_.size(); ++i) {
    const Link& link = links_[i];
    const pod::Pod::Link& module = pod_.links()[i];
    LinkLoad& load = timeline.links.emplace_back();
    load.from = link.from;
    load.to = link.to;
    load.port = ici::index(module.port);
    load.direction = report::direction_text(module.port, pod_.torus());
    load.bandwidth = module.module->config().bandwidth_per_direction;
    load.latency = link.latency;
    load.lane = link.data.lane != nullptr ? link.data.lane->first() : kNone;
    load.busy = recording_.bins[link.bins].values();
    load.busy.resize(slices);
    for (double& busy : load.busy) busy = std::min(1.0, busy / static_cast<double>(width));
    if (const GroupId group = recording_.groups[index(link.from)]; group != kNone && link.data.lane->first() != kNone) {
      timeline.series.push_back(
          {timeline.intern("ICI " + load.direction + " use"), timeline.intern("share"), group, width, load.busy});
    }
  }
}

}  // namespace podsim::observe
