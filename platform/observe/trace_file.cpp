#include "platform/observe/trace_file.h"

namespace podsim::observe {

std::optional<TraceFormat> trace_format(const std::string& file) {
  if (file.ends_with(".perfetto-trace")) return TraceFormat::kPerfetto;
  if (file.ends_with(".json")) return TraceFormat::kChrome;
  if (file.ends_with(".vcd")) return TraceFormat::kVcd;
  return std::nullopt;
}

}  // namespace podsim::observe
