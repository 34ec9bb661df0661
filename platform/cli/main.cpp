// Entry point of the podsim program.
#include <cstdlib>
#include <systemc>

#include "platform/cli/application.h"

int sc_main(int argc, char* argv[]) { return podsim::cli::run_application(argc, argv); }

int main(int argc, char* argv[]) {
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);  // standard output is for results
  return sc_core::sc_elab_and_sim(argc, argv);
}
