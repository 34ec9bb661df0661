// Entry point of the podsim program.
#include <systemc>

int sc_main(int, char*[]) { return 0; }

int main(int argc, char* argv[]) { return sc_core::sc_elab_and_sim(argc, argv); }
