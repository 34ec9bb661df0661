// A probe is a place in a block where observers (trace, checkers) may listen. With nobody listening it costs one
// branch. Listeners are told, never asked: they can't change simulated time.
#pragma once

#include <functional>
#include <utility>
#include <vector>

namespace podsim::kernel {

template <class Event>
class Probe {
 public:
  using Listener = std::function<void(const Event&)>;

  void attach(Listener listener) { listeners_.push_back(std::move(listener)); }
  [[nodiscard]] bool active() const { return !listeners_.empty(); }

  // `make` builds the event, and runs only when somebody listens.
  template <class Make>
  void tell(Make&& make) const {
    if (listeners_.empty()) return;
    const Event event = std::forward<Make>(make)();
    for (const Listener& listener : listeners_) listener(event);
  }

 private:
  std::vector<Listener> listeners_;
};

}  // namespace podsim::kernel
