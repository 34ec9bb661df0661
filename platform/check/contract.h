// A collective is a contract between the members of its clique: each makes the same call, in the same order as the
// others. This observer keeps, for each clique, what its members have called, compares position by position, and
// reports the first disagreement.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "firmware/device/device.h"
#include "platform/check/clique.h"
#include "platform/check/explanation.h"

namespace podsim::check {

// A collective call, as far as the members of a clique must agree on it.
struct CallRecord {
  ChipId chip;       // who called
  std::string line;  // of the program, or of the file with its steps
  firmware::CollectiveKind kind;
  firmware::DType type;
  std::uint64_t elements;
  firmware::Reduction reduction;
  firmware::Algorithm algorithm;
  firmware::Directions directions;
  std::uint64_t root;
  unsigned chunks;
  std::uint64_t order;  // a digest of the members' ranks, or of a permute's pairs

  // "all_reduce (sum) of 1024 f32"
  [[nodiscard]] std::string text() const;
};

class ContractChecker final : public firmware::DeviceObserver {
 public:
  // `torus` outlives the checker. `on_violation` is called once, at the first.
  ContractChecker(const ici::TorusShape& torus, std::function<void()> on_violation);

  [[nodiscard]] const std::optional<Explanation>& violation() const { return violation_; }

  // A collective that a chip has begun and not ended: its clique, and which of the clique's calls it is.
  struct Open {
    std::size_t clique;
    std::size_t position;
  };
  [[nodiscard]] const std::vector<Open>& open(ChipId chip) const { return chips_[index(chip)].open; }
  // "call 2 of all 16 chips: all_reduce (sum) of 1024 f32"
  [[nodiscard]] std::string text(const Open& call) const;
  [[nodiscard]] const CallRecord& record(const Open& call) const { return cliques_[call.clique].calls[call.position]; }
  // Members that have not made the call yet.
  [[nodiscard]] std::vector<ChipId> missing(const Open& call) const;

  // Of a run that hangs: chips that share two cliques, each in a call of one while the other is in a call of the other.
  void find_swapped();

  void collective_began(firmware::Device& chip, const firmware::CollectiveCall& call,
                        const std::source_location& where) override;
  void collective_ended(firmware::Device& chip, const firmware::CollectiveCall& call) override;
  void program_ended(firmware::Device& chip) override;

 private:
  struct Progress {
    std::size_t clique;
    std::size_t calls;
  };
  struct Clique {
    CliqueKey key;
    std::vector<ChipId> members;
    std::vector<CallRecord> calls;               // by whoever made each first
    std::vector<std::vector<Progress>> context;  // how far that chip was in its other cliques then
    std::map<ChipId, std::size_t> made;          // how many calls a member has made
  };
  struct ChipState {
    bool ended = false;
    std::vector<std::size_t> cliques;  // that it is a member of, as far as they are known
    std::vector<Open> open;
    std::optional<CallRecord> last;
  };

  std::size_t clique_index(const CliqueKey& key);
  [[nodiscard]] std::size_t made(const Clique& clique, ChipId chip) const;
  void compare(Clique& clique, std::size_t position, const CallRecord& record);
  void compare_order(const Clique& clique, std::size_t position, const CallRecord& record);
  void report_missing(const Clique& clique, ChipId member);
  void report(const std::string& headline, const Clique& clique, std::size_t position,
              const std::vector<std::string>& sides, const std::string& verdict);
  [[nodiscard]] std::string place(ChipId chip) const;

  const ici::TorusShape& torus_;
  const std::function<void()> on_violation_;
  std::vector<Clique> cliques_;
  std::map<CliqueKey, std::size_t> by_key_;
  std::vector<ChipState> chips_;
  std::optional<Explanation> violation_;
};

}  // namespace podsim::check
