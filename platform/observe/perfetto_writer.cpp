#include "platform/observe/perfetto_writer.h"

#include <algorithm>
#include <protozero/pbf_writer.hpp>
#include <string>
#include <vector>

#include "platform/observe/flows.h"
#include "platform/observe/perfetto_format.h"

namespace podsim::observe {

namespace {

using protozero::pbf_writer;

class Writer {
 public:
  Writer(std::ostream& out, const Timeline& timeline, const Selection& selection)
      : out_(out),
        timeline_(timeline),
        selection_(selection),
        flows_(timeline, selection),
        interned_(timeline.strings().size()) {}

  void write() {
    begin_sequence();
    tracks();
    slices();
    counters();
  }

 private:
  // What the trace's packets point to by number; 0 is none.
  enum Annotated : std::uint64_t { kBytes = 1, kDetail, kCause, kQueued };

  template <class Fill>
  void packet(Fill&& fill) {
    packet_.clear();
    trace_.clear();
    pbf_writer writer(packet_);
    fill(writer);
    writer.add_uint32(perfetto::Packet::kSequence, 1);
    pbf_writer(trace_).add_message(perfetto::Trace::kPacket, packet_);
    out_.write(trace_.data(), static_cast<std::streamsize>(trace_.size()));
  }

  void begin_sequence() {
    packet([](pbf_writer& writer) {
      writer.add_uint32(perfetto::Packet::kSequenceFlags,
                        perfetto::Packet::kStateCleared | perfetto::Packet::kNeedsState);
      pbf_writer interned(writer, perfetto::Packet::kInternedData);
      const auto annotation = [&](std::uint64_t iid, const char* name) {
        pbf_writer entry(interned, perfetto::Interned::kAnnotationNames);
        entry.add_uint64(perfetto::Interned::kIid, iid);
        entry.add_string(perfetto::Interned::kName, name);
      };
      annotation(kBytes, "bytes");
      annotation(kDetail, "detail");
      annotation(kCause, "cause");
      annotation(kQueued, "waited for its turn (ps)");
    });
  }

  static std::uint64_t group_uuid(GroupId group) { return 1 + std::uint64_t{group}; }
  static std::uint64_t lane_uuid(LaneId lane) { return std::uint64_t{1} << 32 | lane; }
  static std::uint64_t series_uuid(std::size_t series) { return std::uint64_t{2} << 32 | series; }

  [[nodiscard]] bool shows(GroupId group) const {
    const Group& each = timeline_.groups()[group];
    return each.kind != GroupKind::kChip || selection_.has(static_cast<ChipId>(each.number));
  }

  void tracks() {
    // Processes in the order of chips, hosts behind them.
    for (GroupId group = 0; group < timeline_.groups().size(); ++group) {
      if (!shows(group)) continue;
      const Group& each = timeline_.groups()[group];
      packet([&](pbf_writer& writer) {
        pbf_writer track(writer, perfetto::Packet::kTrackDescriptor);
        track.add_uint64(perfetto::Track::kUuid, group_uuid(group));
        {
          pbf_writer process(track, perfetto::Track::kProcess);
          process.add_int32(perfetto::Process::kPid, static_cast<std::int32_t>(group + 1));
          const std::string_view name = timeline_.text(each.name);
          process.add_string(perfetto::Process::kName, name.data(), name.size());
        }
        track.add_enum(perfetto::Track::kChildOrdering, perfetto::Track::kExplicit);
        track.add_int32(perfetto::Track::kSiblingOrderRank, static_cast<std::int32_t>(group));
      });
    }
    std::int32_t rank = 0;
    for (const LaneId lane : timeline_.lanes_in_order()) {
      const Lane& each = timeline_.lanes()[lane];
      if (!shows(each.group)) continue;
      packet([&](pbf_writer& writer) {
        pbf_writer track(writer, perfetto::Packet::kTrackDescriptor);
        track.add_uint64(perfetto::Track::kUuid, lane_uuid(lane));
        track.add_uint64(perfetto::Track::kParent, group_uuid(each.group));
        const std::string_view name = timeline_.text(each.name);
        track.add_string(perfetto::Track::kName, name.data(), name.size());
        track.add_int32(perfetto::Track::kSiblingOrderRank, rank++);
      });
    }
    for (std::size_t i = 0; i < timeline_.series.size(); ++i) {
      const Series& series = timeline_.series[i];
      if (series.values.empty() || !shows(series.group)) continue;
      packet([&](pbf_writer& writer) {
        pbf_writer track(writer, perfetto::Packet::kTrackDescriptor);
        track.add_uint64(perfetto::Track::kUuid, series_uuid(i));
        track.add_uint64(perfetto::Track::kParent, group_uuid(series.group));
        const std::string_view name = timeline_.text(series.name);
        track.add_string(perfetto::Track::kName, name.data(), name.size());
        {
          pbf_writer counter(track, perfetto::Track::kCounter);
          const std::string_view unit = timeline_.text(series.unit);
          counter.add_string(perfetto::Counter::kUnitName, unit.data(), unit.size());
        }
        track.add_int32(perfetto::Track::kSiblingOrderRank, rank++);
      });
    }
  }

  // Begins of slices on a track must come in order, and ends before what begins behind them; tracks may be mixed.
  void slices() {
    std::vector<std::vector<SpanId>> by_lane(timeline_.lanes().size());
    const auto& spans = timeline_.spans();
    for (SpanId i = 0; i < spans.size(); ++i) {
      if (flows_.shows(i)) by_lane[spans[i].lane].push_back(i);
    }
    for (std::vector<SpanId>& lane : by_lane) {
      // What lasts longer is around what begins with it.
      std::stable_sort(lane.begin(), lane.end(), [&](SpanId a, SpanId b) {
        return spans[a].begin != spans[b].begin ? spans[a].begin < spans[b].begin : spans[a].end > spans[b].end;
      });
      std::vector<SpanId> open;
      for (const SpanId id : lane) {
        while (!open.empty() && spans[open.back()].end <= spans[id].begin && !inside(id, open.back())) {
          end(spans[open.back()]);
          open.pop_back();
        }
        begin(id);
        open.push_back(id);
      }
      for (; !open.empty(); open.pop_back()) end(spans[open.back()]);
    }
  }
  // The last moment of a wait is inside it, even if it takes no time.
  [[nodiscard]] bool inside(SpanId inner, SpanId outer) const {
    const Span& one = timeline_.spans()[inner];
    return one.role == Role::kRelease && timeline_.spans()[outer].role == Role::kWait &&
           one.end <= timeline_.spans()[outer].end && inner == outer + 1;
  }

  void begin(SpanId id) {
    const Span& span = timeline_.spans()[id];
    packet([&](pbf_writer& writer) {
      writer.add_uint64(perfetto::Packet::kTimestamp, static_cast<std::uint64_t>(span.begin));
      writer.add_uint32(perfetto::Packet::kSequenceFlags, perfetto::Packet::kNeedsState);
      intern(writer, span);
      pbf_writer event(writer, perfetto::Packet::kTrackEvent);
      event.add_enum(perfetto::Event::kType, perfetto::Event::kSliceBegin);
      event.add_uint64(perfetto::Event::kTrack, lane_uuid(span.lane));
      event.add_uint64(perfetto::Event::kNameIid, iid(span.name));
      annotate(event, span);
      // 0 is no flow.
      flows_.for_each(
          id, true, [&](std::uint32_t arrow) { event.add_fixed64(perfetto::Event::kFlows, std::uint64_t{arrow} + 1); });
      flows_.for_each(id, false, [&](std::uint32_t arrow) {
        event.add_fixed64(perfetto::Event::kTerminatingFlows, std::uint64_t{arrow} + 1);
      });
    });
  }

  void end(const Span& span) {
    packet([&](pbf_writer& writer) {
      writer.add_uint64(perfetto::Packet::kTimestamp, static_cast<std::uint64_t>(span.end));
      writer.add_uint32(perfetto::Packet::kSequenceFlags, perfetto::Packet::kNeedsState);
      pbf_writer event(writer, perfetto::Packet::kTrackEvent);
      event.add_enum(perfetto::Event::kType, perfetto::Event::kSliceEnd);
      event.add_uint64(perfetto::Event::kTrack, lane_uuid(span.lane));
    });
  }

  static std::uint64_t iid(StringId id) { return std::uint64_t{id} + 1; }
  [[nodiscard]] std::uint64_t iid(Cause cause) const {
    return timeline_.strings().size() + 1 + static_cast<std::uint64_t>(cause);
  }

  // Names, and texts of annotations, when they first come up.
  void intern(pbf_writer& writer, const Span& span) {
    const bool name_known = (interned_[span.name] & 1) != 0;
    const bool detail_known = span.detail == kNone || (interned_[span.detail] & 2) != 0;
    const bool cause_known = span.cause == Cause::kNothing || causes_known_[static_cast<std::size_t>(span.cause)];
    if (name_known && detail_known && cause_known) return;
    pbf_writer interned(writer, perfetto::Packet::kInternedData);
    const auto add = [&](std::uint32_t field, std::uint64_t id, std::string_view text) {
      pbf_writer entry(interned, field);
      entry.add_uint64(perfetto::Interned::kIid, id);
      entry.add_string(perfetto::Interned::kName, text.data(), text.size());
    };
    if (!name_known) {
      add(perfetto::Interned::kEventNames, iid(span.name), timeline_.text(span.name));
      interned_[span.name] |= 1;
    }
    if (!detail_known) {
      add(perfetto::Interned::kStringValues, iid(span.detail), timeline_.text(span.detail));
      interned_[span.detail] |= 2;
    }
    if (!cause_known) {
      add(perfetto::Interned::kStringValues, iid(span.cause), name(span.cause));
      causes_known_[static_cast<std::size_t>(span.cause)] = true;
    }
  }

  void annotate(pbf_writer& event, const Span& span) {
    const auto number = [&](Annotated name, std::uint64_t value) {
      pbf_writer annotation(event, perfetto::Event::kAnnotations);
      annotation.add_uint64(perfetto::Annotation::kNameIid, name);
      annotation.add_uint64(perfetto::Annotation::kUint, value);
    };
    const auto text = [&](Annotated name, std::uint64_t value) {
      pbf_writer annotation(event, perfetto::Event::kAnnotations);
      annotation.add_uint64(perfetto::Annotation::kNameIid, name);
      annotation.add_uint64(perfetto::Annotation::kStringIid, value);
    };
    if (span.bytes > 0) number(kBytes, span.bytes);
    if (span.detail != kNone) text(kDetail, iid(span.detail));
    if (span.cause != Cause::kNothing) text(kCause, iid(span.cause));
    if (span.asked < span.begin && span.role != Role::kRelease) {
      number(kQueued, static_cast<std::uint64_t>(span.begin - span.asked));
    }
  }

  void counters() {
    for (std::size_t i = 0; i < timeline_.series.size(); ++i) {
      const Series& series = timeline_.series[i];
      if (!shows(series.group)) continue;
      for (std::size_t k = 0; k < series.values.size(); ++k) {
        const Picoseconds time = static_cast<Picoseconds>(k) * series.width;
        if (!selection_.overlaps(time, time + series.width)) continue;
        packet([&](pbf_writer& writer) {
          writer.add_uint64(perfetto::Packet::kTimestamp, static_cast<std::uint64_t>(time));
          pbf_writer event(writer, perfetto::Packet::kTrackEvent);
          event.add_enum(perfetto::Event::kType, perfetto::Event::kCounterType);
          event.add_uint64(perfetto::Event::kTrack, series_uuid(i));
          event.add_double(perfetto::Event::kDoubleCounter, series.values[k]);
        });
      }
    }
  }

  std::ostream& out_;
  const Timeline& timeline_;
  const Selection& selection_;
  const Flows flows_;
  std::vector<std::uint8_t> interned_;  // by string: 1 as a name, 2 as a text
  std::array<bool, kCauses> causes_known_{};
  std::string packet_, trace_;  // reused
};

}  // namespace

void write_perfetto(std::ostream& out, const Timeline& timeline, const Selection& selection) {
  Writer(out, timeline, selection).write();
}

}  // namespace podsim::observe
