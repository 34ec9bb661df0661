// The checkers that watch one launch, as far as they are wanted.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "platform/check/contract.h"
#include "platform/check/hazard.h"

namespace podsim::check {

struct ObserverChoice {
  bool contracts = true;
  bool hazards = true;
};

class Observers {
 public:
  using Watchers = std::vector<std::unique_ptr<BusWatcher>>;

  // Attaches what is wanted until the object goes. `watchers` is empty if hazards are not. `on_finding` is called at
  // the first finding of each checker.
  Observers(const ici::TorusShape& torus, const Devices& devices, const Watchers& watchers, ObserverChoice choice,
            std::function<void()> on_finding);
  ~Observers();
  Observers(const Observers&) = delete;
  Observers& operator=(const Observers&) = delete;

  // ContractChecker::find_swapped(); whether it has found something.
  bool find_swapped() {
    if (contracts_) contracts_->find_swapped();
    return contracts_ != nullptr && contracts_->violation().has_value();
  }

  // Null where not wanted.
  [[nodiscard]] const ContractChecker* contracts() const { return contracts_.get(); }
  [[nodiscard]] HazardChecker* hazards() { return hazards_.get(); }
  [[nodiscard]] const HazardChecker* hazards() const { return hazards_.get(); }
  [[nodiscard]] const SemaphoreLedger* ledger() const { return hazards_ ? &hazards_->ledger() : nullptr; }

 private:
  const Devices& devices_;
  const Watchers& watchers_;
  std::unique_ptr<ContractChecker> contracts_;
  std::unique_ptr<HazardChecker> hazards_;
};

}  // namespace podsim::check
