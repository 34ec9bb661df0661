// A run as a value change dump, written by SystemC's own tracing (sc_trace), for GTKWave and other waveform viewers: of
// each chip whether its links are busy, the depth of its DMA engines' queues, and the values of its semaphores.
//
// Some changes are known ahead (a link will be free again): a process of this module makes them when their time has
// come. It never keeps the simulation going: when the pod has nothing left to do, what is still to change waits.
#pragma once

#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "platform/observe/selection.h"
#include "platform/pod/pod.h"

namespace podsim::observe {

class VcdTrace final : public sc_core::sc_module {
 public:
  // Of each kind, a chip's semaphores with the lowest numbers, which are those that programs are given first.
  static constexpr std::uint32_t kSemaphores = 32;

  // Before the simulation begins. Traces into a temporary file. The pod outlives this object. Links have no signals at
  // flow fidelity, where copies share them.
  VcdTrace(sc_core::sc_module_name name, pod::Pod& pod, const Selection& selection,
           const std::filesystem::path& folder);
  ~VcdTrace() override;

  // After the simulation: writes the file, without the date that SystemC puts in. Throws std::runtime_error if the
  // temporary file can't be read.
  void write(std::ostream& out);

  // For the pod's conductor, after whatever it has done: see above.
  void rest_with_the_pod();

 private:
  struct Value {
    unsigned count = 0;  // of a link: copies and signals on it; of a queue: descriptors
    bool busy = false;   // not zero
  };
  struct Change {
    Value* value;
    int by;
  };

  void trace_chip(chip::Chip& chip);
  void change_at(Picoseconds when, Value& value, int by);
  void apply();
  void wake();

  pod::Pod& pod_;
  const std::filesystem::path path_;  // without ".vcd", which SystemC adds
  sc_core::sc_trace_file* file_;
  std::deque<Value> values_;
  std::deque<std::uint64_t> semaphores_;
  std::map<Picoseconds, std::vector<Change>> coming_;
  sc_core::sc_event due_{"due"};
};

}  // namespace podsim::observe
