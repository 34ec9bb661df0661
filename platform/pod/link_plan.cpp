#include "platform/pod/link_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace podsim::pod {

namespace {

// One entry of the list, on its way to a link.
class Entry {
 public:
  Entry(std::size_t number, const LinkOverride& link, const ici::TorusShape& torus)
      : number_(number), link_(link), torus_(torus) {}

  [[nodiscard]] ChipId chip() const {
    if (link_.chip.has_value() == !link_.from.empty()) {
      fail("", "give the chip by its number (chip) or by its place (from)");
    }
    if (link_.chip) {
      if (*link_.chip >= torus_.chips()) {
        fail("chip", fmt::format("there is no chip {}: the pod has {}", *link_.chip, torus_.chips()));
      }
      return static_cast<ChipId>(*link_.chip);
    }
    if (link_.from.size() != torus_.axes()) {
      fail("from", fmt::format("{} coordinates for a pod of {} axes", link_.from.size(), torus_.axes()));
    }
    ici::Coordinates at{};
    for (unsigned a = 0; a < torus_.axes(); ++a) {
      const ici::AxisShape& axis = torus_.axis(static_cast<ici::Axis>(a));
      if (link_.from[a] >= axis.size) {
        fail("from",
             fmt::format("{} = {} is outside the pod: the axis has {} chips", axis.name, link_.from[a], axis.size));
      }
      at[a] = link_.from[a];
    }
    return torus_.chip_at(at);
  }

  // The port, with a working or dead link at it.
  [[nodiscard]] ici::Port port(ChipId chip) const {
    if (const ici::LinkGraph* links = torus_.listed_links()) return listed_port(chip, *links);
    if (link_.to) fail("to", "names a link of a list; here a link has an axis and a direction");
    if (link_.axis.empty()) fail("axis", "required key is missing");
    const auto axis = torus_.find_axis(link_.axis);
    if (!axis) fail("axis", fmt::format("the pod has no axis '{}'", link_.axis));
    const bool plus = link_.direction == LinkDirection::kPlus;
    const ici::Port port = plus ? ici::plus_port(*axis) : ici::minus_port(*axis);
    if (!torus_.neighbour(chip, port)) {
      fail("", fmt::format("chip {} {} has no link in direction {}{}: the axis does not wrap", index(chip),
                           torus_.place(chip), link_.axis, plus ? '+' : '-'));
    }
    return port;
  }

  void check_contents() const {
    const bool changes = link_.bandwidth_per_direction || link_.hop_latency;
    if (!link_.dead && !changes) fail("", "says nothing of the link: dead, bandwidth_per_direction or hop_latency");
    if (link_.dead && changes) fail("dead", "a dead link has neither bandwidth nor latency");
    if (link_.dead && !link_.both_ways) fail("both_ways", "a dead link is dead both ways: one cable carries both");
  }

 private:
  [[nodiscard]] ici::Port listed_port(ChipId chip, const ici::LinkGraph& links) const {
    if (!link_.axis.empty())
      fail("axis", "the pod's links are listed and have no axis; say which chip the link leads to");
    if (!link_.to) fail("", "say which chip the link leads to (to)");
    const auto port = *link_.to < torus_.chips() ? links.port_to(index(chip), *link_.to) : std::nullopt;
    if (!port) fail("to", fmt::format("no link leads from chip {} to chip {}", index(chip), *link_.to));
    return static_cast<ici::Port>(*port);
  }

  [[noreturn]] void fail(const std::string& key, const std::string& message) const {
    throw LinkError(number_, key, message);
  }

  const std::size_t number_;
  const LinkOverride& link_;
  const ici::TorusShape& torus_;
};

std::string cut_off_text(const ici::TorusShape& torus, const std::vector<ChipId>& chips) {
  constexpr std::size_t kMost = 8;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min(kMost, chips.size()); ++i) {
    names.push_back(fmt::format("{} {}", index(chips[i]), torus.place(chips[i])));
  }
  if (chips.size() > kMost) names.push_back(fmt::format("and {} more", chips.size() - kMost));
  return fmt::format("the dead links cut off chip{} {}", chips.size() == 1 ? "" : "s", fmt::join(names, ", "));
}

}  // namespace

LinkError::LinkError(std::size_t entry, const std::string& key, const std::string& message)
    : invalid_argument(fmt::format("ici.links.{}{}{}: {}", entry, key.empty() ? "" : ".", key, message)),
      entry_(entry),
      key_(key),
      message_(message) {}

LinkPlan::LinkPlan(const PodConfig& config, const ici::TorusShape& torus) : usual_(config.chip.ici.link) {
  std::size_t last_dead = 0;
  for (std::size_t i = 0; i < config.links.size(); ++i) {
    const LinkOverride& link = config.links[i];
    const Entry entry(i, link, torus);
    entry.check_contents();
    const ChipId chip = entry.chip();
    const ici::Port port = entry.port(chip);
    if (link.dead) {
      dead_.add(torus, chip, port);
      last_dead = i;
      continue;
    }
    const auto change = [&](ChipId from, ici::Port by) {
      ici::LinkConfig& changed = changed_.try_emplace({from, by}, usual_).first->second;
      if (link.bandwidth_per_direction) changed.bandwidth_per_direction = *link.bandwidth_per_direction;
      if (link.hop_latency) changed.hop_latency = *link.hop_latency;
    };
    change(chip, port);
    if (link.both_ways) change(torus.neighbour(chip, port).value(), torus.far_port(chip, port));
  }
  const std::vector<ChipId> cut_off = ici::cut_off_chips(torus, dead_);
  if (!cut_off.empty()) throw LinkError(last_dead, "", cut_off_text(torus, cut_off));
}

const ici::LinkConfig& LinkPlan::link(ChipId from, ici::Port port) const {
  const auto changed = changed_.find({from, port});
  return changed == changed_.end() ? usual_ : changed->second;
}

Bandwidth LinkPlan::fastest() const {
  Bandwidth most = usual_.bandwidth_per_direction;
  for (const auto& [where, link] : changed_) most = std::max(most, link.bandwidth_per_direction);
  return most;
}

}  // namespace podsim::pod
