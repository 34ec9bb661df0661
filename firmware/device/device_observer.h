// Whoever wants to know what the programs do beyond what their chips' blocks can tell: which tasks there are, and what
// the collectives have been asked to do. With nobody attached each call costs a branch; none touches time.
//
// What a task starts, signals and waits for goes over the register bus, and is watched there: Device::task() and
// Device::point() say whose access it is.
#pragma once

#include <cstdint>
#include <optional>
#include <source_location>

#include "models/scalar_core/register_bus.h"

namespace podsim::firmware {

class Device;
struct CollectiveCall;

using TaskId = std::uint32_t;  // counts a chip's tasks; 0 is the program itself

class DeviceObserver {
 public:
  // A task exists, and may have to wait for a context of the core. `by`: the task that spawned it.
  virtual void task_launched(Device& /*chip*/, TaskId /*task*/, std::optional<TaskId> /*by*/) {}
  // It has a context of the core, and begins.
  virtual void task_started(Device& /*chip*/, TaskId /*task*/) {}
  virtual void task_ended(Device& /*chip*/, TaskId /*task*/) {}
  // Task `by` has learned that another one has ended.
  virtual void task_joined(Device& /*chip*/, TaskId /*ended*/, TaskId /*by*/) {}
  // A task goes on after an access that suspended it.
  virtual void access_ended(Device& /*chip*/, const scalar_core::PendingAccess& /*access*/) {}
  // The program and all that it spawned have ended.
  virtual void program_ended(Device& /*chip*/) {}

  virtual void collective_began(Device& /*chip*/, const CollectiveCall& /*call*/,
                                const std::source_location& /*where*/) {}
  virtual void collective_ended(Device& /*chip*/, const CollectiveCall& /*call*/) {}

 protected:
  ~DeviceObserver() = default;
};

}  // namespace podsim::firmware
