#include "platform/check/blocked_graph.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/ici/routing.h"
#include "models/semaphore/semaphore_registers.h"
#include "platform/check/program_point.h"
#include "platform/check/rehearsal.h"

namespace podsim::check {

using firmware::TaskId;
using Kind = WaitForGraph::Kind;

std::vector<BlockedWait> blocked_waits(const pod::Pod& pod, const Devices& devices) {
  std::vector<BlockedWait> waits;
  for (const auto& device : devices) {
    if (!device->running()) continue;
    const chip::Chip& chip = *pod.chips()[index(device->id())];
    chip.scalar_core.for_each_blocked([&](const scalar_core::PendingAccess& access) {
      if (access.kind != scalar_core::PendingAccess::Kind::kWaitAtLeast) return;
      const std::uint32_t semaphore = semaphore::semaphore_of(access.address);
      waits.push_back(
          {device->id(), access.task, semaphore, access.value, chip.semaphores.value(semaphore), access.point});
    });
  }
  return waits;
}

namespace {

class Builder {
 public:
  Builder(pod::Pod& pod, const Devices& devices, const Observers& observers)
      : pod_(pod), devices_(devices), observers_(observers) {}

  [[nodiscard]] WaitForGraph build() {
    const std::vector<BlockedWait> waits = blocked_waits(pod_, devices_);
    for (const BlockedWait& wait : waits) {
      graph_.node(Kind::kTask, task_name(wait.chip, wait.task), state_of(wait), wait.chip);
    }
    for (const auto& device : devices_) add_tasks(*device);
    add_stalled_cores();
    const Rehearsal rehearsal(pod_, devices_);
    for (const BlockedWait& wait : waits) add_wait(wait, rehearsal);
    add_buffers();
    graph_.find_cycle();
    return std::move(graph_);
  }

 private:
  [[nodiscard]] std::string place(ChipId chip) const {
    return fmt::format("chip {} {}", podsim::index(chip), pod_.torus().place(chip));
  }
  [[nodiscard]] std::string task_name(ChipId chip, TaskId task) const {
    return task == 0 ? place(chip) : fmt::format("{}, task {}", place(chip), task);
  }
  [[nodiscard]] std::string semaphore_name(ChipId chip, std::uint32_t semaphore) const {
    return fmt::format("'{}' of chip {}", devices_[podsim::index(chip)]->allocate().name_of({semaphore}),
                       podsim::index(chip));
  }

  [[nodiscard]] std::string state_of(const BlockedWait& wait) const {
    std::string text = "at " + point_text(wait.point.where);
    if (const std::string call = open_call(wait.chip); !call.empty()) text += ", in " + call;
    return text;
  }
  // The collective that a chip is in, if it is in one alone.
  [[nodiscard]] std::string open_call(ChipId chip) const {
    if (observers_.contracts() == nullptr) return {};
    const auto& open = observers_.contracts()->open(chip);
    return open.size() == 1 ? observers_.contracts()->text(open.front()) : std::string();
  }

  // Tasks that wait for the end of others, or for a context of the core.
  void add_tasks(const firmware::Device& device) {
    if (!device.running()) return;
    const ChipId chip = device.id();
    const auto unfinished = device.unfinished_tasks();
    const std::string contexts = "contexts of " + place(chip);
    for (const auto& task : unfinished) {
      const std::size_t node = graph_.node(Kind::kTask, task_name(chip, task.task), {}, chip);
      for (const TaskId joiner : task.joiners) {
        graph_.edge(graph_.node(Kind::kTask, task_name(chip, joiner), {}, chip), node, "waits for its end");
      }
      if (task.started) continue;
      const unsigned count = pod_.config().chip.scalar_core.contexts;
      const std::size_t pool =
          graph_.node(Kind::kContexts, contexts, fmt::format("scalar_core.contexts: {}, all in use", count), chip);
      graph_.nodes[node].state = fmt::format("spawned at {}, not started", point_text(task.spawned_at));
      graph_.edge(node, pool, "needs a context");
      for (const auto& holder : unfinished) {
        if (!holder.started) continue;
        graph_.edge(pool, graph_.node(Kind::kTask, task_name(chip, holder.task), {}, chip), "holds one until its end");
      }
    }
  }

  // A core whose last write found a queue full holds up everything behind it.
  void add_stalled_cores() {
    for (const auto& device : devices_) {
      const ChipId chip = device->id();
      if (!pod_.chip(chip).scalar_core.stalled()) continue;
      const std::size_t queue = graph_.node(
          Kind::kQueue, "a full queue of " + place(chip),
          fmt::format("dma.queue_depth: {}, tensor_core.command_queue_depth: {}", pod_.config().chip.dma.queue_depth,
                      pod_.config().chip.tensor_core.command_queue_depth),
          chip);
      for (const auto& task : device->unfinished_tasks()) {
        if (!task.started) continue;
        graph_.edge(graph_.node(Kind::kTask, task_name(chip, task.task), {}, chip), queue, "its bus is held up");
      }
    }
  }

  void add_wait(const BlockedWait& wait, const Rehearsal& rehearsal) {
    const std::size_t task = graph_.node(Kind::kTask, task_name(wait.chip, wait.task), {}, wait.chip);
    const std::size_t semaphore = graph_.node(Kind::kSemaphore, semaphore_name(wait.chip, wait.semaphore),
                                              fmt::format("holds {}, {} wanted", wait.held, wait.wanted), wait.chip);
    graph_.edge(task, semaphore, "waits for it");
    std::uint64_t lacks = wait.wanted - std::min(wait.wanted, wait.held);
    lacks -= std::min(lacks, add_under_way(wait, semaphore, lacks));
    // What the task itself would do after its wait comes too late, but is worth knowing if nobody else would.
    for (const bool own : {false, true}) {
      for (const Intention& each : rehearsal.of(wait.chip, wait.semaphore)) {
        if (lacks == 0) break;
        if ((each.chip == wait.chip && each.after == wait.task) != own) continue;
        lacks -= std::min(lacks, each.amount);
        graph_.edge(semaphore, task_of(each),
                    fmt::format("would raise it by {} at {}", each.amount, point_text(each.point.where)));
      }
    }
    if (lacks > 0) add_missing(wait, semaphore, lacks);
  }

  // The task that would do it, if it exists already.
  std::size_t task_of(const Intention& each) {
    const std::string name = task_name(each.chip, each.task);
    const bool exists = std::any_of(graph_.nodes.begin(), graph_.nodes.end(), [&](const WaitForGraph::Node& node) {
      return node.kind == Kind::kTask && node.name == name;
    });
    return graph_.node(Kind::kTask, exists ? name : task_name(each.chip, each.after), {}, each.chip);
  }

  // Data and signals that have been started and have not arrived. Returns how much they would bring.
  std::uint64_t add_under_way(const BlockedWait& wait, std::size_t semaphore, std::uint64_t lacks) {
    const SemaphoreLedger* const ledger = observers_.ledger();
    if (ledger == nullptr || lacks == 0) return 0;
    const std::uint64_t arrived = ledger->waited_for(wait.chip, wait.semaphore) + wait.held;
    const std::uint64_t raised = ledger->raised(wait.chip, wait.semaphore);
    if (raised <= arrived) return 0;
    std::uint64_t left = raised - arrived;
    const auto outstanding = ledger->outstanding(wait.chip, wait.semaphore);
    for (auto each = outstanding.rbegin(); each != outstanding.rend() && left > 0; ++each) {
      left -= std::min(left, each->amount);
      const bool copy = each->operation.has_value();
      const std::size_t node = graph_.node(Kind::kCopy,
                                           fmt::format("{} from {} started at {}", copy ? "a copy" : "a signal",
                                                       place(each->chip), point_text(each->point.where)),
                                           "under way, and has not arrived", each->chip);
      graph_.edge(semaphore, node, fmt::format("will raise it by {}", each->amount));
      copies_.push_back({node, each->chip, wait.chip});
    }
    return raised - arrived;
  }

  void add_missing(const BlockedWait& wait, std::size_t semaphore, std::uint64_t lacks) {
    bool explained = false;
    if (const ContractChecker* contracts = observers_.contracts()) {
      for (const ContractChecker::Open& open : contracts->open(wait.chip)) {
        const std::vector<ChipId> missing = contracts->missing(open);
        if (missing.empty()) continue;
        const std::size_t call = graph_.node(Kind::kCall, contracts->text(open), "not all members have called");
        graph_.edge(semaphore, call, "belongs to it");
        for (const ChipId member : missing) graph_.edge(call, member_node(member), "has not made the call");
        explained = true;
      }
    }
    if (explained) return;
    for (const ChipId likely : likely_signallers(wait)) {
      graph_.edge(semaphore, member_node(likely), "raises it on other chips, by its place in the pod");
      explained = true;
    }
    if (explained) return;
    std::string why = fmt::format("{} more wanted, and no program that still runs would raise it", lacks);
    if (const SemaphoreLedger* const ledger = observers_.ledger()) {
      if (const Origin* const last = ledger->last_raised(wait.chip, wait.semaphore)) {
        why += fmt::format("; last raised by {}, by {}, at {}", last->amount, place(last->chip),
                           point_text(last->point.where));
      } else {
        why += "; nobody ever has";
      }
    }
    graph_.edge(semaphore, graph_.node(Kind::kNobody, "nobody"), why);
  }

  // What stands for a chip: its program if that runs.
  std::size_t member_node(ChipId chip) {
    const firmware::Device& device = *devices_[podsim::index(chip)];
    const bool runs = std::any_of(graph_.nodes.begin(), graph_.nodes.end(), [&](const WaitForGraph::Node& node) {
      return node.kind == Kind::kTask && node.name == task_name(chip, 0);
    });
    if (runs || device.running()) return graph_.node(Kind::kTask, task_name(chip, 0), {}, chip);
    return graph_.node(Kind::kEnded, place(chip), "its program has ended", chip);
  }

  // Chips whose place relative to this one is that of the chips that raise the same semaphore elsewhere.
  [[nodiscard]] std::vector<ChipId> likely_signallers(const BlockedWait& wait) const {
    const SemaphoreLedger* const ledger = observers_.ledger();
    if (ledger == nullptr) return {};
    const ici::TorusShape& torus = pod_.torus();
    const auto shifted = [&](ChipId from, ChipId base, ChipId to) {  // `to` + (from - base), round the axes
      ici::Coordinates at = torus.coordinates(to);
      for (unsigned i = 0; i < torus.axes(); ++i) {
        const std::uint32_t size = torus.axis(static_cast<ici::Axis>(i)).size;
        at[i] = (at[i] + torus.coordinates(from)[i] + size - torus.coordinates(base)[i]) % size;
      }
      return torus.chip_at(at);
    };
    std::map<ChipId, unsigned> votes;
    for (std::uint32_t i = 0; i < torus.chips(); ++i) {
      const auto other = static_cast<ChipId>(i);
      if (other == wait.chip) continue;
      for (const ChipId from : ledger->signallers(other, wait.semaphore)) ++votes[shifted(from, other, wait.chip)];
    }
    const std::vector<ChipId> own = ledger->signallers(wait.chip, wait.semaphore);
    std::vector<ChipId> likely;
    for (const auto& [chip, count] : votes) {
      const bool has_signalled = std::find(own.begin(), own.end(), chip) != own.end();
      if (!has_signalled && 2 * count >= torus.chips() - 1 && chip != wait.chip) likely.push_back(chip);
    }
    return likely;
  }

  // Router buffers whose packets wait for room in the next one.
  void add_buffers() {
    const ici::TorusShape& torus = pod_.torus();
    const auto link_name = [&](ChipId chip, ici::Port in) {
      if (torus.listed_links() != nullptr)
        return fmt::format("from chip {}", podsim::index(*torus.neighbour(chip, in)));
      return fmt::format("{}{}", torus.axis(ici::axis_of(in)).name, ici::is_plus(in) ? "+" : "-");
    };
    const auto buffer = [&](ChipId chip, ici::Port in, std::uint8_t channel) {
      return graph_.node(Kind::kBuffer,
                         fmt::format("{}: buffer of link {}, channel {}", place(chip), link_name(chip, in), channel),
                         "full", chip);
    };
    for (const auto& chip : pod_.chips()) {
      chip->router.for_each_waiting([&](const ici::WaitingPacket& waiting) {
        const auto out = static_cast<ici::Port>(waiting.out_port);
        const auto next = torus.neighbour(chip->id(), out);
        if (!next) return;
        const std::size_t wanted = buffer(*next, torus.far_port(chip->id(), out), waiting.packet.next_channel);
        if (waiting.in_port != ici::Hop::kLocal) {
          graph_.edge(buffer(chip->id(), static_cast<ici::Port>(waiting.in_port), waiting.packet.channel), wanted,
                      "needs credit");
        }
        for (const auto& [node, from, to] : copies_) {
          if (waiting.packet.source == from && waiting.packet.destination == to) {
            graph_.edge(node, wanted, "needs credit");
          }
        }
      });
    }
  }

  struct UnderWay {
    std::size_t node;
    ChipId from;
    ChipId to;
  };

  pod::Pod& pod_;
  const Devices& devices_;
  const Observers& observers_;
  WaitForGraph graph_;
  std::vector<UnderWay> copies_;
};

}  // namespace

WaitForGraph blocked_graph(pod::Pod& pod, const Devices& devices, const Observers& observers) {
  return Builder(pod, devices, observers).build();
}

}  // namespace podsim::check
