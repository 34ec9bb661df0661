// The formats of trace files, told by the file's ending.
#pragma once

#include <optional>
#include <string>

namespace podsim::observe {

enum class TraceFormat {
  kPerfetto,  // .perfetto-trace, for ui.perfetto.dev and its tools
  kChrome,    // .json, for chrome://tracing and whatever else reads that
  kVcd,       // .vcd, for GTKWave
};

[[nodiscard]] std::optional<TraceFormat> trace_format(const std::string& file);

}  // namespace podsim::observe
