// Entry point of every test binary: GoogleTest inside SystemC's sc_main. A SystemC warning or error is a test failure.
#include <gmock/gmock.h>

#include <systemc>

int sc_main(int argc, char* argv[]) {
  testing::InitGoogleMock(&argc, argv);
  sc_core::sc_report_handler::set_actions(sc_core::SC_WARNING, sc_core::SC_DISPLAY | sc_core::SC_THROW);
  return RUN_ALL_TESTS();
}

int main(int argc, char* argv[]) { return sc_core::sc_elab_and_sim(argc, argv); }
