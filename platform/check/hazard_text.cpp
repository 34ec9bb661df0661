#include "platform/check/hazard_text.h"

#include <fmt/format.h>

#include "models/dma/dma_registers.h"
#include "models/semaphore/semaphore_registers.h"
#include "platform/check/program_point.h"

namespace podsim::check {

namespace {

using Kind = HazardChecker::Kind;

class Teller {
 public:
  Teller(const Hazard& hazard, const ici::TorusShape& torus, const Devices& devices)
      : hazard_(hazard), torus_(torus), devices_(devices) {}

  [[nodiscard]] Explanation tell() const {
    Explanation told;
    told.text = fmt::format("hazard: {}.\n", headline());
    told.facts.push_back(fmt::format("{}: {}", memory(), headline()));
    told.text += fmt::format("  {}, {} bytes\n", memory(), hazard_.where.bytes);
    const auto add = [&](const char* label, const std::string& fact) {
      told.facts.push_back(fact);
      told.text += fmt::format("    {:<9}{}\n", label, fact);
    };
    if (hazard_.earlier != nullptr) add("earlier:", access(*hazard_.earlier, earlier_writes()));
    add(hazard_.earlier != nullptr ? "later:" : "access:", access(hazard_.later, later_writes()));
    add("missing:", missing());
    return told;
  }

 private:
  [[nodiscard]] std::string chip(ChipId id) const { return fmt::format("chip {} {}", index(id), torus_.place(id)); }
  [[nodiscard]] std::string memory() const {
    const std::string text = describe(hazard_.where.address);  // "chip 3 hbm+0x1000"
    return fmt::format("{}{}", chip(chip_of(hazard_.where.address)), text.substr(text.find(' ', 5)));
  }

  [[nodiscard]] std::string headline() const {
    switch (hazard_.kind) {
      case Kind::kReadBeforeLanding:
        return hazard_.earlier->kind == Operation::Kind::kCopy ? "data is read whose arrival was not waited for"
                                                               : "a result is read that was not waited for";
      case Kind::kWriteIntoRead: return "a buffer is written that is still being read or sent";
      case Kind::kSourceReused: return "a buffer is reused before its send semaphore was waited for";
      case Kind::kTwoWriters: return "two writes to the same place, in no order";
      case Kind::kUninitialised: return "memory is read that nobody has written";
      case Kind::kOutOfBounds: return "an access outside of any buffer";
    }
    return {};
  }

  [[nodiscard]] bool earlier_writes() const {
    return hazard_.kind == Kind::kReadBeforeLanding || hazard_.kind == Kind::kTwoWriters;
  }
  [[nodiscard]] bool later_writes() const {
    if (hazard_.kind == Kind::kOutOfBounds) {
      bool written = false;
      hazard_.later.destination.for_each_piece(
          [&](const Span& piece) { written = written || piece.address == hazard_.where.address; });
      return written;
    }
    return hazard_.kind != Kind::kReadBeforeLanding && hazard_.kind != Kind::kUninitialised;
  }

  // "written by a copy from chip 1 (1,0), started at firmware/x.cpp:12 (f)"
  [[nodiscard]] std::string access(const Operation& operation, bool writes) const {
    const bool copy = operation.kind == Operation::Kind::kCopy;
    const ChipId target = chip_of(operation.destination.address);
    std::string what = copy ? "a copy" : "a vector operation";
    if (copy && target != operation.chip) {
      what += fmt::format(" from {} to {}", chip(operation.chip), chip(target));
    } else {
      what += fmt::format(" of {}", chip(operation.chip));
    }
    return fmt::format("{} by {}, started at {}", writes ? "written" : "read", what, point_text(operation.point.where));
  }

  [[nodiscard]] std::string semaphore(Address address) const {
    const ChipId owner = chip_of(address);
    return fmt::format("'{}' of {}", devices_[index(owner)]->allocate().name_of({semaphore::semaphore_of(address)}),
                       chip(owner));
  }

  [[nodiscard]] std::string missing() const {
    if (hazard_.kind == Kind::kUninitialised) return "a write before it that this program has waited for";
    if (hazard_.kind == Kind::kOutOfBounds) return "a buffer there; addresses or sizes are wrong";
    const Operation& earlier = *hazard_.earlier;
    const bool landing = earlier_writes() || earlier.send_semaphore == dma::kNoSemaphore;
    const Completion& part = landing ? earlier.landed : earlier.read;
    const Address says = landing ? earlier.done_semaphore : earlier.send_semaphore;
    if (!part.epoch.happened()) {
      const bool elsewhere = chip_of(says) != hazard_.later.chip;
      return fmt::format("a wait for semaphore {}, which alone says that the earlier one is over{}", semaphore(says),
                         elsewhere ? fmt::format(", and word of it to {}", chip(hazard_.later.chip)) : "");
    }
    if (part.chip == hazard_.later.chip) {
      return fmt::format("an order between two tasks of {}: the wait at {} is in another one", chip(part.chip),
                         point_text(part.point.where));
    }
    return fmt::format("a signal from {}, after its wait at {}, that {} waits for before it starts the later one",
                       chip(part.chip), point_text(part.point.where), chip(hazard_.later.chip));
  }

  const Hazard& hazard_;
  const ici::TorusShape& torus_;
  const Devices& devices_;
};

}  // namespace

Explanation hazard_text(const Hazard& hazard, const ici::TorusShape& torus, const Devices& devices) {
  return Teller(hazard, torus, devices).tell();
}

}  // namespace podsim::check
