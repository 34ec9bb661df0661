// A timeline in Perfetto's trace format: protobuf packets, which ui.perfetto.dev and trace_processor read.
//
// One nanosecond of the trace is one simulated picosecond: Perfetto's times are whole nanoseconds. A chip is a process,
// a lane of it a track, in the timeline's order; names are interned. The file is written packet by packet.
#pragma once

#include <ostream>

#include "platform/observe/selection.h"
#include "platform/observe/timeline.h"

namespace podsim::observe {

void write_perfetto(std::ostream& out, const Timeline& timeline, const Selection& selection);

}  // namespace podsim::observe
