// YAML keys of a pod: its chip's sections, `topology` and `host`. All stand at the top level, so that a run file can
// override any of them.
#pragma once

#include <algorithm>

#include "models/ici/torus.h"
#include "platform/config/core_fields.h"
#include "platform/config/ici_fields.h"
#include "platform/config/memory_fields.h"
#include "platform/config/pcie_fields.h"
#include "platform/config/tensor_core_fields.h"
#include "platform/pod/pod_config.h"

namespace podsim::config {

constexpr auto names(EnumTag<pod::Wrap>) {
  return EnumNames<pod::Wrap, 3>{{{"auto", pod::Wrap::kAuto}, {"yes", pod::Wrap::kYes}, {"no", pod::Wrap::kNo}}};
}

template <class Visitor>
void fields(Visitor& visit, pod::AxisConfig& axis) {
  visit("name", axis.name, "such as x", required);
  visit("size", axis.size, "chips along the axis", required, at_least(1), at_most(65'536));
  visit("wrap", axis.wrap, "whether the last chip is linked to the first; auto: as ici.wrap_rule says");
}

template <class Visitor>
void fields(Visitor& visit, pod::WrapRule& rule) {
  visit("multiple_of", rule.multiple_of, "an axis wraps when its size is a multiple of this", at_least(1));
  visit("only_size", rule.only_size, "an axis wraps when it has just this size", at_least(1));
  visit.check(!(rule.multiple_of && rule.only_size), "only_size", "can't stand beside multiple_of");
}

constexpr auto names(EnumTag<pod::LinkDirection>) {
  return EnumNames<pod::LinkDirection, 2>{{{"+", pod::LinkDirection::kPlus}, {"-", pod::LinkDirection::kMinus}}};
}

template <class Visitor>
void fields(Visitor& visit, pod::LinkOverride& link) {
  visit("from", link.from, "the chip that the link leaves, by its coordinates");
  visit("chip", link.chip, "or by its number");
  visit("axis", link.axis, "the link's axis");
  visit("direction", link.direction, "towards higher (+) or lower (-) coordinates");
  visit("to", link.to, "of listed links, in place of axis and direction: the chip at the other end");
  visit("both_ways", link.both_ways, "holds for the link back as well");
  visit("dead", link.dead, "does not work; packets take a detour");
  visit("bandwidth_per_direction", link.bandwidth_per_direction, "in place of the chip's", positive);
  visit("hop_latency", link.hop_latency, "in place of the chip's");
}

template <class Visitor>
void fields(Visitor& visit, pod::TopologyConfig& topology) {
  visit("axes", topology.axes, "the first is the fastest in the numbering of chips");
  visit("chips", topology.chips, "in place of axes: chips of a pod whose links are listed",
        at_most(ici::LinkGraph::kMostChips));
  visit("links", topology.links, "its links, each as the two chips that it joins");
  const bool listed = topology.chips > 0 || !topology.links.empty();
  visit.check(!listed || (topology.axes.empty() && !topology.twist), "links", "can't stand beside axes");
  visit.check(!listed || topology.chips > 0, "chips", "must say how many chips the links join");
  visit.check(listed || (!topology.axes.empty() && topology.axes.size() <= ici::kMaxAxes), "axes",
              "must be 1 to 4, or chips and links in their place");
  const auto is_twice = [&](const pod::AxisConfig& axis) {
    return std::count_if(topology.axes.begin(), topology.axes.end(),
                         [&](const auto& a) { return a.name == axis.name; }) > 1;
  };
  visit.check(std::none_of(topology.axes.begin(), topology.axes.end(), is_twice), "axes",
              "two axes have the same name");
  visit("twist", topology.twist,
        "twisted torus, n x n x 2n or n x 2n x 2n: short axes' wraps shift by n on the long ones");
  std::vector<unsigned> sizes;
  for (const pod::AxisConfig& axis : topology.axes) sizes.push_back(axis.size);
  std::sort(sizes.begin(), sizes.end());
  const bool can_twist =
      sizes.size() == 3 && sizes[0] >= 4 && sizes[2] == 2 * sizes[0] && (sizes[1] == sizes[0] || sizes[1] == sizes[2]);
  visit.check(!topology.twist || can_twist, "twist", "takes n x n x 2n or n x 2n x 2n chips, n at least 4");
}

template <class Visitor>
void fields(Visitor& visit, pod::HostConfig& host) {
  visit("chips", host.chips, "chips that share a host", at_least(1));
  visit("memory", host.memory, "the host's DRAM");
  visit("root_complex", host.root_complex, "shared by the chips of the host");
  visit("switches", host.switches, "between the chips and the root complex, if there are any");
  visit("staging", host.staging, "how data gets to and from buffers that are not pinned");
}

// A chip's blocks. `wrap_rule` and `links` stand in the chip's `ici` section, but are the pod's to apply.
template <class Visitor>
void chip_fields(Visitor& visit, pod::ChipConfig& chip, pod::WrapRule& wrap_rule,
                 std::vector<pod::LinkOverride>& links) {
  visit("scalar_core", chip.scalar_core, "runs firmware", required);
  visit.section("tensor_core", "matrix and vector units", [&](auto& section) {
    section("count", chip.tensor_cores, "TensorCores of the chip", required, at_least(1));
    fields(section, chip.tensor_core);
  });
  visit("vmem", chip.vmem, "on-chip vector memory", required);
  visit("hbm", chip.hbm, "high-bandwidth memory", required);
  visit("dma", chip.dma, "DMA engines");
  visit("semaphores", chip.semaphores, "how many of each kind");
  visit.section("ici", "inter-chip interconnect", [&](auto& section) {
    fields(section, chip.ici);
    section("wrap_rule", wrap_rule, "when the hardware wraps an axis");
    section("links", links, "links that differ from the others, or are dead");
  });
  visit("pcie", chip.pcie, "link to the host", required);
}

template <class Visitor>
void fields(Visitor& visit, pod::PodConfig& pod) {
  visit.note("description", "what this file describes; not inherited");
  visit("pod", pod.name, "the preset that this builds upon");
  visit("chip", pod.chip.name, "the preset of the pod's chips");
  chip_fields(visit, pod.chip, pod.wrap_rule, pod.links);
  visit("topology", pod.topology, "axes of the mesh or torus", required);
  visit("host", pod.host, "what the chips are attached to");
}

}  // namespace podsim::config
