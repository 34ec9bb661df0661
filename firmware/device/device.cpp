#include "firmware/device/device.h"

#include <fmt/format.h>

#include <algorithm>

#include "firmware/device/errors.h"
#include "models/semaphore/semaphore_registers.h"

namespace podsim::firmware {

using scalar_core::PendingAccess;

// A launched task; it has a context of the core from its start to its end.
struct Device::Running {
  Device& device;
  Task task;
  std::shared_ptr<Token::State> token;
  bool started = false;
  bool ended = false;
};

Device::Device(ChipId id, scalar_core::RegisterBus& bus, const ici::TorusShape& torus, const Resources& resources)
    : id_(id), bus_(bus), torus_(torus), resources_(resources), allocator_(id, resources) {}

Device::~Device() = default;

// --- copies ----------------------------------------------------------------------------------------------------------

namespace {

Address add_register(ChipId chip, SemaphoreHandle semaphore) {
  return semaphore::register_address(chip, semaphore.index, semaphore::kAdd);
}

void require_same_bytes(const Buffer& src, const Buffer& dst, const Where& where) {
  if (src.bytes() == dst.bytes()) return;
  throw ProgramError(fmt::format("{}:{}: a copy of {} bytes into a buffer of {} bytes", where.file_name(), where.line(),
                                 src.bytes(), dst.bytes()));
}

}  // namespace

void Device::require_chip(ChipId to, const char* what, const Where& where) const {
  if (podsim::index(to) < torus_.chips()) return;
  throw ProgramError(fmt::format("{}:{}: {} to chip {}, of a pod of {}", where.file_name(), where.line(), what,
                                 podsim::index(to), torus_.chips()));
}

RemoteCopy Device::start_remote_copy(const RemoteCopyArguments& copy, Where where) {
  require_same_bytes(copy.src, copy.dst, where);
  require_chip(copy.to, "a copy", where);
  const dma::Descriptor descriptor{.source = copy.src.address,
                                   .destination = on_chip(copy.dst.address, copy.to),
                                   .bytes = copy.src.bytes(),
                                   .send_semaphore = add_register(id_, copy.send),
                                   .recv_semaphore = add_register(copy.to, copy.recv)};
  start_dma(descriptor);
  return {&bus_, pending_wait(copy.send, descriptor.bytes, "a remote copy's send semaphore", where),
          pending_wait(copy.recv, descriptor.bytes, "a remote copy's receive semaphore", where)};
}

LocalCopy Device::start_copy(const Buffer& src, const Buffer& dst, DmaSemaphore done, Where where) {
  require_same_bytes(src, dst, where);
  start_dma({.source = src.address,
             .destination = dst.address,
             .bytes = src.bytes(),
             .recv_semaphore = add_register(id_, done)});
  return {&bus_, pending_wait(done, src.bytes(), "a local copy", where)};
}

void Device::start_dma(const dma::Descriptor& descriptor) {
  const auto words = descriptor.words();
  bus_.write(unit_window(id_, Region::kDma, next_dma_engine_) + dma::kDescriptor, words);
  next_dma_engine_ = (next_dma_engine_ + 1) % resources_.dma_engines;
}

// --- vector unit -----------------------------------------------------------------------------------------------------

LocalCopy Device::start_vector(Opcode op, const Buffer& a, const Buffer& b, const Buffer& destination,
                               DmaSemaphore done, Where where) {
  require_same_bytes(a, destination, where);
  require_same_bytes(b, destination, where);
  start_command(op, a.address, b.address, destination, done);
  return {&bus_, pending_wait(done, destination.bytes(), "the vector unit", where)};
}

LocalCopy Device::start_zero(const Buffer& destination, DmaSemaphore done, Where where) {
  start_command(Opcode::kFill, 0, 0, destination, done);
  return {&bus_, pending_wait(done, destination.bytes(), "the vector unit", where)};
}

void Device::start_command(Opcode op, Address a, Address b, const Buffer& destination, DmaSemaphore done) {
  const auto words = tensor_core::Command{.opcode = op,
                                          .type = destination.type,
                                          .a = a,
                                          .b = b,
                                          .destination = destination.address,
                                          .count = destination.elements,
                                          .semaphore = add_register(id_, done),
                                          .amount = destination.bytes()}
                         .words();
  bus_.write(unit_window(id_, Region::kTensorCore, next_tensor_core_) + tensor_core::kCommand, words);
  next_tensor_core_ = (next_tensor_core_ + 1) % resources_.tensor_cores;
}

// --- semaphores ------------------------------------------------------------------------------------------------------

void Device::signal(RegularSemaphore semaphore, ChipId to, std::uint64_t increment, Where where) {
  require_chip(to, "a signal", where);
  bus_.write(add_register(to, semaphore), {&increment, 1});
}
void Device::signal(BarrierSemaphore semaphore, ChipId to, std::uint64_t increment, Where where) {
  require_chip(to, "a signal", where);
  bus_.write(add_register(to, semaphore), {&increment, 1});
}

PendingAccess Device::pending_wait(SemaphoreHandle semaphore, std::uint64_t value, const char* what,
                                   const Where& where) const {
  return {.kind = PendingAccess::Kind::kWaitAtLeast,
          .address = semaphore::register_address(id_, semaphore.index, semaphore::kWait),
          .value = value,
          .point = {where, what}};
}

SemaphoreWait Device::wait(DmaSemaphore semaphore, Bytes value, Where where) {
  return {bus_, pending_wait(semaphore, value, "a DMA semaphore", where)};
}
SemaphoreWait Device::wait(RegularSemaphore semaphore, std::uint64_t value, Where where) {
  return {bus_, pending_wait(semaphore, value, "a REGULAR semaphore", where)};
}
SemaphoreWait Device::wait(BarrierSemaphore semaphore, std::uint64_t value, Where where) {
  return {bus_, pending_wait(semaphore, value, "a BARRIER semaphore", where)};
}

SemaphoreRead Device::read(SemaphoreHandle semaphore, Where where) {
  return {bus_,
          {.kind = PendingAccess::Kind::kRead,
           .address = semaphore::register_address(id_, semaphore.index, semaphore::kValue),
           .point = {where, "a semaphore's value"}}};
}

DelayAwaitable Device::delay(Picoseconds time, Where where) {
  return {
      bus_,
      {.kind = PendingAccess::Kind::kDelay, .value = static_cast<std::uint64_t>(time), .point = {where, "a delay"}}};
}

// --- tasks -----------------------------------------------------------------------------------------------------------

Token Device::spawn(Task task) { return Token(launch(std::move(task))); }

void Device::run(Task program, std::function<void(std::exception_ptr)> on_end) {
  on_end_ = std::move(on_end);
  first_error_ = nullptr;
  launch(std::move(program));
}

std::size_t Device::waiting_for_context() const {
  return static_cast<std::size_t>(
      std::count_if(tasks_.begin(), tasks_.end(), [](const Running& running) { return !running.started; }));
}

void Device::abandon() {
  tasks_.clear();
  contexts_in_use_ = 0;
}

std::shared_ptr<Token::State> Device::launch(Task task) {
  tasks_.remove_if([](const Running& running) { return running.ended; });
  tasks_.push_back({*this, std::move(task), std::make_shared<Token::State>()});
  auto token = tasks_.back().token;  // a short task may end within start_waiting()
  start_waiting();
  return token;
}

void Device::start_waiting() {
  for (Running& running : tasks_) {
    if (contexts_in_use_ >= resources_.contexts) return;
    if (running.started) continue;
    running.started = true;
    ++contexts_in_use_;
    running.task.start(&Device::on_task_end, &running);
  }
}

void Device::on_task_end(void* running) {
  auto& ended = *static_cast<Running*>(running);
  ended.device.task_ended(ended);
}

void Device::task_ended(Running& running) {
  Token::State& token = *running.token;
  token.done = true;
  token.error = running.task.error();
  if (token.error && !first_error_) first_error_ = token.error;
  --contexts_in_use_;
  const auto waiters = std::exchange(token.waiters, {});
  for (const std::coroutine_handle<> waiter : waiters) waiter.resume();
  start_waiting();
  // Only now: the coroutine is at its very end but still on the stack, and a waiter may have launched tasks, which
  // clears away the ended ones.
  running.ended = true;
  if (contexts_in_use_ == 0 && on_end_) std::exchange(on_end_, {})(first_error_);
}

}  // namespace podsim::firmware
