#include "tests/mutation/subjects.h"

#include <fmt/format.h>

#include "firmware/collectives/algorithm.h"
#include "tests/support/pods.h"

namespace podsim::mutation {

using firmware::Algorithm;
using firmware::CollectiveKind;
using podsim::testing::Shape;

namespace {

Subject subject(CollectiveKind kind, Algorithm algorithm, const Shape& shape) {
  Subject subject;
  subject.pod = podsim::testing::pod_config(shape);
  subject.call.kind = kind;
  subject.call.algorithm = algorithm;
  subject.call.elements = 16 * 1024;
  subject.name = fmt::format("{} {} on {}", firmware::collective_name(kind), firmware::name(algorithm), shape.name());
  return subject;
}

}  // namespace

std::vector<Subject> subjects() {
  const Shape ring{{6}};  // more chips than a reduction has slots
  const Shape line{{5}, false};
  const Shape torus{{4, 3}};
  std::vector<Subject> all;
  for (const firmware::AlgorithmInfo& info : firmware::algorithms()) {
    if (info.algorithm == Algorithm::kAuto) continue;
    for (unsigned k = 0; k < firmware::kCollectiveKinds; ++k) {
      const auto kind = static_cast<CollectiveKind>(k);
      if (!info.serves(kind)) continue;
      const bool by_axes = info.algorithm == Algorithm::kTorus;
      if (!by_axes) all.push_back(subject(kind, info.algorithm, ring));
      if (info.algorithm == Algorithm::kRing) all.push_back(subject(kind, info.algorithm, line));
      all.push_back(subject(kind, info.algorithm, torus));
    }
  }
  // Pieces of a step, and several rounds of them.
  Subject chunks = subject(CollectiveKind::kAllReduce, Algorithm::kRing, ring);
  chunks.call.chunks = 2;
  chunks.pod.chip.vmem.capacity = ByteSize{512 * kKiB};
  chunks.call.elements = 1024 * 1024;
  chunks.name += ", in chunks and segments";
  all.push_back(chunks);
  Subject window = subject(CollectiveKind::kAllToAll, Algorithm::kDirect, ring);
  window.call.window = 2;
  window.name += ", window of 2";
  all.push_back(window);
  Subject permute = subject(CollectiveKind::kCollectivePermute, Algorithm::kAuto, ring);
  permute.call.pairs = {{ChipId{0}, ChipId{1}}, {ChipId{1}, ChipId{2}}, {ChipId{2}, ChipId{0}}};
  all.push_back(permute);
  return all;
}

}  // namespace podsim::mutation
