#include "firmware/collectives/exchange_plan.h"

#include <bit>
#include <functional>

namespace podsim::firmware {

namespace {

using Action = ExchangeStep::Action;

// An axis without its excess chips: 2j+1 of the first few pairs has handed its data to 2j. The others are numbered
// anew.
struct FoldedAxis {
  std::uint64_t size;    // a power of two
  std::uint64_t excess;  // chips left out

  explicit FoldedAxis(std::uint64_t chips) : size(std::bit_floor(chips)), excess(chips - size) {}
  [[nodiscard]] unsigned steps() const { return static_cast<unsigned>(std::countr_zero(size)); }
  [[nodiscard]] bool in_pair(std::uint64_t coordinate) const { return coordinate < 2 * excess; }
  [[nodiscard]] bool left_out(std::uint64_t coordinate) const { return in_pair(coordinate) && coordinate % 2 == 1; }
  [[nodiscard]] std::uint64_t number(std::uint64_t coordinate) const {
    return in_pair(coordinate) ? coordinate / 2 : coordinate - excess;
  }
  [[nodiscard]] std::uint64_t coordinate(std::uint64_t number) const {
    return number < excess ? 2 * number : number + excess;
  }
};

class Planner {
 public:
  Planner(const Group& group, std::uint64_t elements) : group_(group), all_{0, elements} {
    for (unsigned i = 0; i < group.axes(); ++i) axes_.emplace_back(group.axis_size(i));
  }

  // Whether this chip has handed its data away, and has nothing to do in between.
  [[nodiscard]] bool out() const { return out_; }
  [[nodiscard]] Range all() const { return all_; }
  [[nodiscard]] std::uint64_t number(unsigned axis) const { return axes_[axis].number(group_.coordinate(axis)); }

  ExchangeStep& add(Action action, std::uint64_t room) {
    ExchangeStep& step = plan_.emplace_back();
    step.action = action;
    step.room = room;
    return step;
  }
  // A step with the chip that has that number on that axis.
  void exchange(Action action, std::uint64_t room, unsigned axis, std::uint64_t peer, Range send, Range receive) {
    ExchangeStep& step = add(action, room);
    if (out_) return;
    step.peer = chip_at(axis, axes_[axis].coordinate(peer));
    step.send = send;
    step.receive = receive;
  }

  // The chips in excess hand their data over.
  void fold() {
    for (unsigned i = 0; i < group_.axes(); ++i) {
      if (axes_[i].excess == 0) continue;
      ExchangeStep& step = add(Action::kReduce, all_.size());
      if (out_ || !axes_[i].in_pair(group_.coordinate(i))) continue;
      step.peer = chip_at(i, group_.coordinate(i) ^ 1);
      out_ = axes_[i].left_out(group_.coordinate(i));
      (out_ ? step.send : step.receive) = all_;
      if (out_) folded_on_ = i;
    }
  }
  // They get the result.
  void unfold() {
    for (unsigned i = group_.axes(); i-- > 0;) {
      if (axes_[i].excess == 0) continue;
      ExchangeStep& step = add(Action::kReplace, all_.size());
      const bool returns = out_ && folded_on_ == i;
      if ((out_ && !returns) || !axes_[i].in_pair(group_.coordinate(i))) continue;
      step.peer = chip_at(i, group_.coordinate(i) ^ 1);
      (returns ? step.receive : step.send) = all_;
      if (returns) out_ = false;
    }
  }

  // Calls step(axis, s) for the steps of all axes, nearest peers first, the axes taking turns.
  void for_each_step(const std::function<void(unsigned, unsigned)>& step) const {
    bool any = true;
    for (unsigned s = 0; any; ++s) {
      any = false;
      for (unsigned i = 0; i < group_.axes(); ++i) {
        if (s >= axes_[i].steps()) continue;
        step(i, s);
        any = true;
      }
    }
  }
  [[nodiscard]] std::uint64_t size(unsigned axis) const { return axes_[axis].size; }

  ExchangePlan take() { return std::move(plan_); }

 private:
  [[nodiscard]] ChipId chip_at(unsigned axis, std::uint64_t coordinate) const {
    return group_.member(group_.rank_at(group_.place() + (coordinate - group_.coordinate(axis)) * group_.stride(axis)));
  }

  const Group& group_;
  const Range all_;
  std::vector<FoldedAxis> axes_;
  bool out_ = false;
  unsigned folded_on_ = 0;
  ExchangePlan plan_;
};

// All of the data in each step, with the peer that `peer_of(number, step, size)` gives.
template <class PeerOf>
ExchangePlan plan_whole(const Group& group, std::uint64_t elements, PeerOf peer_of) {
  Planner planner(group, elements);
  planner.fold();
  planner.for_each_step([&](unsigned axis, unsigned s) {
    const std::uint64_t peer = peer_of(planner.number(axis), s, planner.size(axis));
    planner.exchange(Action::kReduce, elements, axis, peer, planner.all(), planner.all());
  });
  planner.unfold();
  return planner.take();
}

// Halves of halves, each exchanged with the peer that `peer_of(number, step, size)` gives; `upper_half` of the same
// says which half a chip keeps, and is the other one for its peer. Then the same way back.
template <class PeerOf, class UpperHalf>
ExchangePlan plan_halves(const Group& group, std::uint64_t elements, PeerOf peer_of, UpperHalf upper_half) {
  struct Halving {
    unsigned axis;
    std::uint64_t peer;
    Range kept;
    Range given;
    std::uint64_t room;
  };
  Planner planner(group, elements);
  planner.fold();
  std::vector<Halving> halvings;
  Range range = planner.all();
  std::uint64_t room = elements;
  planner.for_each_step([&](unsigned axis, unsigned s) {
    const std::uint64_t number = planner.number(axis);
    const bool upper = upper_half(number, s, planner.size(axis));
    const std::uint64_t peer = peer_of(number, s, planner.size(axis));
    room = room / 2 + 1;
    const Halving step{axis, peer, range.part(upper ? 1 : 0, 2), range.part(upper ? 0 : 1, 2), room};
    planner.exchange(Action::kReduce, step.room, axis, step.peer, step.given, step.kept);
    range = step.kept;
    halvings.push_back(step);
  });
  for (auto step = halvings.rbegin(); step != halvings.rend(); ++step) {
    planner.exchange(Action::kReplace, step->room, step->axis, step->peer, step->kept, step->given);
  }
  planner.unfold();
  return planner.take();
}

std::uint64_t doubling_peer(std::uint64_t number, unsigned step, std::uint64_t) {
  return number ^ (std::uint64_t{1} << step);
}

std::uint64_t swing_peer(std::uint64_t number, unsigned step, std::uint64_t size) {
  const auto distance = static_cast<std::uint64_t>(swing_distance(step));  // wraps, as does the ring: powers of two
  return (number % 2 == 0 ? number + distance : number - distance) % size;
}

// After steps 0 to s, an even number e shares what it keeps with all that are e modulo 2^(s+2), and with the odd
// numbers that those meet in step s+1: later steps' distances differ by multiples of 2^(s+2). So bit s+1 of e tells the
// two halves of step s apart. The last step has an even number and an odd one.
bool swing_upper_half(std::uint64_t number, unsigned step, std::uint64_t size) {
  if ((std::uint64_t{2} << step) == size) return number % 2 == 1;
  const std::uint64_t even = number % 2 == 0 ? number : number - static_cast<std::uint64_t>(swing_distance(step + 1));
  return (even >> (step + 1) & 1) != 0;
}

}  // namespace

std::int64_t swing_distance(unsigned step) {
  std::int64_t distance = 0;
  for (unsigned i = 0; i <= step; ++i) distance += i % 2 == 0 ? std::int64_t{1} << i : -(std::int64_t{1} << i);
  return distance;
}

ExchangePlan plan_recursive_doubling(const Group& group, std::uint64_t elements) {
  return plan_whole(group, elements, doubling_peer);
}

ExchangePlan plan_swing(const Group& group, std::uint64_t elements) { return plan_whole(group, elements, swing_peer); }

ExchangePlan plan_recursive_halving(const Group& group, std::uint64_t elements) {
  const auto upper = [](std::uint64_t number, unsigned step, std::uint64_t) { return (number >> step & 1) != 0; };
  return plan_halves(group, elements, doubling_peer, upper);
}

ExchangePlan plan_swing_halving(const Group& group, std::uint64_t elements) {
  return plan_halves(group, elements, swing_peer, swing_upper_half);
}

}  // namespace podsim::firmware
