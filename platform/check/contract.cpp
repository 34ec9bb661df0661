#include "platform/check/contract.h"

#include <fmt/format.h>

#include <algorithm>

#include "firmware/collectives/algorithm.h"
#include "firmware/collectives/collective.h"
#include "platform/check/digest.h"
#include "platform/check/program_point.h"
#include "platform/run/step.h"

namespace podsim::check {

using firmware::CollectiveCall;
using firmware::CollectiveKind;

namespace {

std::uint64_t order_of(const CollectiveCall& call, ChipId chip) {
  Digest digest;
  if (call.kind == CollectiveKind::kCollectivePermute) {
    for (const auto& [source, target] : call.pairs) {
      digest.add(index(source));
      digest.add(index(target));
    }
  } else if (call.groups != nullptr) {
    if (const auto* listed = call.groups->find(chip)) {
      for (const ChipId member : listed->members) digest.add(index(member));
    }
  } else {
    for (const ici::Axis axis : call.axes) digest.add(ici::index(axis));
  }
  return digest.value();
}

// In what two calls differ, in words.
std::vector<std::string> differences(const CallRecord& a, const CallRecord& b) {
  std::vector<std::string> found;
  const auto compare = [&](bool same, const char* what) {
    if (!same) found.emplace_back(what);
  };
  compare(a.kind == b.kind, "collective");
  compare(a.elements == b.elements, "size");
  compare(a.type == b.type, "type");
  if (run::reduces(a.kind) && run::reduces(b.kind)) compare(a.reduction == b.reduction, "reduction");
  if (run::has_root(a.kind) && run::has_root(b.kind)) compare(a.root == b.root, "root");
  if (a.kind != b.kind) return found;  // the rest follows from it
  compare(a.algorithm == b.algorithm, "algorithm");
  compare(a.directions == b.directions, "directions");
  compare(a.chunks == b.chunks, "chunks");
  const bool permute = a.kind == CollectiveKind::kCollectivePermute;
  compare(a.order == b.order, permute ? "pairs" : "order of the members");
  return found;
}

}  // namespace

std::string CallRecord::text() const {
  std::string text{run::name(kind)};
  if (run::reduces(kind)) text += fmt::format(" ({})", run::name(reduction));
  text += fmt::format(" of {} {}", elements, run::name(type));
  if (run::has_root(kind)) text += fmt::format(", root {}", root);
  if (algorithm != firmware::Algorithm::kAuto) text += fmt::format(", algorithm {}", firmware::name(algorithm));
  return text;
}

ContractChecker::ContractChecker(const ici::TorusShape& torus, std::function<void()> on_violation)
    : torus_(torus), on_violation_(std::move(on_violation)), chips_(torus.chips()) {}

std::string ContractChecker::place(ChipId chip) const {
  return fmt::format("chip {} {}", podsim::index(chip), torus_.place(chip));
}

std::size_t ContractChecker::clique_index(const CliqueKey& key) {
  const auto [known, is_new] = by_key_.try_emplace(key, cliques_.size());
  if (is_new) {
    cliques_.push_back({key, clique_members(key, torus_), {}, {}, {}});
    for (const ChipId member : cliques_.back().members) chips_[podsim::index(member)].cliques.push_back(known->second);
  }
  return known->second;
}

std::size_t ContractChecker::made(const Clique& clique, ChipId chip) const {
  const auto found = clique.made.find(chip);
  return found == clique.made.end() ? 0 : found->second;
}

void ContractChecker::collective_began(firmware::Device& chip, const CollectiveCall& call,
                                       const std::source_location& where) {
  const ChipId id = chip.id();
  const CallRecord record{.chip = id,
                          .line = call.written_at.empty() ? point_text(where) : call.written_at,
                          .kind = call.kind,
                          .type = call.type,
                          .elements = call.elements,
                          .reduction = call.reduction,
                          .algorithm = call.algorithm,
                          .directions = call.directions,
                          .root = call.root,
                          .chunks = call.chunks,
                          .order = order_of(call, id)};
  const std::optional<CliqueKey> key = clique_of(call, torus_, id);
  if (!key) {
    if (!call.members_only) return;  // it has nothing to do
    const Clique nobody{};
    return report("a chip calls a collective whose group it is not in", nobody, 0,
                  {fmt::format("{}: {} at {}", place(id), record.text(), record.line)},
                  fmt::format("{} is in none of the call's groups", place(id)));
  }
  const std::size_t at = clique_index(*key);
  Clique& clique = cliques_[at];
  const std::size_t position = clique.made[id]++;
  chips_[podsim::index(id)].open.push_back({at, position});
  compare(clique, position, record);
  chips_[podsim::index(id)].last = record;
}

void ContractChecker::collective_ended(firmware::Device& chip, const CollectiveCall& call) {
  const std::optional<CliqueKey> key = clique_of(call, torus_, chip.id());
  if (!key) return;
  const std::size_t at = clique_index(*key);
  auto& open = chips_[podsim::index(chip.id())].open;
  const auto ended = std::find_if(open.begin(), open.end(), [&](const Open& each) { return each.clique == at; });
  if (ended != open.end()) open.erase(ended);
}

void ContractChecker::compare(Clique& clique, std::size_t position, const CallRecord& record) {
  if (position < clique.calls.size()) {
    const CallRecord& first = clique.calls[position];
    if (const auto found = differences(first, record); !found.empty()) {
      return report("the members of a clique make different calls", clique, position,
                    {fmt::format("{}: {} at {}", place(first.chip), first.text(), first.line),
                     fmt::format("{}: {} at {}", place(record.chip), record.text(), record.line)},
                    fmt::format("they differ in: {}", fmt::join(found, ", ")));
    }
    return compare_order(clique, position, record);
  }
  clique.calls.push_back(record);
  std::vector<Progress>& context = clique.context.emplace_back();
  for (const std::size_t other : chips_[podsim::index(record.chip)].cliques) {
    if (&cliques_[other] != &clique) context.push_back({other, made(cliques_[other], record.chip)});
  }
  for (const ChipId member : clique.members) {
    if (chips_[podsim::index(member)].ended) return report_missing(clique, member);
  }
}

// Chips that share several cliques must make their calls in the same order over all of them.
void ContractChecker::compare_order(const Clique& clique, std::size_t position, const CallRecord& record) {
  const CallRecord& first = clique.calls[position];
  for (const std::size_t at : chips_[podsim::index(record.chip)].cliques) {
    const Clique& other = cliques_[at];
    if (&other == &clique) continue;
    if (!std::binary_search(other.members.begin(), other.members.end(), first.chip)) continue;
    const std::size_t now = made(other, record.chip);
    const auto& context = clique.context[position];
    const auto noted = std::find_if(context.begin(), context.end(), [&](const Progress& p) { return p.clique == at; });
    const std::size_t then = noted == context.end() ? 0 : noted->calls;
    if (now == then) continue;
    // The call of the other clique that one of them makes before this one, and the other after it.
    const std::size_t swapped = std::min(now, then);
    const CallRecord& call = other.calls[swapped];
    const std::string what =
        fmt::format("call {} of {} ({})", swapped + 1, clique_name(other.key, torus_), call.text());
    const bool early = now > then;
    return report("chips make calls in different order", clique, position,
                  {fmt::format("{}: {} at {}, {} {}", place(first.chip), first.text(), first.line,
                               early ? "before" : "after", what),
                   fmt::format("{}: {} at {}, {} it", place(record.chip), record.text(), record.line,
                               early ? "after" : "before")},
                  "they differ in: order");
  }
}

void ContractChecker::program_ended(firmware::Device& chip) {
  ChipState& state = chips_[podsim::index(chip.id())];
  state.ended = true;
  for (const std::size_t at : state.cliques) {
    if (made(cliques_[at], chip.id()) < cliques_[at].calls.size()) return report_missing(cliques_[at], chip.id());
  }
}

void ContractChecker::find_swapped() {
  for (std::uint32_t chip = 0; chip < chips_.size(); ++chip) {
    for (const Open& mine : chips_[chip].open) {
      for (const ChipId other : missing(mine)) {
        for (const Open& theirs : chips_[podsim::index(other)].open) {
          const Clique& clique = cliques_[theirs.clique];
          const auto self = static_cast<ChipId>(chip);
          const bool member = std::binary_search(clique.members.begin(), clique.members.end(), self);
          if (theirs.clique == mine.clique || !member || made(clique, self) > theirs.position) continue;
          return report(
              "chips make calls in different order", cliques_[mine.clique], mine.position,
              {fmt::format("{}: is in this call, {} at {}", place(self), record(mine).text(), record(mine).line),
               fmt::format("{}: is in {}, at {}, which {} has not made", place(other), text(theirs),
                           record(theirs).line, place(self))},
              "they differ in: order");
        }
      }
    }
  }
}

void ContractChecker::report_missing(const Clique& clique, ChipId member) {
  const std::size_t position = made(clique, member);
  const CallRecord& call = clique.calls[position];
  const auto& last = chips_[podsim::index(member)].last;
  report("a member of a clique leaves a call out", clique, position,
         {fmt::format("{}: {} at {}", place(call.chip), call.text(), call.line),
          fmt::format("{}: nothing; its program has ended{}", place(member),
                      last ? fmt::format(", its last call was {} at {}", last->text(), last->line) : "")},
         fmt::format("{} makes one call too few, or {} one too many", place(member), place(call.chip)));
}

void ContractChecker::report(const std::string& headline, const Clique& clique, std::size_t position,
                             const std::vector<std::string>& sides, const std::string& verdict) {
  if (violation_) return;
  Explanation& found = violation_.emplace();
  found.text = fmt::format("contract violated: {}.\n", headline);
  if (!clique.members.empty()) {
    found.facts.push_back(fmt::format("clique of {}, call {}", clique_name(clique.key, torus_), position + 1));
    found.text += fmt::format("  {}\n", found.facts.back());
  }
  for (const std::string& side : sides) {
    found.facts.push_back(side);
    found.text += fmt::format("    {}\n", side);
  }
  found.facts.push_back(verdict);
  found.text += fmt::format("  {}\n", verdict);
  on_violation_();
}

std::string ContractChecker::text(const Open& call) const {
  return fmt::format("call {} of {}: {}", call.position + 1, clique_name(cliques_[call.clique].key, torus_),
                     record(call).text());
}

std::vector<ChipId> ContractChecker::missing(const Open& call) const {
  std::vector<ChipId> missing;
  const Clique& clique = cliques_[call.clique];
  for (const ChipId member : clique.members) {
    if (made(clique, member) <= call.position) missing.push_back(member);
  }
  return missing;
}

}  // namespace podsim::check
