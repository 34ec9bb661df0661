// Field numbers of the part of Perfetto's trace format that podsim writes: the public message definitions of
// protos/perfetto/trace/ in Perfetto's sources (TracePacket, TrackDescriptor, TrackEvent, ...). The same subset as a
// .proto file, for protoc: tests/reference/perfetto_subset.proto.
#pragma once

#include <cstdint>

namespace podsim::observe::perfetto {

struct Trace {
  static constexpr std::uint32_t kPacket = 1;
};
struct Packet {
  static constexpr std::uint32_t kTimestamp = 8, kSequence = 10, kTrackEvent = 11, kInternedData = 12,
                                 kSequenceFlags = 13, kDefaults = 59, kTrackDescriptor = 60;
  static constexpr std::uint32_t kStateCleared = 1, kNeedsState = 2;  // sequence_flags
};
struct Defaults {
  static constexpr std::uint32_t kTimestampClock = 58;
};
struct Track {
  static constexpr std::uint32_t kUuid = 1, kName = 2, kProcess = 3, kParent = 5, kCounter = 8, kChildOrdering = 11,
                                 kSiblingOrderRank = 12;
  static constexpr std::int32_t kExplicit = 3;  // child_ordering
};
struct Process {
  static constexpr std::uint32_t kPid = 1, kName = 6;
};
struct Counter {
  static constexpr std::uint32_t kUnitName = 6;
};
struct Interned {
  static constexpr std::uint32_t kEventNames = 2, kAnnotationNames = 3, kStringValues = 29;
  static constexpr std::uint32_t kIid = 1, kName = 2;  // of EventName, DebugAnnotationName; InternedString: iid, str
};
struct Event {
  static constexpr std::uint32_t kAnnotations = 4, kType = 9, kNameIid = 10, kTrack = 11, kDoubleCounter = 44,
                                 kFlows = 47, kTerminatingFlows = 48;
  static constexpr std::int32_t kSliceBegin = 1, kSliceEnd = 2, kCounterType = 4;
};
struct Annotation {
  static constexpr std::uint32_t kNameIid = 1, kUint = 3, kStringIid = 17;
};

}  // namespace podsim::observe::perfetto
