// Watches the transfers of modules: at each moment at which a program waits for one, what holds it up. It listens to
// the blocks' probes and to the devices, and changes nothing.
//
// A transfer is a task, and tasks that it spawns. Each of them has a time line from its launch to its end: until it has
// a context; then from one wait to the next. A wait for a DMA semaphore is explained by what raised it, a copy
// (copy_life.h) or a TensorCore; one for another semaphore by the peer that had not signalled; one for a task by that
// task's own time line. What was waited for counts from when it was started: that the task waited for something else
// meanwhile, which was ready earlier, has held up nothing. What of a transfer's time line lies within the program's
// wait is what the wait was for.
#pragma once

#include <map>
#include <memory>
#include <unordered_map>
#include <variant>
#include <vector>

#include "firmware/device/device.h"
#include "firmware/module/executor.h"
#include "platform/pod/pod.h"
#include "platform/stall/copy_life.h"

namespace podsim::stall {

class StallWatch final : public firmware::DeviceObserver {
 public:
  // Listens from now on, and has to be there as long as the pod is simulated.
  explicit StallWatch(pod::Pod& pod);

  // For the next program. `order` and `chips` (what executes it, by chip) outlive it.
  void begin(const firmware::Order& order, const std::vector<firmware::Execution>& chips);
  // By chip, and by place in the order: what the program waited for there. Zero but where it waits for a transfer.
  [[nodiscard]] std::vector<std::vector<Stalls>> end();

 private:
  using Copies = std::unordered_map<std::uint64_t, std::shared_ptr<CopyLife>>;  // under way, by transfer
  // What raised a DMA semaphore.
  struct Burst {
    std::shared_ptr<const CopyLife> copy;
    std::size_t number;
    bool at_sender;
  };
  struct Command {};
  using Raiser = std::variant<std::monostate, Burst, Command>;
  struct Semaphore {
    Raiser raised;   // latest
    Raiser granted;  // when somebody's wait ended
  };
  struct Tracked {
    firmware::TaskId root;  // the transfer's own task
    TimeLine line;
  };
  struct Chip {
    std::map<firmware::TaskId, Tracked> tasks;
    std::vector<Semaphore> semaphores;  // of the DMA kind
    std::vector<scalar_core::WriteStalled> stalled;
    std::vector<Stalls> stalls;
  };

  // DeviceObserver
  void task_launched(firmware::Device& chip, firmware::TaskId task, std::optional<firmware::TaskId> by) override;
  void task_started(firmware::Device& chip, firmware::TaskId task) override;
  void task_joined(firmware::Device& chip, firmware::TaskId ended, firmware::TaskId by) override;
  void access_ended(firmware::Device& chip, const scalar_core::PendingAccess& access) override;

  // Probes
  void on(ChipId chip, const dma::DmaProgress& progress);
  void on_memory(ChipId chip, const memory::MemoryAccess& access);
  void on(const pcie::PcieTransfer& transfer);
  void on(const pod::Pod::Link& link, const ici::LinkTransfer& transfer);
  void on(ChipId chip, const ici::BurstLanded& landed);
  void on(ChipId chip, const tensor_core::CommandEvent& event);
  void on(ChipId chip, const semaphore::SemaphoreChange& change);

  // Null for one that is not followed.
  [[nodiscard]] CopyLife* copy_of(std::uint64_t transfer);
  [[nodiscard]] Tracked* tracked(ChipId chip, firmware::TaskId task);
  void raised(Address semaphore, Raiser by);
  // A task that issued or waited until `end`, in its own time but for registers that did not take a write.
  void issue_until(const Chip& chip, TimeLine& line, Picoseconds end) const;

  pod::Pod& pod_;
  const Picoseconds issue_;
  const Picoseconds wake_;
  const std::uint32_t dma_semaphores_;
  bool active_ = false;
  const firmware::Order* order_ = nullptr;
  const std::vector<firmware::Execution>* executions_ = nullptr;
  std::vector<Chip> chips_;
  Copies copies_;
};

}  // namespace podsim::stall
