// A device's way onto its register bus. It remembers which of the program's tasks is running and at what line, so that
// whoever watches the bus can tell whose access it is.
#pragma once

#include <vector>

#include "firmware/device/device_observer.h"
#include "models/scalar_core/register_bus.h"

namespace podsim::firmware {

class IssuePort {
 public:
  IssuePort(Device& device, scalar_core::RegisterBus& bus) : device_(device), bus_(&bus) {}
  IssuePort(const IssuePort&) = delete;
  IssuePort& operator=(const IssuePort&) = delete;

  void write(Address address, std::span<const std::uint64_t> words, const scalar_core::ProgramPoint& point) {
    point_ = point;
    bus_->write(address, words);
  }
  void suspend(scalar_core::PendingAccess& access) {
    access.task = task_;
    point_ = access.point;
    bus_->suspend(access);
  }
  // The program goes on after an access.
  void resumed(const scalar_core::PendingAccess& access) {
    task_ = access.task;
    for (DeviceObserver* observer : observers_) observer->access_ended(device_, access);
  }

  [[nodiscard]] Picoseconds now() const { return bus_->now(); }
  [[nodiscard]] TaskId task() const { return task_; }
  void set_task(TaskId task) { task_ = task; }
  // Of the access that was issued last.
  [[nodiscard]] const scalar_core::ProgramPoint& point() const { return point_; }
  void connect(scalar_core::RegisterBus& bus) { bus_ = &bus; }
  [[nodiscard]] std::vector<DeviceObserver*>& observers() { return observers_; }

 private:
  Device& device_;
  scalar_core::RegisterBus* bus_;
  TaskId task_ = 0;
  scalar_core::ProgramPoint point_{};
  std::vector<DeviceObserver*> observers_;
};

}  // namespace podsim::firmware
