// A pod: chips in a mesh or torus, the links between them, and their hosts, built from a PodConfig.
//
// SystemC elaborates once per process, so a process builds one pod. Programs run on it one after the other.
#pragma once

#include <memory>
#include <vector>

#include "models/ici/link.h"
#include "platform/chip/chip.h"
#include "platform/host/host.h"
#include "platform/pod/link_plan.h"
#include "platform/pod/pod_config.h"

namespace podsim::pod {

// The torus that a topology describes, wrap rules applied. Throws std::invalid_argument, saying what is wrong, when it
// describes none: no axes, an axis twice, too many chips.
[[nodiscard]] ici::TorusShape torus_shape(const PodConfig& config);

// Whether every chip sees the same pod around it: a torus with rings only, all of whose links are the same.
[[nodiscard]] bool chips_are_alike(const PodConfig& config, const ici::TorusShape& torus);

// Throws std::invalid_argument for a configuration whose blocks don't fit each other: a packet larger than a buffer,
// too few virtual channels, links that don't exist, memory larger than the address map has room for, ...
void check(const PodConfig& config);

// Which chips of a pod are modelled. Where all chips do the same at the same times (platform/run/symmetry.h), one
// stands for all: chip 0, whose links lead back to itself. What it sends to its neighbour is what it gets from its
// other one.
enum class Extent : std::uint8_t { kAllChips, kOneForAll };

class Pod {
 public:
  // With `with_data`, bytes move (data: real). Calls check(). Throws std::invalid_argument for kOneForAll with data, or
  // on anything but a torus whose chips are alike: every axis a ring (or a single chip), all links the same.
  Pod(const PodConfig& config, bool with_data, Extent extent = Extent::kAllChips);
  ~Pod();
  Pod(const Pod&) = delete;
  Pod& operator=(const Pod&) = delete;

  struct Link {
    ChipId from;
    ici::Port port;
    std::unique_ptr<ici::IciLink> module;
  };

  [[nodiscard]] const PodConfig& config() const { return config_; }
  [[nodiscard]] bool with_data() const { return with_data_; }
  [[nodiscard]] const ici::TorusShape& torus() const { return torus_; }
  // The pod's own queue; each chip has another. Their conductor is the same.
  [[nodiscard]] kernel::EventQueue& queue() { return queue_; }
  // Chips that are modelled, and how many of the pod's chips each of them stands for.
  [[nodiscard]] std::uint32_t size() const { return extent_ == Extent::kOneForAll ? 1 : torus_.chips(); }
  [[nodiscard]] std::uint32_t stands_for() const { return torus_.chips() / size(); }
  [[nodiscard]] chip::Chip& chip(ChipId id) { return *chips_[index(id)]; }
  [[nodiscard]] const std::vector<std::unique_ptr<chip::Chip>>& chips() const { return chips_; }
  [[nodiscard]] const std::vector<std::unique_ptr<host::Host>>& hosts() const { return hosts_; }
  // Of the modelled chips, those that work.
  [[nodiscard]] const std::vector<Link>& links() const { return links_; }
  [[nodiscard]] const ici::DeadLinks& dead_links() const { return link_plan_.dead(); }

  // Null but at flow fidelity.
  [[nodiscard]] ici::FlowNetwork* flows() const { return flows_.get(); }

  // A link's and a chip's router's counters: the modules' own, and what flows add to them at flow fidelity.
  [[nodiscard]] ici::LinkStatistics link_statistics(const Link& link) const;
  [[nodiscard]] ici::RouterStatistics router_statistics(ChipId chip) const;
  // True when nothing waits in the interconnect and all credits have come back.
  [[nodiscard]] bool interconnect_idle() const;

  // Bytes of host memory that are one chip's, and where they start.
  [[nodiscard]] Bytes host_bytes_per_chip() const;
  [[nodiscard]] Bytes host_base(ChipId id) const;

  // Sets every block's counters to zero.
  void reset_statistics();

 private:
  void connect_links();
  void connect_hosts();

  const PodConfig config_;
  const bool with_data_;
  const ici::TorusShape torus_;
  const LinkPlan link_plan_;
  const Extent extent_;
  const std::unique_ptr<const ici::Routing> routing_;
  const std::unique_ptr<ici::TrafficMap> traffic_;         // at burst fidelity only
  const std::unique_ptr<dma::BurstPolicy> remote_bursts_;  // null at packet fidelity
  kernel::EventQueue queue_{"events"};  // flows, disturbances; its conductor runs those of the chips as well
  kernel::PayloadPool payloads_;
  ici::PacketPool packets_;
  const std::unique_ptr<ici::FlowNetwork> flows_;  // at flow fidelity only
  std::vector<std::unique_ptr<chip::Chip>> chips_;
  std::vector<std::unique_ptr<host::Host>> hosts_;
  std::vector<Link> links_;
};

}  // namespace podsim::pod
