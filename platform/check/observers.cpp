#include "platform/check/observers.h"

namespace podsim::check {

Observers::Observers(const ici::TorusShape& torus, const Devices& devices, const Watchers& watchers,
                     ObserverChoice choice, std::function<void()> on_finding)
    : devices_(devices), watchers_(watchers) {
  if (choice.contracts) contracts_ = std::make_unique<ContractChecker>(torus, on_finding);
  if (choice.hazards) hazards_ = std::make_unique<HazardChecker>(torus, devices, on_finding);
  for (const auto& device : devices) {
    if (contracts_) device->attach(*contracts_);
    if (hazards_) device->attach(*hazards_);
  }
  for (const auto& watcher : watchers) watcher->listen(hazards_.get());
}

Observers::~Observers() {
  for (const auto& device : devices_) device->detach_observers();
  for (const auto& watcher : watchers_) watcher->listen(nullptr);
}

}  // namespace podsim::check
