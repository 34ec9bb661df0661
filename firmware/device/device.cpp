#include "firmware/device/device.h"

#include <fmt/format.h>

#include <algorithm>

#include "firmware/device/errors.h"
#include "models/semaphore/semaphore_registers.h"
#include "models/tensor_core/command_footprint.h"

namespace podsim::firmware {

using scalar_core::PendingAccess;

// A launched task; it has a context of the core from its start to its end.
struct Device::Running {
  Device& device;
  Task task;
  std::shared_ptr<Token::State> token;
  Where spawned_at;
  bool started = false;
  bool ended = false;
};

Device::Device(ChipId id, scalar_core::RegisterBus& bus, const ici::TorusShape& torus, const Resources& resources)
    : id_(id), port_(*this, bus), torus_(torus), resources_(resources), allocator_(id, resources) {}

Device::~Device() = default;

// --- copies ----------------------------------------------------------------------------------------------------------

namespace {

Address add_register(ChipId chip, SemaphoreHandle semaphore) {
  return semaphore::register_address(chip, semaphore.index, semaphore::kAdd);
}

void require_same_bytes(const Tile& src, const Tile& dst, const Where& where) {
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

dma::Descriptor Device::descriptor_of(const Tile& src, const Tile& dst, const Where& where) const {
  require_same_bytes(src, dst, where);
  dma::Descriptor descriptor{.source = src.address, .destination = dst.address, .bytes = src.bytes()};
  if (src.contiguous() && dst.contiguous()) return descriptor;
  const Tile& shape = src.contiguous() ? dst : src;
  const bool same_rows =
      src.contiguous() || dst.contiguous() || (src.rows == dst.rows && src.row_bytes() == dst.row_bytes());
  if (!same_rows || (!dst.contiguous() && dst.pitch < dst.columns)) {
    throw ProgramError(fmt::format("{}:{}: a copy of {} rows of {} bytes into {} rows of {} bytes, {} bytes apart",
                                   where.file_name(), where.line(), src.rows, src.row_bytes(), dst.rows,
                                   dst.row_bytes(), dst.pitch_bytes()));
  }
  descriptor.rows = shape.rows;
  descriptor.source_pitch = src.contiguous() ? shape.row_bytes() : src.pitch_bytes();
  descriptor.destination_pitch = dst.contiguous() ? shape.row_bytes() : dst.pitch_bytes();
  return descriptor;
}

RemoteCopy Device::start_remote_copy(const RemoteCopyArguments& copy, Where where) {
  dma::Descriptor descriptor = descriptor_of(copy.src, copy.dst, where);
  require_chip(copy.to, "a copy", where);
  descriptor.destination = on_chip(copy.dst.address, copy.to);
  descriptor.send_semaphore = add_register(id_, copy.send);
  descriptor.recv_semaphore = add_register(copy.to, copy.recv);
  start_dma(descriptor, copy.how, where);
  return {&port_, pending_wait(copy.send, descriptor.bytes, "a remote copy's send semaphore", where),
          pending_wait(copy.recv, descriptor.bytes, "a remote copy's receive semaphore", where)};
}

LocalCopy Device::start_copy(const Tile& src, const Tile& dst, DmaSemaphore done, const Copying& how, Where where) {
  dma::Descriptor descriptor = descriptor_of(src, dst, where);
  descriptor.recv_semaphore = add_register(id_, done);
  start_dma(descriptor, how, where);
  return {&port_, pending_wait(done, src.bytes(), "a local copy", where)};
}

void Device::start_dma(const dma::Descriptor& descriptor, const Copying& how, const Where& where) {
  if (how.engine && *how.engine >= resources_.dma_engines) {
    throw ProgramError(fmt::format("{}:{}: a copy by DMA engine {}, of {}", where.file_name(), where.line(),
                                   *how.engine, resources_.dma_engines));
  }
  dma::Descriptor prioritised = descriptor;
  prioritised.priority = how.priority;
  const auto words = prioritised.words();
  const unsigned engine = how.engine.value_or(next_dma_engine_);
  port_.write(unit_window(id_, Region::kDma, engine) + dma::kDescriptor, words, {where, "a copy"});
  if (!how.engine) next_dma_engine_ = (next_dma_engine_ + 1) % resources_.dma_engines;
}

// --- vector unit -----------------------------------------------------------------------------------------------------

LocalCopy Device::start_vector(Opcode op, const Buffer& a, const Buffer& b, const Buffer& destination,
                               DmaSemaphore done, Where where) {
  require_same_bytes(a, destination, where);
  require_same_bytes(b, destination, where);
  start_command(op, a.address, b.address, destination, done, where);
  return {&port_, pending_wait(done, destination.bytes(), "the vector unit", where)};
}

LocalCopy Device::start(unsigned core, tensor_core::Command command, DmaSemaphore done, Where where) {
  if (core >= resources_.tensor_cores) {
    throw ProgramError(fmt::format("{}:{}: a command for TensorCore {} of {}", where.file_name(), where.line(), core,
                                   resources_.tensor_cores));
  }
  const bool product = command.opcode == Opcode::kMatmul;
  command.semaphore = add_register(id_, done);
  command.amount = tensor_core::footprint_of(command).destination;
  port_.write(unit_window(id_, Region::kTensorCore, core) + tensor_core::kCommand, command.words(),
              {where, product ? "a product" : "a vector operation"});
  return {&port_, pending_wait(done, command.amount, product ? "the matrix unit" : "the vector unit", where)};
}

LocalCopy Device::start_zero(const Buffer& destination, DmaSemaphore done, Where where) {
  start_command(Opcode::kFill, 0, 0, destination, done, where);
  return {&port_, pending_wait(done, destination.bytes(), "the vector unit", where)};
}

void Device::start_command(Opcode op, Address a, Address b, const Buffer& destination, DmaSemaphore done,
                           const Where& where) {
  const auto words = tensor_core::Command{.opcode = op,
                                          .type = destination.type,
                                          .a = a,
                                          .b = b,
                                          .destination = destination.address,
                                          .count = destination.elements,
                                          .semaphore = add_register(id_, done),
                                          .amount = destination.bytes()}
                         .words();
  port_.write(unit_window(id_, Region::kTensorCore, next_tensor_core_) + tensor_core::kCommand, words,
              {where, "a vector operation"});
  next_tensor_core_ = (next_tensor_core_ + 1) % resources_.tensor_cores;
}

// --- semaphores ------------------------------------------------------------------------------------------------------

void Device::raise(SemaphoreHandle semaphore, ChipId to, std::uint64_t increment, const Where& where) {
  require_chip(to, "a signal", where);
  port_.write(add_register(to, semaphore), {&increment, 1}, {where, "a signal"});
}
void Device::signal(RegularSemaphore semaphore, ChipId to, std::uint64_t increment, Where where) {
  raise(semaphore, to, increment, where);
}
void Device::signal(BarrierSemaphore semaphore, ChipId to, std::uint64_t increment, Where where) {
  raise(semaphore, to, increment, where);
}

PendingAccess Device::pending_wait(SemaphoreHandle semaphore, std::uint64_t value, const char* what,
                                   const Where& where) const {
  return {.kind = PendingAccess::Kind::kWaitAtLeast,
          .address = semaphore::register_address(id_, semaphore.index, semaphore::kWait),
          .value = value,
          .point = {where, what}};
}

SemaphoreWait Device::wait(DmaSemaphore semaphore, Bytes value, Where where) {
  return {port_, pending_wait(semaphore, value, "a DMA semaphore", where)};
}
SemaphoreWait Device::wait(RegularSemaphore semaphore, std::uint64_t value, Where where) {
  return {port_, pending_wait(semaphore, value, "a REGULAR semaphore", where)};
}
SemaphoreWait Device::wait(BarrierSemaphore semaphore, std::uint64_t value, Where where) {
  return {port_, pending_wait(semaphore, value, "a BARRIER semaphore", where)};
}

SemaphoreRead Device::read(SemaphoreHandle semaphore, Where where) {
  return {port_,
          {.kind = PendingAccess::Kind::kRead,
           .address = semaphore::register_address(id_, semaphore.index, semaphore::kValue),
           .point = {where, "a semaphore's value"}}};
}

DelayAwaitable Device::delay(Picoseconds time, Where where) {
  return {
      port_,
      {.kind = PendingAccess::Kind::kDelay, .value = static_cast<std::uint64_t>(time), .point = {where, "a delay"}}};
}

// --- tasks -----------------------------------------------------------------------------------------------------------

Token Device::spawn(Task task, Where where) { return Token(launch(std::move(task), port_.task(), where)); }

Token Device::spawn(Task task, std::string name, Where where) {
  return Token(launch(std::move(task), port_.task(), where, std::move(name)));
}

std::vector<TokenTimes> Device::token_times() const {
  std::vector<TokenTimes> times;
  for (const auto& token : named_) times.push_back(token->times);
  return times;
}

void Device::run(Task program, std::function<void(std::exception_ptr)> on_end) {
  on_end_ = std::move(on_end);
  failed_.clear();
  named_.clear();
  next_task_ = 0;
  share_of_.clear();
  launch(std::move(program), std::nullopt, Where::current());
}

std::size_t Device::waiting_for_context() const {
  return static_cast<std::size_t>(
      std::count_if(tasks_.begin(), tasks_.end(), [](const Running& running) { return !running.started; }));
}

void Device::use_share(unsigned share) {
  share_of_.resize(next_task_);
  share_of_[port_.task()] = share;
}

void Device::abandon() {
  tasks_.clear();
  share_of_.clear();
  contexts_in_use_ = 0;
}

std::vector<Device::TaskState> Device::unfinished_tasks() const {
  std::vector<TaskState> unfinished;
  for (const Running& running : tasks_) {
    if (running.token->done) continue;
    TaskState& state = unfinished.emplace_back(TaskState{running.token->task, running.spawned_at, running.started});
    for (const Token::Waiter& waiter : running.token->waiters) state.joiners.push_back(waiter.task);
  }
  return unfinished;
}

void Device::divert(scalar_core::RegisterBus& bus) {
  port_.connect(bus);
  on_end_ = {};
  port_.observers().clear();
}

void Device::announce(const CollectiveCall& call, const Where& where) {
  for (DeviceObserver* observer : port_.observers()) observer->collective_began(*this, call, where);
}

void Device::retire(const CollectiveCall& call) {
  for (DeviceObserver* observer : port_.observers()) observer->collective_ended(*this, call);
}

std::shared_ptr<Token::State> Device::launch(Task task, std::optional<TaskId> by, const Where& where,
                                             std::string name) {
  tasks_.remove_if([](const Running& running) { return running.ended; });
  auto token = std::make_shared<Token::State>();  // a short task may end within start_waiting()
  token->device = this;
  token->task = next_task_++;
  if (!share_of_.empty()) share_of_.push_back(by ? share_of_[*by] : 0);
  if (!name.empty()) {
    token->times.name = std::move(name);
    token->times.issued = now();
    named_.push_back(token);
  }
  tasks_.push_back({*this, std::move(task), token, where});
  for (DeviceObserver* observer : port_.observers()) observer->task_launched(*this, token->task, by);
  start_waiting();
  return token;
}

void Device::start_waiting() {
  for (Running& running : tasks_) {
    if (contexts_in_use_ >= resources_.contexts) return;
    if (running.started) continue;
    running.started = true;
    ++contexts_in_use_;
    const TaskId caller = port_.task();
    port_.set_task(running.token->task);
    for (DeviceObserver* observer : port_.observers()) observer->task_started(*this, running.token->task);
    running.task.start(&Device::on_task_end, &running);
    port_.set_task(caller);
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
  if (token.error) failed_.push_back(running.token);
  token.times.finished = now();
  --contexts_in_use_;
  for (DeviceObserver* observer : port_.observers()) observer->task_ended(*this, token.task);
  const auto waiters = std::exchange(token.waiters, {});
  // Of several that wait, the one that began first.
  for (const Token::Waiter& waiter : waiters) {
    token.times.exposed = std::max(token.times.exposed, now() - waiter.since);
  }
  for (const Token::Waiter& waiter : waiters) {
    port_.set_task(waiter.task);
    waiter.program.resume();
  }
  start_waiting();
  // Only now: the coroutine is at its very end but still on the stack, and a waiter may have launched tasks, which
  // clears away the ended ones.
  running.ended = true;
  if (contexts_in_use_ > 0) return;
  share_of_.clear();
  for (DeviceObserver* observer : port_.observers()) observer->program_ended(*this);
  const auto left = std::find_if(failed_.begin(), failed_.end(), [](const auto& state) { return !state->error_taken; });
  const std::exception_ptr error = left != failed_.end() ? (*left)->error : nullptr;
  failed_.clear();
  if (on_end_) std::exchange(on_end_, {})(error);
}

void Device::joined(TaskId ended) {
  for (DeviceObserver* observer : port_.observers()) observer->task_joined(*this, ended, port_.task());
}

// --- tokens ----------------------------------------------------------------------------------------------------------

bool Token::done() const {
  if (state_ == nullptr) return true;
  if (state_->done) state_->device->joined(state_->task);
  return state_->done;
}

void Token::await_suspend(std::coroutine_handle<> waiter) {
  state_->waiters.push_back({waiter, state_->device->task(), state_->device->now()});
}

void Token::await_resume() const {
  if (state_ == nullptr) return;
  state_->device->joined(state_->task);
  if (!state_->error) return;
  state_->error_taken = true;
  std::rethrow_exception(state_->error);
}

}  // namespace podsim::firmware
