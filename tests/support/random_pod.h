// Small pods and collectives drawn from a seed, for property tests. The same seed gives the same pod on every machine:
// numbers come from a generator that the standard specifies, and are cut down by division.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "platform/pod/pod_config.h"
#include "platform/run/step.h"

namespace podsim::testing {

class Draw {
 public:
  explicit Draw(std::uint64_t seed) : engine_(seed) {}
  // 0 to n - 1.
  std::uint64_t below(std::uint64_t n) { return engine_() % n; }
  bool one_in(std::uint64_t n) { return below(n) == 0; }
  template <class T>
  T of(const std::vector<T>& values) {
    return values[below(values.size())];
  }

 private:
  std::mt19937_64 engine_;
};

// One to three axes, wrapped or not or twisted, or listed links; dead and slower links that leave it whole; channels
// and buffers barely enough or ample; any fidelity.
[[nodiscard]] pod::PodConfig random_pod(Draw& draw);

// Any collective and algorithm on some axes or replica groups, few elements or many.
[[nodiscard]] run::Step random_step(Draw& draw, const ici::TorusShape& torus);

// For failure messages.
[[nodiscard]] std::string describe(const pod::PodConfig& config);
[[nodiscard]] std::string describe(const run::Step& step);

}  // namespace podsim::testing
