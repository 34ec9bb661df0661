// What a program can co_await on its device. Each holds the core's PendingAccess inside the awaiting coroutine's frame.
#pragma once

#include <coroutine>

#include "firmware/device/issue_port.h"
#include "firmware/device/task.h"

namespace podsim::firmware {

// One register access that suspends the program.
class BusAwaitable {
 public:
  BusAwaitable(IssuePort& port, const scalar_core::PendingAccess& access) : port_(port), access_(access) {}

  bool await_ready() const { return false; }
  void await_suspend(std::coroutine_handle<> program) {
    access_.program = program;
    port_.suspend(access_);
  }
  std::uint64_t await_resume() const {
    port_.resumed(access_);
    return access_.result;
  }

 private:
  IssuePort& port_;
  scalar_core::PendingAccess access_;
};

using SemaphoreWait = BusAwaitable;
using SemaphoreRead = BusAwaitable;
using DelayAwaitable = BusAwaitable;

// A copy or a vector operation on this chip: `co_await` waits until its result is visible.
struct LocalCopy {
  IssuePort* port = nullptr;
  scalar_core::PendingAccess done;

  [[nodiscard]] BusAwaitable operator co_await() const { return {*port, done}; }
};

// A remote copy. The receiving side of `recv` is this chip: in the usual ring, where each chip sends to its right and
// receives as much from its left, `co_await copy` waits for both.
struct RemoteCopy {
  IssuePort* port = nullptr;
  scalar_core::PendingAccess send;
  scalar_core::PendingAccess recv;

  // The source may be reused.
  [[nodiscard]] BusAwaitable wait_send() const { return {*port, send}; }
  // As many bytes as this copy sends have arrived here.
  [[nodiscard]] BusAwaitable wait_recv() const { return {*port, recv}; }

  // wait_send, then wait_recv.
  class Both {
   public:
    explicit Both(const RemoteCopy& copy) : task_(wait_both(copy)) {}
    bool await_ready() const { return false; }
    std::coroutine_handle<> await_suspend(std::coroutine_handle<> program) {
      return Task::Awaiter(task_.operator co_await()).await_suspend(program);
    }
    void await_resume() const {}

   private:
    static Task wait_both(RemoteCopy copy) {
      co_await copy.wait_send();
      co_await copy.wait_recv();
    }
    Task task_;
  };
  [[nodiscard]] Both operator co_await() const { return Both(*this); }
};

}  // namespace podsim::firmware
