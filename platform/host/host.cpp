#include "platform/host/host.h"

#include <fmt/format.h>

#include <algorithm>

namespace podsim::host {

namespace {

unsigned root_ports(unsigned chips, unsigned per_switch) {
  return per_switch == 0 ? chips : (chips + per_switch - 1) / per_switch;
}

}  // namespace

Host::Host(sc_core::sc_module_name name, const pod::HostConfig& config, unsigned chips)
    : sc_module(name),
      memory("memory", config.memory),
      staging("staging", config.staging),
      root_complex("root_complex", config.root_complex, root_ports(chips, config.switches.chips)),
      chips_per_switch_(config.switches.chips) {
  root_complex.memory.bind(staging.bus);
  staging.memory.bind(memory.socket);
  for (unsigned first = 0; chips_per_switch_ > 0 && first < chips; first += chips_per_switch_) {
    const auto number = static_cast<unsigned>(switches.size());
    switches.push_back(std::make_unique<pcie::PcieSwitch>(fmt::format("switch_{}", number).c_str(), config.switches,
                                                          std::min(chips_per_switch_, chips - first)));
    switches.back()->up.bind(root_complex.ports[number]);
  }
}

tlm::tlm_target_socket<64>& Host::port(unsigned chip) {
  if (chips_per_switch_ == 0) return root_complex.ports[chip];
  return switches[chip / chips_per_switch_]->ports[chip % chips_per_switch_];
}

void Host::reset_statistics() {
  memory.reset_statistics();
  staging.reset_statistics();
  root_complex.reset_statistics();
  for (const auto& each : switches) each->reset_statistics();
}

}  // namespace podsim::host
