#include "platform/cli/systemc_reports.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <systemc>

namespace podsim::cli {

namespace {

void on_report(const sc_core::sc_report& report, const sc_core::sc_actions&) {
  const std::string text = fmt::format("{}: {}", report.get_msg_type(), report.get_msg());
  if (report.get_severity() >= sc_core::SC_ERROR) throw SystemcError("SystemC: " + text);
  spdlog::debug("SystemC: {}", text);
}

}  // namespace

void take_over_systemc_reports() { sc_core::sc_report_handler::set_handler(&on_report); }

}  // namespace podsim::cli
