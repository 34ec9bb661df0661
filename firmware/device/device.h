// A chip as its firmware sees it: memory, semaphores, DMA, vector unit, and the other chips of the pod. Everything a
// program starts is asynchronous and is waited for by a semaphore or a token; semantics follow Pallas on TPU, so that a
// kernel can be carried over by eye.
//
//   Push-only: a remote copy writes from local memory into any chip's memory; remote memory can't be read.
//   A copy's send semaphore counts its bytes when the source may be reused; its receive semaphore, on the target chip,
//   counts them as the data becomes visible there. No order is promised between two copies.
//   All semaphores must be back at zero when a program ends.
//
// Each call that waits remembers the program line that made it, for whoever has to explain a hang.
#pragma once

#include <functional>
#include <list>
#include <optional>
#include <source_location>
#include <string>
#include <vector>

#include "firmware/device/allocator.h"
#include "firmware/device/awaitables.h"
#include "firmware/device/buffer.h"
#include "firmware/device/device_observer.h"
#include "firmware/device/issue_port.h"
#include "firmware/device/semaphores.h"
#include "firmware/device/task.h"
#include "firmware/device/tile.h"
#include "firmware/device/token.h"
#include "models/dma/dma_registers.h"
#include "models/ici/torus.h"
#include "models/scalar_core/register_bus.h"

namespace podsim::firmware {

using dma::Priority;
using tensor_core::Opcode;
using Where = std::source_location;

// How a copy is carried out.
struct Copying {
  // Urgent copies go before others of the same engine, background ones after them; none starves (dma/priority_turns.h).
  Priority priority = Priority::kNormal;
  // The DMA engine; without, the chip's engines take turns. Order and priority hold among the copies of one engine.
  std::optional<unsigned> engine{};
};

class Device {
 public:
  // `bus` and `torus` outlive the device.
  Device(ChipId id, scalar_core::RegisterBus& bus, const ici::TorusShape& torus, const Resources& resources);
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  [[nodiscard]] ChipId id() const { return id_; }
  [[nodiscard]] const ici::TorusShape& torus() const { return torus_; }
  [[nodiscard]] Picoseconds now() const { return port_.now(); }
  // Hands out of the share that the running task uses, if the allocator has been split.
  [[nodiscard]] Allocator& allocate() {
    if (!share_of_.empty()) allocator_.use_share(share_of_[port_.task()]);
    return allocator_;
  }
  // The running task, and those that it spawns from now on, use this one of the allocator's shares; at first, all use
  // 0.
  void use_share(unsigned share);

  struct RemoteCopyArguments {
    Tile src;
    Tile dst;  // as allocated on this chip; the copy goes to the same place on `to`
    ChipId to;
    DmaSemaphore send;
    DmaSemaphore recv;
    Copying how{};
  };
  // Tiles of a copy have the same rows, or one of them is all in one piece. Throws ProgramError if the sizes differ or
  // `to` is not a chip of the pod.
  RemoteCopy start_remote_copy(const RemoteCopyArguments& copy, Where where = Where::current());
  // Copy within this chip, or from or to its host's memory. `done` counts the bytes when they are visible.
  LocalCopy start_copy(const Tile& src, const Tile& dst, DmaSemaphore done, Where where = Where::current()) {
    return start_copy(src, dst, done, Copying{}, where);
  }
  LocalCopy start_copy(const Tile& src, const Tile& dst, DmaSemaphore done, const Copying& how,
                       Where where = Where::current());
  // destination[i] = op(a[i], b[i]) on the vector unit; may be in place. `done` counts the destination's bytes.
  LocalCopy start_vector(Opcode op, const Buffer& a, const Buffer& b, const Buffer& destination, DmaSemaphore done,
                         Where where = Where::current());
  // A command for TensorCore `core` of this chip: a product, or something for the vector unit (commands.h). `done`
  // counts the destination's bytes. Each of the two units works in order, and neither waits for the other.
  LocalCopy start(unsigned core, tensor_core::Command command, DmaSemaphore done, Where where = Where::current());
  // Sets every element to zero on the vector unit.
  LocalCopy start_zero(const Buffer& destination, DmaSemaphore done, Where where = Where::current());

  // Raises a semaphore of another chip, or of this one. Throws ProgramError if `to` is not a chip of the pod.
  void signal(RegularSemaphore semaphore, ChipId to, std::uint64_t increment = 1, Where where = Where::current());
  void signal(BarrierSemaphore semaphore, ChipId to, std::uint64_t increment = 1, Where where = Where::current());
  // Waits until the semaphore holds at least `value`, then subtracts it.
  SemaphoreWait wait(DmaSemaphore semaphore, Bytes value, Where where = Where::current());
  SemaphoreWait wait(RegularSemaphore semaphore, std::uint64_t value = 1, Where where = Where::current());
  SemaphoreWait wait(BarrierSemaphore semaphore, std::uint64_t value = 1, Where where = Where::current());
  // The semaphore's value at this moment.
  SemaphoreRead read(SemaphoreHandle semaphore, Where where = Where::current());
  DelayAwaitable delay(Picoseconds time, Where where = Where::current());

  // Runs a task beside the caller. It starts at once if the core has a free context, else when one is released.
  Token spawn(Task task, Where where = Where::current());
  // The same, and how long the token was waited for is kept under that name.
  Token spawn(Task task, std::string name, Where where = Where::current());
  // What became of the named tokens of the program that ran last, in the order of their issue.
  [[nodiscard]] std::vector<TokenTimes> token_times() const;

  // Starts the chip's program; `on_end` is called when it and all that it spawned have ended, with what it threw, or
  // null.
  void run(Task program, std::function<void(std::exception_ptr)> on_end);
  [[nodiscard]] bool running() const { return contexts_in_use_ > 0; }
  // Tasks that have been spawned and wait for one of the core's contexts.
  [[nodiscard]] std::size_t waiting_for_context() const;
  // Drops whatever still runs, after a program that did not end.
  void abandon();

  // For those who observe programs. Observers outlive the program that runs.
  void attach(DeviceObserver& observer) { port_.observers().push_back(&observer); }
  void detach_observers() { port_.observers().clear(); }
  // The task that runs at the moment, and the line of the access that it issued last.
  [[nodiscard]] TaskId task() const { return port_.task(); }
  [[nodiscard]] const scalar_core::ProgramPoint& point() const { return port_.point(); }
  // A task that has not ended.
  struct TaskState {
    TaskId task;
    Where spawned_at;
    bool started = false;           // has a context of the core
    std::vector<TaskId> joiners{};  // tasks that wait for its end
  };
  [[nodiscard]] std::vector<TaskState> unfinished_tasks() const;
  // From now on the program's accesses go to another bus, and nobody is told of its end: to find out what a program
  // that hangs would have done next.
  void divert(scalar_core::RegisterBus& bus);
  // Tells the observers of a collective.
  void announce(const CollectiveCall& call, const Where& where);
  void retire(const CollectiveCall& call);

 private:
  friend class Token;
  struct Running;

  void require_chip(ChipId to, const char* what, const Where& where) const;
  [[nodiscard]] dma::Descriptor descriptor_of(const Tile& src, const Tile& dst, const Where& where) const;
  void start_dma(const dma::Descriptor& descriptor, const Copying& how, const Where& where);
  void start_command(Opcode op, Address a, Address b, const Buffer& destination, DmaSemaphore done, const Where& where);
  void raise(SemaphoreHandle semaphore, ChipId to, std::uint64_t increment, const Where& where);
  [[nodiscard]] scalar_core::PendingAccess pending_wait(SemaphoreHandle semaphore, std::uint64_t value,
                                                        const char* what, const Where& where) const;
  std::shared_ptr<Token::State> launch(Task task, std::optional<TaskId> by, const Where& where, std::string name = {});
  void start_waiting();
  void joined(TaskId ended);
  static void on_task_end(void* running);
  void task_ended(Running& running);

  const ChipId id_;
  IssuePort port_;
  const ici::TorusShape& torus_;
  const Resources resources_;
  Allocator allocator_;
  unsigned next_dma_engine_ = 0;
  unsigned next_tensor_core_ = 0;
  unsigned contexts_in_use_ = 0;
  std::list<Running> tasks_;  // running, then waiting for a context, in the order of their launch
  std::vector<std::shared_ptr<Token::State>> named_;   // in the order of their issue
  std::vector<std::shared_ptr<Token::State>> failed_;  // tasks that threw, in the order of their ends
  std::function<void(std::exception_ptr)> on_end_;
  TaskId next_task_ = 0;
  std::vector<unsigned> share_of_;  // by task; empty: shares are not in use
};

}  // namespace podsim::firmware
