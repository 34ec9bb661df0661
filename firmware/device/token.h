// A token stands for something asynchronous that a program has started. It resolves when the operation has finished,
// never because some time has passed: `co_await token` waits for that, `token.done()` asks.
#pragma once

#include <coroutine>
#include <exception>
#include <memory>
#include <vector>

#include "firmware/device/device_observer.h"

namespace podsim::firmware {

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
  };
  struct State {
    Device* device = nullptr;
    TaskId task = 0;  // that the token stands for
    bool done = false;
    std::exception_ptr error;
    std::vector<Waiter> waiters;
  };
  explicit Token(std::shared_ptr<State> state) : state_(std::move(state)) {}

  std::shared_ptr<State> state_;
};

}  // namespace podsim::firmware
