// A timeline in Chrome's JSON trace format, which chrome://tracing, Perfetto and other tools read. Its times are
// microseconds with fractions: a simulated picosecond is 0.000001 of them. Larger and slower to load than Perfetto's
// own format (perfetto_writer.h).
#pragma once

#include <ostream>

#include "platform/observe/selection.h"
#include "platform/observe/timeline.h"

namespace podsim::observe {

void write_chrome(std::ostream& out, const Timeline& timeline, const Selection& selection);

}  // namespace podsim::observe
