// Fills a timeline from a pod and the programs that run on it.
//
//   blocks      by their probes: copy_recorder.h, semaphore_recorder.h, core_recorder.h, link_recorder.h
//   programs    tasks and collectives (firmware/device/device_observer.h), and what they write to their bus
//   launches    steps and modules (platform/run/launch_observer.h)
//
// Chips may run ahead of each other: no recorder compares the times of two of them. Nothing here touches simulated
// time.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "firmware/collectives/call.h"
#include "platform/observe/copy_recorder.h"
#include "platform/observe/core_recorder.h"
#include "platform/observe/link_recorder.h"
#include "platform/observe/names.h"
#include "platform/observe/recording.h"
#include "platform/observe/semaphore_recorder.h"
#include "platform/pod/pod.h"
#include "platform/run/launch_observer.h"

namespace podsim::observe {

class Recorder final : public run::LaunchObserver {
 public:
  // Both outlive the recorder, which listens to the pod for as long as that runs programs.
  Recorder(pod::Pod& pod, Timeline& timeline, Selection selection);
  ~Recorder();

  // What the next launches are called.
  void begin_step(const std::string& name) { step_name_ = name; }
  // Moves counters to the timeline; nothing is recorded afterwards.
  void finish();

  void launch_began(Picoseconds now) override;
  void launch_stopped(Picoseconds now) override;
  void launch_ended(const run::LaunchResult& result) override;
  void module_executed(const firmware::Module& module, const run::ModulePlan& plan,
                       const std::vector<firmware::Execution>& chips) override;
  void launch_discarded() override;

  void task_launched(firmware::Device& chip, firmware::TaskId task, std::optional<firmware::TaskId> by) override;
  void task_ended(firmware::Device& chip, firmware::TaskId task) override;
  void task_joined(firmware::Device& chip, firmware::TaskId ended, firmware::TaskId by) override;
  void program_ended(firmware::Device& chip) override;
  void collective_began(firmware::Device& chip, const firmware::CollectiveCall& call,
                        const std::source_location& where) override;
  void collective_ended(firmware::Device& chip, const firmware::CollectiveCall& call) override;
  void written(ChipId chip, Address address, std::span<const std::uint64_t> words) override;

 private:
  struct Task {
    SpanId span = kNone;
    LaneSet* lane = nullptr;
    unsigned track = 0;
    bool ended = false;
  };
  // Under way. It may be retired as a copy of the call that was announced: what it says is what tells it from others.
  struct Call {
    firmware::CollectiveKind kind;
    std::uint64_t elements;
    firmware::DType type;
    Span span;
    unsigned track;
  };
  struct Chip {
    firmware::Device* device = nullptr;  // while its program runs
    GroupId group = kNone;
    std::unique_ptr<SemaphoreRecorder> semaphores;
    std::unique_ptr<CoreRecorder> cores;
    LaneSet* steps = nullptr;
    LaneSet* calls = nullptr;
    LaneSet* tasks_lane = nullptr;
    std::vector<Task> tasks;
    std::vector<Call> under_way;
    Picoseconds ended = -1;
  };

  [[nodiscard]] Chip* wanted(ChipId id) {
    return recording_.active && recording_.wants(id) ? &chips_[index(id)] : nullptr;
  }
  [[nodiscard]] SpanId thread_of(const Chip& chip, firmware::TaskId task) const {
    return task < chip.tasks.size() ? chip.tasks[task].span : kNone;
  }
  void end_call(Chip& chip, std::size_t place, Picoseconds now, bool whole);
  void add_step(Chip& chip, Picoseconds end, bool whole);

  pod::Pod& pod_;
  Timeline& timeline_;
  Recording recording_;
  Names names_;
  std::vector<Chip> chips_;
  std::unique_ptr<CopyRecorder> copies_;
  std::unique_ptr<LinkRecorder> links_;
  std::string step_name_;
  Picoseconds elapsed_ = 0;  // on the timeline, up to the launch under way
  Picoseconds began_ = 0;    // the pod's time
  Timeline::Mark mark_;
  std::vector<BinnedSeries> bins_before_;
};

}  // namespace podsim::observe
