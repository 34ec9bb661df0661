// The critical path in words.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "platform/observe/critical_path.h"
#include "platform/report/number_text.h"

namespace podsim::observe {

namespace {

double part(Picoseconds time, Picoseconds whole) {
  return whole > 0 ? static_cast<double>(time) / static_cast<double>(whole) : 0;
}

std::string percent(double share) { return fmt::format("{:.0f} %", 100 * share); }

// Mean use of the links of each direction over the whole run.
std::map<std::string, double> use_by_direction(const Timeline& timeline) {
  std::map<std::string, std::pair<double, std::size_t>> sums;
  const Picoseconds time = timeline.time();
  for (const LinkLoad& link : timeline.links) {
    double busy = 0;
    for (const double share : link.busy) busy += share * static_cast<double>(timeline.link_slice);
    auto& [sum, count] = sums[link.direction];
    sum += time > 0 ? busy / static_cast<double>(time) : 0;
    ++count;
  }
  std::map<std::string, double> use;
  for (const auto& [direction, each] : sums) use[direction] = each.first / static_cast<double>(each.second);
  return use;
}

// "the x+ and x- links are busy 97 % of the time; y+ and y- are idle"
std::string links_text(const Timeline& timeline) {
  const std::map<std::string, double> use = use_by_direction(timeline);
  double most = 0;
  for (const auto& [direction, share] : use) most = std::max(most, share);
  const auto listed = [&](auto&& wanted) {
    std::vector<std::string> names;
    for (const auto& [direction, share] : use) {
      if (wanted(share)) names.push_back(direction);
    }
    if (names.empty()) return std::string();
    std::string text = fmt::format("{}", fmt::join(names.begin(), names.end() - 1, ", "));
    if (names.size() > 1) text += " and ";
    return text + names.back();
  };
  constexpr double kIdle = 0.02, kMuchLess = 0.5;
  const std::string busiest = listed([&](double share) { return share >= kMuchLess * most; });
  const std::string less = listed([&](double share) { return share < kMuchLess * most && share > kIdle; });
  const std::string idle = listed([&](double share) { return share < kMuchLess * most && share <= kIdle; });
  std::string text = fmt::format("the {} links are busy up to {} of the time", busiest, percent(most));
  if (!less.empty()) text += fmt::format("; {} less than half as much", less);
  if (!idle.empty()) text += fmt::format("; {} idle", idle);
  return text;
}

bool has_unused_links(const Timeline& timeline) {
  const std::map<std::string, double> use = use_by_direction(timeline);
  double most = 0, least = 1;
  for (const auto& [direction, share] : use) {
    most = std::max(most, share);
    least = std::min(least, share);
  }
  return least < most / 2;
}

std::string group_name(const Timeline& timeline, SpanId span) {
  const Lane& lane = timeline.lanes()[timeline.spans()[span].lane];
  return std::string(timeline.text(timeline.groups()[lane.group].name));
}

}  // namespace

std::string advice(const Timeline& timeline, const CriticalPath& path) {
  const auto largest = std::max_element(path.shares.begin(), path.shares.end());
  if (path.time == 0 || *largest == 0) return "nothing took any time.";
  const auto cause = static_cast<Cause>(largest - path.shares.begin());
  const std::string much = percent(part(*largest, path.time));
  switch (cause) {
    case Cause::kCompute:
      return fmt::format(
          "compute is {} of the critical path: faster units or less work would help, faster links or "
          "memory would not.",
          much);
    case Cause::kLink:
      return fmt::format("bytes on links are {} of the critical path, and {}: {}.", much, links_text(timeline),
                         has_unused_links(timeline) ? "spreading the bytes over all directions would help"
                                                    : "only fewer bytes or faster links would help");
    case Cause::kHop:
      return fmt::format(
          "the latency of hops is {} of the critical path, while {}: fewer steps one after the other "
          "would help, faster links would not.",
          much, links_text(timeline));
    case Cause::kHbm:
      return fmt::format(
          "reading and writing memory is {} of the critical path: fewer passes over the data, or tiles "
          "that stay in VMEM, would help.",
          much);
    case Cause::kPcie:
      return fmt::format(
          "copies from and to the host are {} of the critical path: starting them earlier, or moving "
          "less, would help.",
          much);
    case Cause::kSemaphore:
      return fmt::format("waking up after semaphores is {} of the critical path: fewer, larger steps would help.",
                         much);
    case Cause::kQueue:
      return fmt::format(
          "waiting for a place in a queue is {} of the critical path: fewer copies at a time, or more DMA "
          "engines, would help.",
          much);
    case Cause::kIssue:
    case Cause::kNothing: break;
  }
  return fmt::format("issuing is {} of the critical path: fewer, larger copies and commands would help.", much);
}

std::string describe(const Timeline& timeline, const CriticalPath::Exposed& exposed) {
  const Span& to = timeline.spans()[exposed.to];
  const SpanId from = exposed.from == kNone ? exposed.to : exposed.from;
  const std::string one = group_name(timeline, from), other = group_name(timeline, exposed.to);
  const std::string place = one == other ? one : fmt::format("{} -> {}", one, other);
  const std::string size = to.bytes > 0 ? fmt::format(" of {}", report::bytes_text(to.bytes)) : "";
  return fmt::format("{}: {}{}; the wait: {}", place, timeline.text(to.name), size,
                     timeline.text(timeline.spans()[exposed.wait].detail));
}

std::string critical_path_text(const Timeline& timeline, const CriticalPath& path) {
  std::string text = fmt::format("\nCritical path: where the {} went\n", report::time_text(path.time));
  std::vector<unsigned> order;
  for (unsigned i = 0; i < kCauses; ++i) {
    if (path.shares[i] > 0) order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(), [&](unsigned a, unsigned b) { return path.shares[a] > path.shares[b]; });
  for (const unsigned i : order) {
    text += fmt::format("  {:<20}{:>14.3f} us  {:>5.1f} %\n", name(static_cast<Cause>(i)),
                        report::microseconds(path.shares[i]), 100 * part(path.shares[i], path.time));
  }
  if (!path.longest.empty()) text += "  longest waits on it\n";
  for (const CriticalPath::Exposed& each : path.longest) {
    text += fmt::format("  {:>14.3f} us  {}\n", report::microseconds(each.time), describe(timeline, each));
  }
  return text + fmt::format("  {}\n", advice(timeline, path));
}

}  // namespace podsim::observe
