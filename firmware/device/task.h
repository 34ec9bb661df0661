// Firmware programs are coroutines: Task<> is a program, or a part of one that its caller awaits.
//
//   Task<> child(Device& chip) { co_await chip.delay(...); }
//   Task<> parent(Device& chip) { co_await child(chip); }
//
// A task starts when it is first awaited (or spawned, see Device::spawn) and resumes its caller when it ends. An
// exception thrown in a task comes out of the caller's co_await.
#pragma once

#include <coroutine>
#include <exception>
#include <utility>

namespace podsim::firmware {

class [[nodiscard]] Task {
 public:
  struct promise_type {
    std::coroutine_handle<> caller;           // resumed at the end, if the task was awaited
    void (*on_end)(void* context) = nullptr;  // called at the end, if it was started
    void* context = nullptr;
    std::exception_ptr error;

    Task get_return_object() { return Task(std::coroutine_handle<promise_type>::from_promise(*this)); }
    std::suspend_always initial_suspend() noexcept { return {}; }
    struct ReturnToCaller {
      bool await_ready() noexcept { return false; }
      std::coroutine_handle<> await_suspend(std::coroutine_handle<promise_type> self) noexcept {
        const promise_type& ended = self.promise();
        // Asked for first: on_end may start another program, which clears away the ended tasks.
        const std::coroutine_handle<> next = ended.caller ? ended.caller : std::noop_coroutine();
        if (ended.on_end != nullptr) ended.on_end(ended.context);
        return next;
      }
      void await_resume() noexcept {}
    };
    ReturnToCaller final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { error = std::current_exception(); }
  };

  Task() = default;
  Task(Task&& other) noexcept : coroutine_(std::exchange(other.coroutine_, {})) {}
  Task& operator=(Task&& other) noexcept {
    std::swap(coroutine_, other.coroutine_);
    return *this;
  }
  ~Task() {
    if (coroutine_) coroutine_.destroy();
  }

  // Starts the task without a caller; `on_end(context)` is called when it has ended. The task may be destroyed within
  // that call, and not before.
  void start(void (*on_end)(void* context), void* context) {
    coroutine_.promise().on_end = on_end;
    coroutine_.promise().context = context;
    coroutine_.resume();
  }
  // What the ended task threw, or null.
  [[nodiscard]] std::exception_ptr error() const { return coroutine_.promise().error; }

  struct Awaiter {
    std::coroutine_handle<promise_type> callee;
    bool await_ready() const { return callee.done(); }
    std::coroutine_handle<> await_suspend(std::coroutine_handle<> caller) {
      callee.promise().caller = caller;
      return callee;
    }
    void await_resume() const {
      if (callee.promise().error) std::rethrow_exception(callee.promise().error);
    }
  };
  Awaiter operator co_await() const& { return {coroutine_}; }
  Awaiter operator co_await() const&& { return {coroutine_}; }

 private:
  explicit Task(std::coroutine_handle<promise_type> coroutine) : coroutine_(coroutine) {}
  std::coroutine_handle<promise_type> coroutine_;
};

}  // namespace podsim::firmware
