// A token stands for something asynchronous that a program has started. It resolves when the operation has finished,
// never because some time has passed: `co_await token` waits for that, `token.done()` asks.
//
// What the operation threw comes out of the wait, and is the waiter's affair from then on. If nobody waits, it is what
// the chip's program comes to.
#pragma once

#include <coroutine>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "firmware/device/device_observer.h"

namespace podsim::firmware {

// A named token's times. Exposed is the time that a program waited for it; the rest of it was hidden behind whatever
// the program did meanwhile.
struct TokenTimes {
  std::string name;
  Picoseconds issued = 0;
  Picoseconds finished = -1;  // -1: never
  Picoseconds exposed = 0;
  [[nodiscard]] Picoseconds took() const { return finished < 0 ? 0 : finished - issued; }
  [[nodiscard]] Picoseconds hidden() const { return took() - exposed; }
};

class Token {
 public:
  Token() = default;

  [[nodiscard]] bool done() const;

  bool await_ready() const { return done(); }
  void await_suspend(std::coroutine_handle<> waiter);
  // Rethrows what the task behind the token threw.
  void await_resume() const;

 private:
  friend class Device;
  struct Waiter {
    std::coroutine_handle<> program;
    TaskId task;
    Picoseconds since;
  };
  struct State {
    Device* device = nullptr;
    TaskId task = 0;  // that the token stands for
    bool done = false;
    std::exception_ptr error;
    bool error_taken = false;
    TokenTimes times;
    std::vector<Waiter> waiters;
  };
  explicit Token(std::shared_ptr<State> state) : state_(std::move(state)) {}

  std::shared_ptr<State> state_;
};

}  // namespace podsim::firmware
