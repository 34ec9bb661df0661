#include "platform/stall/stall_watch.h"

#include <algorithm>
#include <utility>

#include "models/semaphore/semaphore_registers.h"

namespace podsim::stall {

using firmware::Device;
using firmware::Slot;
using firmware::TaskId;

StallWatch::StallWatch(pod::Pod& pod)
    : pod_(pod),
      issue_(pod.config().chip.dma.issue_cost.ps),
      wake_(pod.config().chip.scalar_core.clock.time_for(pod.config().chip.scalar_core.wake_cycles)),
      dma_semaphores_(pod.config().chip.semaphores.dma) {
  // Nobody is told of anything but while a module runs.
  const auto listen = [this](auto&& told) {
    return [this, told](const auto& event) {
      if (active_) told(event);
    };
  };
  for (const auto& each : pod.chips()) {
    chip::Chip& chip = *each;
    const ChipId id = chip.id();
    chip.scalar_core.write_stalled.attach(
        listen([this, id](const auto& event) { chips_[index(id)].stalled.push_back(event); }));
    for (const auto& engine : chip.dma_engines) {
      engine->progress.attach(listen([this, id](const auto& event) { on(id, event); }));
    }
    for (const auto& core : chip.tensor_cores) {
      core->command_probe.attach(listen([this, id](const auto& event) { on(id, event); }));
    }
    chip.hbm.accesses.attach(listen([this, id](const auto& event) { on_memory(id, event); }));
    chip.vmem.accesses.attach(listen([this, id](const auto& event) { on_memory(id, event); }));
    chip.pcie.transfers.attach(listen([this](const auto& event) { on(event); }));
    chip.network_interface.landed.attach(listen([this, id](const auto& event) { on(id, event); }));
    chip.semaphores.changed.attach(listen([this, id](const auto& event) { on(id, event); }));
  }
  for (const pod::Pod::Link& link : pod.links()) {
    link.module->transferred.attach(listen([this, &link](const auto& event) { on(link, event); }));
  }
}

void StallWatch::begin(const firmware::Order& order, const std::vector<firmware::Execution>& chips) {
  order_ = &order;
  executions_ = &chips;
  chips_.assign(pod_.size(), {});
  for (Chip& chip : chips_) chip.stalls.resize(order.size());
  active_ = true;
}

std::vector<std::vector<Stalls>> StallWatch::end() {
  active_ = false;
  std::vector<std::vector<Stalls>> stalls;
  for (Chip& chip : chips_) stalls.push_back(std::move(chip.stalls));
  chips_.clear();
  copies_.clear();
  return stalls;
}

// --- tasks -----------------------------------------------------------------------------------------------------------

StallWatch::Tracked* StallWatch::tracked(ChipId chip, TaskId task) {
  auto& tasks = chips_[index(chip)].tasks;
  const auto found = tasks.find(task);
  return found == tasks.end() ? nullptr : &found->second;
}

void StallWatch::task_launched(Device& chip, TaskId task, std::optional<TaskId> by) {
  if (!by) return;
  TaskId root = task;
  if (const Tracked* const parent = tracked(chip.id(), *by)) {
    root = parent->root;
  } else if (*by != 0 || (*order_)[(*executions_)[index(chip.id())].at].kind != Slot::Kind::kStart) {
    return;  // a kernel's
  }
  chips_[index(chip.id())].tasks.emplace(task, Tracked{root, TimeLine(chip.now())});
}

void StallWatch::task_started(Device& chip, TaskId task) {
  if (Tracked* const line = tracked(chip.id(), task)) line->line.add_until(chip.now(), Cause::kContext);
}

void StallWatch::task_joined(Device& device, TaskId ended, TaskId by) {
  const Tracked* const child = tracked(device.id(), ended);
  if (child == nullptr) return;
  Chip& chip = chips_[index(device.id())];
  if (Tracked* const parent = tracked(device.id(), by)) {
    if (parent->line.end() < device.now()) parent->line.cut_back_to(child->line.begin());
    child->line.for_each(parent->line.end(), device.now(),
                         [&](const TimeLine::Piece& piece) { parent->line.add_until(piece.end, piece.cause); });
    return;
  }
  if (child->root != ended) return;
  const firmware::Execution& program = (*executions_)[index(device.id())];
  chip.stalls[program.at] = child->line.between(program.slots[program.at].begin, device.now());
  std::erase_if(chip.tasks, [&](const auto& each) { return each.second.root == ended; });
  if (chip.tasks.empty()) chip.stalled.clear();
}

void StallWatch::issue_until(const Chip& chip, TimeLine& line, Picoseconds end) const {
  const Picoseconds from = line.end();
  const auto later = std::find_if(chip.stalled.begin(), chip.stalled.end(),
                                  [&](const scalar_core::WriteStalled& each) { return each.until > from; });
  for (auto stall = later; stall != chip.stalled.end() && stall->since < end; ++stall) {
    const bool dma = region_of(stall->address) == Region::kDma;
    line.add_until(stall->since, Cause::kCore);
    line.add_until(std::min(stall->until, end), dma ? Cause::kDmaSlot : Cause::kVectorUnit);
  }
  line.add_until(end, Cause::kCore);
}

void StallWatch::access_ended(Device& device, const scalar_core::PendingAccess& access) {
  Tracked* const task = tracked(device.id(), access.task);
  if (task == nullptr) return;
  const Chip& chip = chips_[index(device.id())];
  TimeLine& line = task->line;
  if (access.kind == scalar_core::PendingAccess::Kind::kWaitAtLeast) {
    const Picoseconds granted = device.now() - wake_;
    issue_until(chip, line, std::min(access.began, granted));
    const std::uint32_t semaphore = semaphore::semaphore_of(access.address);
    const Raiser by = semaphore < chip.semaphores.size() ? chip.semaphores[semaphore].granted : Raiser{};
    if (const Burst* const burst = std::get_if<Burst>(&by); burst != nullptr && line.end() < granted) {
      line.cut_back_to(burst->copy->queued);
      burst->copy->explain(line, granted, burst->number, burst->at_sender);
    } else {
      line.add_until(granted, std::holds_alternative<Command>(by) ? Cause::kVectorUnit : Cause::kSemaphore);
    }
  }
  issue_until(chip, line, device.now());
}

// --- what raises semaphores ------------------------------------------------------------------------------------------

CopyLife* StallWatch::copy_of(std::uint64_t transfer) {
  const auto found = copies_.find(transfer);
  return found == copies_.end() ? nullptr : found->second.get();
}

void StallWatch::raised(Address semaphore, Raiser by) {
  if (semaphore == dma::kNoSemaphore || region_of(semaphore) != Region::kSemaphores) return;
  const std::uint32_t number = semaphore::semaphore_of(semaphore);
  if (number >= dma_semaphores_) return;
  std::vector<Semaphore>& all = chips_[index(chip_of(semaphore))].semaphores;
  if (number >= all.size()) all.resize(number + 1);
  all[number].raised = std::move(by);
}

void StallWatch::on(ChipId chip, const semaphore::SemaphoreChange& change) {
  std::vector<Semaphore>& all = chips_[index(chip)].semaphores;
  if (change.change < 0 && change.semaphore < all.size()) all[change.semaphore].granted = all[change.semaphore].raised;
}

void StallWatch::on(ChipId /*chip*/, const tensor_core::CommandEvent& event) {
  if (event.what == tensor_core::CommandEvent::What::kFinished) raised(event.command.semaphore, Command{});
}

void StallWatch::on(ChipId chip, const dma::DmaProgress& progress) {
  using Step = dma::DmaProgress::Step;
  if (progress.step == Step::kQueued) {
    auto copy = std::make_shared<CopyLife>();
    copy->remote = chip_of(progress.descriptor.destination) != chip;
    copy->bytes = progress.descriptor.bytes;
    copy->queued = progress.when;
    copy->issue = issue_;
    copies_[progress.transfer] = std::move(copy);
    return;
  }
  const auto found = copies_.find(progress.transfer);
  if (found == copies_.end()) return;
  const std::shared_ptr<CopyLife> copy = found->second;
  if (progress.step == Step::kStarted) {
    copy->started = progress.when;
    return;
  }
  const Burst last{copy, copy->bursts.empty() ? 0 : copy->bursts.size() - 1, copy->remote};
  copy->sent = true;
  raised(progress.descriptor.send_semaphore, last);
  if (!copy->remote) raised(progress.descriptor.recv_semaphore, last);
  if (!copy->remote || copy->landed == copy->bursts.size()) copies_.erase(found);
}

// --- the lives of copies ---------------------------------------------------------------------------------------------

void StallWatch::on_memory(ChipId /*chip*/, const memory::MemoryAccess& access) {
  CopyLife* const copy = access.transfer != 0 ? copy_of(access.transfer) : nullptr;
  if (copy == nullptr) return;
  if (!access.write) {
    CopyLife::Burst burst;
    burst.requested = access.requested;
    burst.ready = burst.on_link = access.first_byte;
    burst.slow_source = !copy->remote;
    copy->bursts.push_back(burst);
  } else if (copy->remote) {
    copy->write_lag = access.complete - access.last_byte;
  } else if (!copy->bursts.empty()) {
    CopyLife::Burst& burst = copy->bursts.back();
    burst.left = burst.arrived = access.last_byte;
    burst.visible = access.complete;
  }
}

// PCIe stands where a link does.
void StallWatch::on(const pcie::PcieTransfer& transfer) {
  CopyLife* const copy = transfer.transfer != 0 ? copy_of(transfer.transfer) : nullptr;
  if (copy == nullptr) return;
  if (!transfer.write) {
    CopyLife::Burst burst;
    burst.requested = burst.ready = burst.on_link = transfer.requested;
    copy->bursts.push_back(burst);
  } else if (!copy->bursts.empty()) {
    CopyLife::Burst& burst = copy->bursts.back();
    burst.slow_source = false;
    burst.left = transfer.last_byte;
    burst.arrived = burst.visible = transfer.complete;
  }
}

void StallWatch::on(const pod::Pod::Link& link, const ici::LinkTransfer& transfer) {
  const ici::IciPacket& packet = transfer.packet;
  if (packet.burst == nullptr || packet.source != link.from) return;
  CopyLife* const copy = copy_of(kernel::burst_of(*packet.burst)->transfer);
  if (copy == nullptr || copy->on_link >= copy->bursts.size()) return;
  CopyLife::Burst& burst = copy->bursts[copy->on_link];
  if (burst.left == 0) burst.on_link = transfer.start;
  burst.left = transfer.end;
  const SerialisationTime time(link.module->config().bandwidth_per_direction);
  burst.slow_source = transfer.end > transfer.start + time(packet.bytes + link.module->config().packet_header.bytes);
  if (packet.last_of_burst) ++copy->on_link;
}

void StallWatch::on(ChipId chip, const ici::BurstLanded& landed) {
  if (landed.packet.burst == nullptr) return;  // a signal
  const kernel::Burst& arrived = *kernel::burst_of(*landed.packet.burst);
  const auto found = copies_.find(arrived.transfer);
  if (found == copies_.end()) return;
  const std::shared_ptr<CopyLife> copy = found->second;
  if (copy->landed >= copy->bursts.size()) return;
  CopyLife::Burst& burst = copy->bursts[copy->landed];
  burst.visible = landed.when;
  burst.arrived = landed.when - copy->write_lag;
  if (burst.left == 0) burst.left = burst.arrived;  // flow fidelity, which has no packets on links
  // A semaphore of the chip where it landed, whichever chip that stands for.
  const bool raises = arrived.notify != kernel::Burst::kNoSemaphore;
  raised(raises ? on_chip(arrived.notify, chip) : dma::kNoSemaphore, Burst{copy, copy->landed++, false});
  if (copy->sent && copy->landed == copy->bursts.size()) copies_.erase(found);
}

}  // namespace podsim::stall
