// The podsim program: options, subcommands, and what becomes of every error.
#pragma once

namespace podsim::cli {

// Returns the exit code. Lets no exception out.
int run_application(int argc, char* argv[]);

}  // namespace podsim::cli
