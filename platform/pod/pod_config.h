// Everything that YAML says of a pod: its chips' blocks, its topology, its hosts.
//
// The YAML sections bear the members' names. `ici` is flat: the link's and the router's keys stand in it side by side
// (`ici.bandwidth_per_direction`, `ici.buffer_per_vc`).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/dma/dma_config.h"
#include "models/ici/ici_config.h"
#include "models/memory/hbm_config.h"
#include "models/memory/host_memory_config.h"
#include "models/memory/vmem_config.h"
#include "models/pcie/host_staging_config.h"
#include "models/pcie/pcie_config.h"
#include "models/pcie/pcie_switch_config.h"
#include "models/pcie/root_complex_config.h"
#include "models/scalar_core/scalar_core_config.h"
#include "models/semaphore/semaphore_config.h"
#include "models/tensor_core/tensor_core_config.h"

namespace podsim::pod {

// A chip, as in configs/chips/*.yaml.
struct ChipConfig {
  std::string name;           // "TPU v5e"
  unsigned tensor_cores = 1;  // YAML: tensor_core.count
  scalar_core::ScalarCoreConfig scalar_core;
  tensor_core::TensorCoreConfig tensor_core;
  memory::VmemConfig vmem;  // of each TensorCore, modelled as one memory of the chip
  memory::HbmConfig hbm;
  dma::DmaConfig dma;
  semaphore::SemaphoreConfig semaphores;
  ici::IciConfig ici;
  pcie::PcieConfig pcie;
};

// Whether an axis has wrap-around links: yes, no, or as the chip's hardware does it (WrapRule).
enum class Wrap : std::uint8_t { kAuto, kYes, kNo };

struct AxisConfig {
  std::string name;
  unsigned size = 1;
  Wrap wrap = Wrap::kAuto;
};

// When a chip's interconnect wraps an axis: `only_size` (v5e, v6e: an axis of 16) or `multiple_of` (v4, v5p: when all
// axes are multiples of 4, pods being built of 4x4x4 cubes). With neither, an axis wraps when `wrap: yes` says so.
struct WrapRule {
  std::optional<unsigned> multiple_of;
  std::optional<unsigned> only_size;
};

struct TopologyConfig {
  std::vector<AxisConfig> axes;  // first axis fastest in the numbering of chips
  bool twist = false;            // wraps of short axes also shift on the long ones (ici::twist)
  // In place of axes: any network, each link given by the two chips that it joins.
  std::uint32_t chips = 0;
  std::vector<std::vector<unsigned>> links;
};

// A link that differs from the chip's other links, or is dead.
enum class LinkDirection : std::uint8_t { kPlus, kMinus };
struct LinkOverride {
  std::vector<unsigned> from;         // the chip that it leaves, by coordinates ...
  std::optional<std::uint32_t> chip;  // ... or by number
  std::string axis;
  std::optional<std::uint32_t> to;  // of listed links, in place of axis and direction: the chip at the other end
  LinkDirection direction = LinkDirection::kPlus;
  bool both_ways = true;  // the link back as well
  bool dead = false;
  std::optional<Bandwidth> bandwidth_per_direction;
  std::optional<Duration> hop_latency;
};

struct HostConfig {
  unsigned chips = 4;  // chips that share a host
  memory::HostMemoryConfig memory;
  pcie::RootComplexConfig root_complex;
  pcie::PcieSwitchConfig switches;
  pcie::HostStagingConfig staging;
};

// A pod, as in configs/pods/*.yaml laid over its chip's file.
struct PodConfig {
  std::string name;
  ChipConfig chip;
  WrapRule wrap_rule;  // YAML: ici.wrap_rule
  TopologyConfig topology;
  std::vector<LinkOverride> links;  // YAML: ici.links
  HostConfig host;
};

}  // namespace podsim::pod
