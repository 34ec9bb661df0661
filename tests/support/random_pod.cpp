#include "tests/support/random_pod.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <stdexcept>

#include "firmware/collectives/algorithm.h"
#include "firmware/collectives/group.h"
#include "platform/pod/pod.h"
#include "tests/support/graphs.h"
#include "tests/support/pods.h"

namespace podsim::testing {

namespace {

const char* const kAxisNames[] = {"x", "y", "z"};

std::vector<pod::AxisConfig> random_axes(Draw& draw) {
  static const std::vector<std::vector<unsigned>> kShapes = {
      {2}, {3}, {5}, {8}, {4, 2}, {3, 3}, {5, 3}, {4, 4}, {6, 4}, {2, 2, 2}, {4, 3, 2}, {1, 5}, {3, 3, 3}};
  std::vector<pod::AxisConfig> axes;
  for (const unsigned size : draw.of(kShapes)) {
    axes.push_back({kAxisNames[axes.size()], size, draw.one_in(3) ? pod::Wrap::kNo : pod::Wrap::kYes});
  }
  return axes;
}

bool holds_together(const pod::PodConfig& config) {
  try {
    pod::check(config);
    return true;
  } catch (const std::invalid_argument&) {
    return false;
  }
}

pod::LinkOverride some_link(const pod::TopologyConfig& topology, std::uint32_t chips, Draw& draw) {
  pod::LinkOverride link;
  if (topology.axes.empty()) {
    const std::vector<unsigned> ends = draw.of(topology.links);
    link.chip = ends[0];
    link.to = ends[1];
    return link;
  }
  return link_of(static_cast<std::uint32_t>(draw.below(chips)), draw.of(topology.axes).name);
}

// Adds dead and slower links, each only if the pod is one without it.
void change_links(pod::PodConfig& config, Draw& draw) {
  const std::uint32_t chips = pod::torus_shape(config).chips();
  for (std::uint64_t i = draw.below(4); i > 0; --i) {
    pod::LinkOverride link = some_link(config.topology, chips, draw);
    link.dead = draw.one_in(2);
    if (!link.dead) {
      link.bandwidth_per_direction = Bandwidth{draw.of<std::uint64_t>({5, 30, 90}) * 1'000'000'000};
      link.both_ways = draw.one_in(2);
    }
    config.links.push_back(link);
    if (!holds_together(config)) config.links.pop_back();
  }
}

std::shared_ptr<const firmware::ReplicaGroups> random_groups(Draw& draw, const ici::TorusShape& torus) {
  std::vector<ChipId> chips;
  for (std::uint32_t i = 0; i < torus.chips(); ++i) chips.push_back(static_cast<ChipId>(i));
  for (std::size_t i = chips.size(); i > 1; --i) std::swap(chips[i - 1], chips[draw.below(i)]);
  const std::uint64_t size = 1 + draw.below(chips.size());
  std::vector<std::vector<ChipId>> lists;
  for (std::size_t first = 0; first + size <= chips.size(); first += size) {  // the rest takes no part
    const auto begin = chips.begin() + static_cast<std::ptrdiff_t>(first);
    lists.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(size));
  }
  return std::make_shared<const firmware::ReplicaGroups>(torus, lists);
}

std::vector<std::pair<ChipId, ChipId>> random_pairs(Draw& draw, const ici::TorusShape& torus) {
  std::vector<std::pair<ChipId, ChipId>> pairs;
  const std::uint64_t shift = draw.below(torus.chips());
  for (std::uint32_t i = 0; i < torus.chips(); ++i) {
    if (draw.one_in(4)) continue;
    pairs.emplace_back(static_cast<ChipId>(i), static_cast<ChipId>((i + shift) % torus.chips()));
  }
  return pairs;
}

}  // namespace

pod::PodConfig random_pod(Draw& draw) {
  pod::PodConfig config;
  config.name = "random";
  config.chip.name = "test chip";
  ici::IciConfig& ici = config.chip.ici;
  config.topology.axes = random_axes(draw);
  ici.routing = draw.one_in(2) ? ici::RoutingKind::kMinimalBalanced : ici::RoutingKind::kDimensionOrder;
  if (draw.one_in(25)) {
    config.topology.axes = {{"x", 4, pod::Wrap::kYes}, {"y", 4, pod::Wrap::kYes}, {"z", 8, pod::Wrap::kYes}};
    config.topology.twist = true;
    ici.routing = ici::RoutingKind::kMinimalBalanced;
  }
  if (draw.one_in(6)) {
    const ListedNetwork network =
        draw.of<ListedNetwork>({petersen(), star(), fully_connected(), random_graph(draw.below(1000))});
    config.topology = {};
    config.topology.chips = network.chips;
    for (const auto& [a, b] : network.links) config.topology.links.push_back({a, b});
  }
  ici.fidelity = draw.one_in(2) ? ici::Fidelity::kBurst : ici::Fidelity::kPacket;
  ici.packet = {draw.of<Bytes>({256, 1000, 4096})};
  ici.router.buffer_per_vc = {ici.packet.bytes * draw.of<Bytes>({1, 3, 40})};
  ici.router.virtual_channels = draw.one_in(2) ? 3 : 2;
  ici.router.credits = !draw.one_in(4);
  config.chip.dma.burst = {draw.of<Bytes>({512, 2048, 65536})};
  config.chip.dma.contexts = draw.of<unsigned>({1, 3, 32});
  config.chip.dma.queue_depth = draw.of<unsigned>({1, 64});
  config.chip.dma.engines = draw.one_in(4) ? 2 : 1;
  change_links(config, draw);
  return config;
}

run::Step random_step(Draw& draw, const ici::TorusShape& torus) {
  run::Step step;
  firmware::CollectiveCall& call = step.collective;
  call.kind = static_cast<firmware::CollectiveKind>(draw.below(firmware::kCollectiveKinds));
  step.name = run::name(call.kind);
  std::vector<firmware::Algorithm> algorithms = {firmware::Algorithm::kAuto};
  for (const firmware::AlgorithmInfo& each : firmware::algorithms()) {
    if (each.serves(call.kind)) algorithms.push_back(each.algorithm);
  }
  call.algorithm = draw.of(algorithms);
  call.type = draw.of<firmware::DType>(
      {firmware::DType::kF32, firmware::DType::kBf16, firmware::DType::kS32, firmware::DType::kS8});
  call.reduction =
      draw.of<firmware::Reduction>({firmware::Reduction::kSum, firmware::Reduction::kMax, firmware::Reduction::kMin});
  call.directions = draw.one_in(4) ? firmware::Directions::kOneWay : firmware::Directions::kBothWays;
  call.elements = draw.of<std::uint64_t>({0, 1, 7, 1000, 6007, 40'000});
  call.chunks = static_cast<unsigned>(draw.below(4));
  call.window = static_cast<unsigned>(draw.below(4));
  if (call.kind == firmware::CollectiveKind::kCollectivePermute) {
    call.pairs = random_pairs(draw, torus);
    return step;
  }
  std::uint64_t members = torus.chips();
  if (draw.one_in(3)) {
    call.groups = random_groups(draw, torus);
    members = call.groups->largest();
  } else if (draw.one_in(2)) {
    call.axes = {static_cast<ici::Axis>(draw.below(torus.axes()))};
    members = torus.axis(call.axes[0]).size;
  }
  if (run::has_root(call.kind)) call.root = draw.below(members);
  return step;
}

std::string describe(const pod::PodConfig& config) {
  std::vector<std::string> axes, links;
  for (const pod::AxisConfig& axis : config.topology.axes) {
    axes.push_back(fmt::format("{}{}", axis.size, axis.wrap == pod::Wrap::kYes ? " wrapped" : ""));
  }
  for (const pod::LinkOverride& link : config.links) {
    const std::string where = link.to ? fmt::format("-{}", *link.to) : link.axis;
    links.push_back(fmt::format("{}{}{}", link.chip.value(), where, link.dead ? " dead" : ""));
  }
  const ici::IciConfig& ici = config.chip.ici;
  return fmt::format(
      "{}{}, links [{}], {}, {} fidelity, packet {}, buffer {}, {} channels, credits {}, burst {}, contexts {}, "
      "queue {}, engines {}",
      axes.empty() ? fmt::format("{} chips", config.topology.chips) : fmt::format("{}", fmt::join(axes, " x ")),
      config.topology.twist ? " twisted" : "", fmt::join(links, ", "),
      ici.routing == ici::RoutingKind::kMinimalBalanced ? "balanced" : "dimension order",
      ici.fidelity == ici::Fidelity::kBurst ? "burst" : "packet", ici.packet.bytes, ici.router.buffer_per_vc.bytes,
      ici.router.virtual_channels, ici.router.credits, config.chip.dma.burst.bytes, config.chip.dma.contexts,
      config.chip.dma.queue_depth, config.chip.dma.engines);
}

std::string describe(const run::Step& step) {
  const firmware::CollectiveCall& call = step.collective;
  return fmt::format("{} by {}, {} elements of {}, {} axes, groups of {}, {} pairs, root {}, {}, chunks {}, window {}",
                     step.name, firmware::name(call.algorithm), call.elements, run::name(call.type), call.axes.size(),
                     call.groups ? call.groups->largest() : 0, call.pairs.size(), call.root,
                     call.directions == firmware::Directions::kOneWay ? "one way" : "both ways", call.chunks,
                     call.window);
}

}  // namespace podsim::testing
