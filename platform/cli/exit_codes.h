// Exit codes that are no outcome of a run (those are in platform/run/outcome.h: 0 completed, 2 config error, 3 and up).
#pragma once

namespace podsim::cli {

inline constexpr int kNotValid = 1;           // validate: a figure is outside its tolerance, and nobody knows why
inline constexpr int kNotAll = 1;             // sweep: a point did not complete; size: no pod meets the target
inline constexpr int kUsageError = 2;         // a command line that makes no sense; the same as a config error
inline constexpr int kInternalError = 70;     // a fault of podsim itself (sysexits.h: EX_SOFTWARE)
inline constexpr int kOutputError = 74;       // results could not be written (EX_IOERR)
inline constexpr int kBrokenPipe = 128 + 13;  // the reader of a pipe has gone, as shells report SIGPIPE

}  // namespace podsim::cli
