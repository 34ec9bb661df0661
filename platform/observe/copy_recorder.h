// Records copies from the program's descriptor to where they land, and signals between chips.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "platform/observe/names.h"
#include "platform/observe/recording.h"
#include "platform/observe/semaphore_recorder.h"
#include "platform/pod/pod.h"

namespace podsim::observe {

class CopyRecorder {
 public:
  // The semaphores of a chip; null for one that is not recorded.
  using SemaphoresOf = std::function<SemaphoreRecorder*(ChipId)>;

  // Listens to the pod, which must not outlive the recorder.
  CopyRecorder(Recording& recording, Names& names, pod::Pod& pod, SemaphoresOf semaphores_of);

  // A program writes a descriptor, or raises a semaphore.
  void descriptor_written(ChipId chip, unsigned engine, const dma::Descriptor& descriptor, SpanId thread,
                          Picoseconds when);
  void signal_written(ChipId chip, Address address, SpanId thread, Picoseconds when);

  // The number of the copy that a block knows by its transfer; kNone if it is not known.
  [[nodiscard]] std::uint32_t number_of(std::uint64_t transfer);
  // A span for a part of a copy that has landed before the rest.
  SpanId landing_of(const Source& source);

  void reset();
  void finish(Picoseconds now);

 private:
  struct Copy {
    std::uint32_t number = kNone;
    ChipId from{}, to{};
    dma::Descriptor descriptor;
    Picoseconds asked = 0;
    Picoseconds started = -1;
    SpanId thread = kNone;
    SpanId issue = kNone;
    unsigned engine = 0;
    unsigned track = 0;
    Bytes landed = 0;
    bool sent = false;
    bool over = false;

    [[nodiscard]] bool remote() const { return from != to; }
  };
  struct Written {
    dma::Descriptor descriptor;
    SpanId thread = kNone;
    Picoseconds when = -1;
  };
  struct Engine {
    LaneSet* issue = nullptr;
    LaneSet* contexts = nullptr;
    Fifo<Written> written;
    std::size_t depth_bins = 0;
    unsigned depth = 0;
    Picoseconds depth_since = 0;
    std::deque<Copy> copies;  // not all of them under way any more; an engine numbers its copies in a row
    std::uint64_t first = 0;  // transfer of the first
  };

  void progress(ChipId chip, unsigned engine, const dma::DmaProgress& progress);
  void queued(ChipId chip, unsigned engine, const dma::DmaProgress& progress);
  void started(Copy& copy, Picoseconds now);
  void ended(Copy& copy, Picoseconds now, bool done);
  void landed(ChipId chip, const ici::BurstLanded& landed);
  void arrived(ChipId chip, const ici::IciPacket& signal, Picoseconds now);
  void change_depth(Engine& engine, int change, Picoseconds now);
  [[nodiscard]] StringId copy_name(const Copy& copy, bool issue);
  [[nodiscard]] static Cause cause_of(const Copy& copy);
  [[nodiscard]] Engine& engine_of(const Copy& copy) { return engines_[index(copy.from)][copy.engine]; }
  // Null if it is not known, or over.
  [[nodiscard]] Copy* find(std::uint64_t transfer);
  void forget_if_over(Copy& copy);
  void add_unfinished(Engine& engine, const Copy& copy, Picoseconds now);

  Recording& recording_;
  Names& names_;
  const SemaphoresOf semaphores_of_;
  const Picoseconds issue_cost_;
  std::vector<std::vector<Engine>> engines_;       // by chip
  std::vector<LaneSet*> landings_, signals_;       // by chip
  std::vector<std::pair<SpanId, ChipId>> issues_;  // by copy's number: its issue, and the chip that it goes to
  std::map<std::pair<Address, ChipId>, Fifo<SpanId>> signalled_;  // on their way, by target and source
};

}  // namespace podsim::observe
