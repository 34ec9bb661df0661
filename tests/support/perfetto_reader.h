// Reads a Perfetto trace back, as far as podsim writes one: for tests.
#pragma once

#include <cstdint>
#include <map>
#include <protozero/pbf_reader.hpp>
#include <string>
#include <vector>

#include "platform/observe/perfetto_format.h"

namespace podsim::testing {

struct PerfettoTrace {
  struct Track {
    std::string name;
    std::uint64_t parent = 0;
    std::string process;
    std::string unit;  // of a counter
    std::int32_t rank = 0;
  };
  struct Slice {
    std::uint64_t track = 0;
    std::string name;
    std::uint64_t begin = 0, end = 0;
    std::map<std::string, std::string> annotations;
    std::vector<std::uint64_t> flows, terminating;
  };
  std::map<std::uint64_t, Track> tracks;
  std::vector<Slice> slices;
  std::map<std::uint64_t, std::vector<std::pair<std::uint64_t, double>>> counters;  // by track
  std::vector<std::string> faults;  // ends without a begin, names that were not interned, ...
};

class PerfettoReader {
 public:
  static PerfettoTrace read(const std::string& bytes) {
    PerfettoReader reader;
    protozero::pbf_reader trace(bytes);
    while (trace.next(podsim::observe::perfetto::Trace::kPacket)) reader.packet(trace.get_message());
    for (const auto& [track, open] : reader.open_) {
      if (!open.empty()) reader.trace_.faults.push_back("a slice never ends");
    }
    return std::move(reader.trace_);
  }

 private:
  using Packet = podsim::observe::perfetto::Packet;
  using Interned = podsim::observe::perfetto::Interned;
  using Event = podsim::observe::perfetto::Event;
  using Annotation = podsim::observe::perfetto::Annotation;

  void packet(protozero::pbf_reader packet) {
    std::uint64_t time = 0;
    protozero::pbf_reader event;
    bool has_event = false;
    while (packet.next()) {
      switch (packet.tag()) {
        case Packet::kTimestamp: time = packet.get_uint64(); break;
        case Packet::kTrackEvent:
          event = packet.get_message();
          has_event = true;
          break;
        case Packet::kInternedData: intern(packet.get_message()); break;
        case Packet::kTrackDescriptor: track(packet.get_message()); break;
        default: packet.skip();
      }
    }
    if (has_event) read_event(event, time);
  }

  void intern(protozero::pbf_reader data) {
    while (data.next()) {
      std::map<std::uint64_t, std::string>& names = names_[data.tag()];
      protozero::pbf_reader entry = data.get_message();
      std::uint64_t iid = 0;
      std::string name;
      while (entry.next()) {
        if (entry.tag() == Interned::kIid) {
          iid = entry.get_uint64();
        } else {
          name = entry.get_string();
        }
      }
      if (!names.emplace(iid, name).second) trace_.faults.push_back("interned twice: " + name);
    }
  }

  void track(protozero::pbf_reader descriptor) {
    using T = podsim::observe::perfetto::Track;
    PerfettoTrace::Track track;
    std::uint64_t uuid = 0;
    while (descriptor.next()) {
      switch (descriptor.tag()) {
        case T::kUuid: uuid = descriptor.get_uint64(); break;
        case T::kName: track.name = descriptor.get_string(); break;
        case T::kParent: track.parent = descriptor.get_uint64(); break;
        case T::kSiblingOrderRank: track.rank = descriptor.get_int32(); break;
        case T::kProcess: {
          protozero::pbf_reader process = descriptor.get_message();
          while (process.next()) {
            if (process.tag() == podsim::observe::perfetto::Process::kName) {
              track.process = process.get_string();
            } else {
              process.skip();
            }
          }
          break;
        }
        case T::kCounter: {
          protozero::pbf_reader counter = descriptor.get_message();
          while (counter.next()) track.unit = counter.get_string();
          break;
        }
        default: descriptor.skip();
      }
    }
    trace_.tracks.emplace(uuid, track);
  }

  std::string name(std::uint32_t kind, std::uint64_t iid) {
    const auto found = names_[kind].find(iid);
    if (found != names_[kind].end()) return found->second;
    trace_.faults.push_back("a name that was not interned: " + std::to_string(iid));
    return {};
  }

  void read_event(protozero::pbf_reader event, std::uint64_t time) {
    PerfettoTrace::Slice slice;
    std::int32_t type = 0;
    double value = 0;
    while (event.next()) {
      switch (event.tag()) {
        case Event::kType: type = event.get_enum(); break;
        case Event::kTrack: slice.track = event.get_uint64(); break;
        case Event::kNameIid: slice.name = name(Interned::kEventNames, event.get_uint64()); break;
        case Event::kDoubleCounter: value = event.get_double(); break;
        case Event::kFlows: slice.flows.push_back(event.get_fixed64()); break;
        case Event::kTerminatingFlows: slice.terminating.push_back(event.get_fixed64()); break;
        case Event::kAnnotations: annotation(event.get_message(), slice); break;
        default: event.skip();
      }
    }
    if (trace_.tracks.count(slice.track) == 0) trace_.faults.push_back("an event on a track that is not there");
    if (type == Event::kCounterType) {
      trace_.counters[slice.track].emplace_back(time, value);
    } else if (type == Event::kSliceBegin) {
      begin(slice, time);
    } else {
      end(slice.track, time);
    }
  }

  void annotation(protozero::pbf_reader annotation, PerfettoTrace::Slice& slice) {
    std::string key, value;
    while (annotation.next()) {
      switch (annotation.tag()) {
        case Annotation::kNameIid: key = name(Interned::kAnnotationNames, annotation.get_uint64()); break;
        case Annotation::kUint: value = std::to_string(annotation.get_uint64()); break;
        case Annotation::kStringIid: value = name(Interned::kStringValues, annotation.get_uint64()); break;
        default: annotation.skip();
      }
    }
    slice.annotations[key] = value;
  }

  void begin(PerfettoTrace::Slice slice, std::uint64_t time) {
    std::vector<std::size_t>& open = open_[slice.track];
    if (time < last_[slice.track]) trace_.faults.push_back("a track goes back in time");
    last_[slice.track] = time;
    slice.begin = time;
    open.push_back(trace_.slices.size());
    trace_.slices.push_back(std::move(slice));
  }

  void end(std::uint64_t track, std::uint64_t time) {
    std::vector<std::size_t>& open = open_[track];
    if (time < last_[track]) trace_.faults.push_back("a track goes back in time");
    last_[track] = time;
    if (open.empty()) {
      trace_.faults.push_back("an end without a begin");
      return;
    }
    trace_.slices[open.back()].end = time;
    open.pop_back();
  }

  PerfettoTrace trace_;
  std::map<std::uint32_t, std::map<std::uint64_t, std::string>> names_;
  std::map<std::uint64_t, std::vector<std::size_t>> open_;
  std::map<std::uint64_t, std::uint64_t> last_;
};

}  // namespace podsim::testing
