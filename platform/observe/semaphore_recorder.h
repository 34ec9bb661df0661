// Records what the programs of a chip wait for, and what released each wait.
//
// A semaphore counts, and does not remember who raised it: the recorder does, in order. A wait takes the oldest of what
// has been counted, and what it takes last is what released it.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "platform/chip/chip.h"
#include "platform/observe/recording.h"

namespace podsim::observe {

// What raises a semaphore.
struct Source {
  SpanId span = kNone;
  // Part of a copy that has landed before the rest, for which there is no span yet.
  std::uint32_t copy = kNone;
  Picoseconds when = 0;
};

class SemaphoreRecorder {
 public:
  struct Questions {
    std::function<SpanId(std::uint32_t task)> thread_of;
    std::function<std::string(std::uint32_t semaphore)> name_of;
    std::function<SpanId(const Source&)> landing_of;  // a span for a part of a copy
  };

  // Listens to the chip, which must not outlive the recorder.
  SemaphoreRecorder(Recording& recording, chip::Chip& chip, Questions questions);

  // The next time that this semaphore is raised, that is who does it: blocks tell their observers before they signal.
  void will_be_raised(std::uint32_t semaphore, const Source& source) {
    coming_[0] = coming_[1];
    coming_[1] = {semaphore, source};
  }
  // The chip's own program will raise it, a few cycles later.
  void signalled_here(std::uint32_t semaphore, SpanId signal) { state(semaphore).signals.push(signal); }

  // A launch begins, ends.
  void reset();
  void finish(Picoseconds now);

 private:
  struct Raised {
    Source source;
    std::uint64_t amount;
  };
  struct State {
    Fifo<Raised> raised;
    Fifo<Source> grants;  // of waits that have not gone on yet: what released them
    Fifo<SpanId> signals;
    StringId name = kNone;
  };
  struct Coming {
    std::uint32_t semaphore = kNone;
    Source source;
  };

  // A semaphore's name and the line of the program that waits for it.
  struct Line {
    StringId name;
    std::uint32_t line;
    const char* file;
    bool operator==(const Line&) const = default;
  };
  struct LineHash {
    std::size_t operator()(const Line& line) const { return std::uint64_t{line.name} << 20 ^ line.line; }
  };

  [[nodiscard]] State& state(std::uint32_t semaphore);
  void changed(const semaphore::SemaphoreChange& change);
  void wait_ended(const scalar_core::WaitEnded& wait);
  void add_wait(const scalar_core::PendingAccess& access, Picoseconds began, Picoseconds ended, StringId name);
  [[nodiscard]] StringId detail_of(const scalar_core::PendingAccess& access, std::uint32_t semaphore);

  Recording& recording_;
  chip::Chip& chip_;
  const Questions questions_;
  LaneSet& lane_;
  const Picoseconds wake_;
  const StringId wait_name_, release_name_, never_name_;
  std::vector<State> states_;
  std::array<Coming, 2> coming_;  // the older first: a copy's send and receive semaphore
  std::unordered_map<Line, StringId, LineHash> details_;
};

}  // namespace podsim::observe
