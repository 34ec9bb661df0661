#include "platform/run/whole_ring.h"

namespace podsim::run {

std::shared_ptr<const firmware::ReplicaGroups> whole_ring(const ici::TorusShape& torus) {
  if (torus.listed_links() == nullptr) return nullptr;
  std::vector<ChipId> chips;
  for (std::uint32_t i = 0; i < torus.chips(); ++i) chips.push_back(static_cast<ChipId>(i));
  return std::make_shared<const firmware::ReplicaGroups>(torus, std::vector<std::vector<ChipId>>{chips});
}

}  // namespace podsim::run
