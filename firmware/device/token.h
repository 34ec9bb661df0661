// A token stands for something asynchronous that a program has started. It resolves when the operation has finished,
// never because some time has passed: `co_await token` waits for that, `token.done()` asks.
#pragma once

#include <coroutine>
#include <exception>
#include <memory>
#include <vector>

namespace podsim::firmware {

class Token {
 public:
  Token() = default;

  [[nodiscard]] bool done() const { return state_ == nullptr || state_->done; }

  bool await_ready() const { return done(); }
  void await_suspend(std::coroutine_handle<> waiter) { state_->waiters.push_back(waiter); }
  // Rethrows what the task behind the token threw.
  void await_resume() const {
    if (state_ != nullptr && state_->error) std::rethrow_exception(state_->error);
  }

 private:
  friend class Device;
  struct State {
    bool done = false;
    std::exception_ptr error;
    std::vector<std::coroutine_handle<>> waiters;
  };
  explicit Token(std::shared_ptr<State> state) : state_(std::move(state)) {}

  std::shared_ptr<State> state_;
};

}  // namespace podsim::firmware
