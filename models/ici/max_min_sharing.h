// Max-min fair sharing of links among flows: no flow's rate could be raised without lowering that of one that has no
// more (Bertsekas and Gallager, "Data Networks", 2nd edition, section 6.5.2).
//
// Plain class, no kernel. A change costs the flows that share its links, their links' flows, and so on, and nobody
// else: what only takes what is left over, or leaves what nobody wanted, costs its own links. Rates are whole bytes per
// second, shares rounded down. Once its tables have grown, nothing is allocated.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace podsim::ici {

class MaxMinSharing {
 public:
  using Rate = std::uint64_t;  // bytes per second
  using LinkIndex = std::uint32_t;
  enum class FlowId : std::uint32_t {};  // small, and used again
  static constexpr Rate kUnlimited = ~Rate{0};

  explicit MaxMinSharing(const std::vector<Rate>& capacities);

  // A flow over `links`, at least one and none of them twice, that wants no more than `most`. It begins with what the
  // others leave.
  FlowId add(std::span<const LinkIndex> links, Rate most = kUnlimited);
  // Its rate is nobody's until the next update().
  void remove(FlowId flow);
  [[nodiscard]] Rate rate(FlowId flow) const { return flows_[index(flow)].rate; }
  // What nobody uses of a link.
  [[nodiscard]] Rate left(LinkIndex link) const { return links_[link].left; }
  // The most flows that any of the flow's links has.
  [[nodiscard]] std::size_t crowd(FlowId flow);

  // Whether the flows added and removed since the last update() leave rates that are not fair.
  [[nodiscard]] bool stale() const { return !touched_.empty(); }
  // Shares anew. Returns the flows that have another rate now; valid until the next call.
  std::span<const FlowId> update();
  // Flows that the last update() looked at.
  [[nodiscard]] std::size_t last_looked_at() const { return component_flows_.size(); }

 private:
  struct Member {
    FlowId flow{};
    std::uint32_t hop = 0;  // which of the flow's links it is
  };
  struct Link {
    Rate capacity = 0;
    Rate left = 0;  // used by nobody
    std::vector<Member> members;
    // In update(): members without a rate yet, and the update that saw the link last.
    std::uint32_t unfixed = 0;
    std::uint64_t seen = 0;

    // All of it is given out, but for what rounding down has lost.
    [[nodiscard]] bool full() const { return left < members.size() + 1; }
  };
  struct Place {
    LinkIndex link = 0;
    std::uint32_t position = 0;  // among the link's members
  };
  struct Flow {
    Rate rate = 0;
    Rate most = 0;
    Rate before = 0;  // in update(): the rate until now
    std::uint64_t seen = 0;
    std::uint32_t hops = 0;  // none: a free slot
    bool fixed = false;
  };
  // What limits flows next as the water rises: a link at its fair share, or a flow at its own limit.
  struct Limit {
    Rate level = 0;
    std::uint32_t number = 0;
    bool is_flow = false;
    bool operator>(const Limit& other) const {
      return level != other.level ? level > other.level : number > other.number;
    }
  };

  static std::uint32_t index(FlowId flow) { return static_cast<std::uint32_t>(flow); }
  FlowId take_slot(std::size_t hops);
  void make_paths_longer(std::size_t hops);
  [[nodiscard]] std::span<Place> path(std::uint32_t flow) {
    return {places_.data() + flow * longest_, flows_[flow].hops};
  }
  void touch(LinkIndex link) { touched_.push_back(link); }
  void see(LinkIndex link);
  void look_at(FlowId id);
  void collect();
  void collect_all();
  void fill();
  void fix(std::uint32_t number, Rate rate);

  std::vector<Link> links_;
  std::vector<Flow> flows_;
  std::vector<Place> places_;  // the flows' paths, `longest_` for each
  std::size_t longest_ = 8;
  std::vector<FlowId> free_slots_;
  std::vector<LinkIndex> touched_;
  std::uint64_t updates_ = 0;
  std::vector<LinkIndex> component_links_;
  std::vector<FlowId> component_flows_;
  std::vector<FlowId> changed_;
  std::vector<Limit> limits_;  // min-heap
};

}  // namespace podsim::ici
