// What each link of a pod is, once the configuration's list of particular links (ici.links) has been applied: its
// speed, or that it is dead.
#pragma once

#include <map>
#include <stdexcept>
#include <string>

#include "models/ici/dead_links.h"
#include "models/ici/ici_config.h"
#include "models/ici/torus.h"
#include "platform/pod/pod_config.h"

namespace podsim::pod {

// An entry of ici.links that does not fit the pod. what() begins with the entry's key.
class LinkError : public std::invalid_argument {
 public:
  // `entry` counts from 0; `key` is a key of it, or empty for the whole of it.
  LinkError(std::size_t entry, const std::string& key, const std::string& message);

  [[nodiscard]] std::size_t entry() const { return entry_; }
  [[nodiscard]] const std::string& key() const { return key_; }
  [[nodiscard]] const std::string& message() const { return message_; }

 private:
  std::size_t entry_;
  std::string key_;
  std::string message_;
};

class LinkPlan {
 public:
  // Throws LinkError for an entry that names no link of the pod, that says nothing or contradicts itself, and for the
  // last one with a dead link when the dead links cut chips off.
  LinkPlan(const PodConfig& config, const ici::TorusShape& torus);

  // Later entries add to, or replace, what earlier ones say of the same link.
  [[nodiscard]] const ici::LinkConfig& link(ChipId from, ici::Port port) const;
  [[nodiscard]] const ici::DeadLinks& dead() const { return dead_; }
  // The largest bandwidth of any link.
  [[nodiscard]] Bandwidth fastest() const;

 private:
  const ici::LinkConfig usual_;
  std::map<std::pair<ChipId, ici::Port>, ici::LinkConfig> changed_;
  ici::DeadLinks dead_;
};

}  // namespace podsim::pod
