#include "models/ici/max_min_sharing.h"

#include <algorithm>
#include <functional>

namespace podsim::ici {

MaxMinSharing::MaxMinSharing(const std::vector<Rate>& capacities) : links_(capacities.size()) {
  for (std::size_t i = 0; i < capacities.size(); ++i) links_[i].capacity = links_[i].left = capacities[i];
}

MaxMinSharing::FlowId MaxMinSharing::take_slot(std::size_t hops) {
  if (hops > longest_) make_paths_longer(hops);
  if (free_slots_.empty()) {
    flows_.emplace_back();
    places_.resize(flows_.size() * longest_);
    return static_cast<FlowId>(flows_.size() - 1);
  }
  const FlowId slot = free_slots_.back();
  free_slots_.pop_back();
  return slot;
}

void MaxMinSharing::make_paths_longer(std::size_t hops) {
  std::vector<Place> longer(flows_.size() * hops);
  for (std::uint32_t i = 0; i < flows_.size(); ++i) {
    std::copy_n(places_.begin() + static_cast<std::ptrdiff_t>(i * longest_), flows_[i].hops,
                longer.begin() + static_cast<std::ptrdiff_t>(i * hops));
  }
  places_.swap(longer);
  longest_ = hops;
}

MaxMinSharing::FlowId MaxMinSharing::add(std::span<const LinkIndex> links, Rate most) {
  const FlowId id = take_slot(links.size());
  Flow& flow = flows_[index(id)];
  flow.most = most;
  flow.hops = static_cast<std::uint32_t>(links.size());
  const std::span<Place> path = this->path(index(id));
  LinkIndex narrowest = links.front();
  for (std::uint32_t hop = 0; hop < flow.hops; ++hop) {
    Link& link = links_[links[hop]];
    path[hop] = {links[hop], static_cast<std::uint32_t>(link.members.size())};
    link.members.push_back({id, hop});
    if (link.left < links_[narrowest].left) narrowest = links[hop];
  }
  flow.rate = std::min(most, links_[narrowest].left);
  for (const LinkIndex number : links) links_[number].left -= flow.rate;

  // Fair as it is if the flow has all that it wants, or as much as anyone on the link that limits it: that link had
  // something left, so it limited nobody else.
  if (flow.rate == most) return id;
  const auto has_more = [&](const Member& other) { return flows_[index(other.flow)].rate > flow.rate; };
  const std::vector<Member>& rivals = links_[narrowest].members;
  if (std::any_of(rivals.begin(), rivals.end(), has_more)) touch(narrowest);
  return id;
}

void MaxMinSharing::remove(FlowId id) {
  Flow& flow = flows_[index(id)];
  for (const Place& place : path(index(id))) {
    Link& link = links_[place.link];
    const bool was_full = link.full();
    link.left += flow.rate;
    link.members[place.position] = link.members.back();
    const Member& moved = link.members[place.position];
    path(index(moved.flow))[moved.hop].position = place.position;
    link.members.pop_back();
    // A link that had something left limited nobody.
    if (was_full && !link.members.empty() && flow.rate > 0) touch(place.link);
  }
  flow.hops = 0;
  free_slots_.push_back(id);
}

std::size_t MaxMinSharing::crowd(FlowId id) {
  std::size_t most = 0;
  for (const Place& place : path(index(id))) most = std::max(most, links_[place.link].members.size());
  return most;
}

std::span<const MaxMinSharing::FlowId> MaxMinSharing::update() {
  // Where most flows hang together, it takes longer to find out which do than to look at all.
  const bool all =
      2 * component_flows_.size() > flows_.size() - free_slots_.size() && component_flows_.size() > links_.size() / 4;
  changed_.clear();
  component_links_.clear();
  component_flows_.clear();
  ++updates_;
  all ? collect_all() : collect();
  touched_.clear();
  fill();
  for (const FlowId id : component_flows_) {
    const Flow& flow = flows_[index(id)];
    if (flow.rate != flow.before) changed_.push_back(id);
  }
  return changed_;
}

void MaxMinSharing::see(LinkIndex number) {
  Link& link = links_[number];
  if (link.seen == updates_) return;
  link.seen = updates_;
  component_links_.push_back(number);
}

void MaxMinSharing::look_at(FlowId id) {
  Flow& flow = flows_[index(id)];
  flow.seen = updates_;
  flow.before = flow.rate;
  flow.fixed = false;
  component_flows_.push_back(id);
}

// All flows and links that hang together with the touched links.
void MaxMinSharing::collect() {
  for (const LinkIndex link : touched_) see(link);
  for (std::size_t i = 0; i < component_links_.size(); ++i) {
    for (const Member& member : links_[component_links_[i]].members) {
      if (flows_[index(member.flow)].seen == updates_) continue;
      look_at(member.flow);
      for (const Place& place : path(index(member.flow))) see(place.link);
    }
  }
}

void MaxMinSharing::collect_all() {
  for (std::uint32_t i = 0; i < flows_.size(); ++i) {
    if (flows_[i].hops > 0) look_at(static_cast<FlowId>(i));
  }
  for (LinkIndex number = 0; number < links_.size(); ++number) {
    if (!links_[number].members.empty()) component_links_.push_back(number);
  }
}

// Water filling: all rates rise together; a flow stops where the first of its links is full, or at its own limit. The
// level at which a link fills up only rises as others stop, so that a link need not be looked at again before its turn.
void MaxMinSharing::fill() {
  limits_.clear();
  for (const LinkIndex number : component_links_) {
    Link& link = links_[number];
    link.left = link.capacity;
    link.unfixed = static_cast<std::uint32_t>(link.members.size());
    if (link.unfixed > 0) limits_.push_back({link.left / link.unfixed, number, false});
  }
  for (const FlowId id : component_flows_) {
    const Flow& flow = flows_[index(id)];
    if (flow.most != kUnlimited) limits_.push_back({flow.most, index(id), true});
  }
  std::make_heap(limits_.begin(), limits_.end(), std::greater<>{});

  while (!limits_.empty()) {
    std::pop_heap(limits_.begin(), limits_.end(), std::greater<>{});
    Limit& next = limits_.back();
    if (next.is_flow) {
      const Flow& flow = flows_[next.number];
      if (!flow.fixed) fix(next.number, flow.most);
      limits_.pop_back();
      continue;
    }
    const Link& link = links_[next.number];
    const Rate level = link.unfixed > 0 ? link.left / link.unfixed : 0;
    if (level > next.level) {  // others have stopped since
      next.level = level;
      std::push_heap(limits_.begin(), limits_.end(), std::greater<>{});
      continue;
    }
    limits_.pop_back();
    if (link.unfixed == 0) continue;
    for (const Member& member : link.members) {
      if (!flows_[index(member.flow)].fixed) fix(index(member.flow), level);
    }
  }
}

void MaxMinSharing::fix(std::uint32_t number, Rate rate) {
  flows_[number].rate = rate;
  flows_[number].fixed = true;
  for (const Place& place : path(number)) {
    Link& link = links_[place.link];
    link.left -= rate;
    --link.unfixed;
  }
}

}  // namespace podsim::ici
