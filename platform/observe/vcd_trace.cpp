#include "platform/observe/vcd_trace.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <stdexcept>

#include "platform/report/link_use.h"

namespace podsim::observe {

namespace {

// "x+" as a name that waveform viewers take.
std::string direction_name(ici::Port port, const ici::TorusShape& torus) {
  if (torus.listed_links() != nullptr) return fmt::format("port_{}", ici::index(port));
  return torus.axis(ici::axis_of(port)).name + (ici::is_plus(port) ? "_plus" : "_minus");
}

}  // namespace

VcdTrace::VcdTrace(sc_core::sc_module_name name, pod::Pod& pod, const Selection& selection,
                   const std::filesystem::path& folder)
    : sc_module(name),
      pod_(pod),
      path_(folder / fmt::format(".podsim.{}.tmp", ::getpid())),
      file_(sc_core::sc_create_vcd_trace_file(path_.c_str())) {
  file_->set_time_unit(1, sc_core::SC_PS);
  for (const auto& chip : pod.chips()) {
    if (selection.has(chip->id())) trace_chip(*chip);
  }
  for (const pod::Pod::Link& link : pod.links()) {
    if (!selection.has(link.from) || pod.flows() != nullptr) continue;
    Value& value = values_.emplace_back();
    sc_core::sc_trace(file_, value.busy,
                      fmt::format("chip_{}.ici_{}_busy", index(link.from), direction_name(link.port, pod.torus())));
    link.module->transferred.attach([this, &value](const ici::LinkTransfer& transfer) {
      change_at(transfer.start, value, 1);
      change_at(transfer.end, value, -1);
    });
  }
  SC_HAS_PROCESS(VcdTrace);
  SC_METHOD(apply);
  dont_initialize();
  sensitive << due_;
}

VcdTrace::~VcdTrace() {
  if (file_ != nullptr) sc_core::sc_close_vcd_trace_file(file_);
  std::error_code ignored;
  std::filesystem::remove(path_.string() + ".vcd", ignored);
}

void VcdTrace::trace_chip(chip::Chip& chip) {
  const auto id = index(chip.id());
  for (unsigned i = 0; i < chip.dma_engines.size(); ++i) {
    Value& depth = values_.emplace_back();
    sc_core::sc_trace(file_, depth.count, fmt::format("chip_{}.dma_{}_queue_depth", id, i));
    chip.dma_engines[i]->progress.attach([this, &depth](const dma::DmaProgress& event) {
      const Picoseconds now = pod_.queue().now();
      if (event.step == dma::DmaProgress::Step::kQueued) change_at(now, depth, 1);
      if (event.step == dma::DmaProgress::Step::kStarted) change_at(now, depth, -1);
    });
  }
  const semaphore::SemaphoreConfig& config = chip.semaphores.config();
  std::vector<std::uint64_t*> values(config.total());
  const auto trace = [&](const char* kind, std::uint32_t first, std::uint32_t count) {
    for (std::uint32_t i = 0; i < std::min(count, kSemaphores); ++i) {
      values[first + i] = &semaphores_.emplace_back();
      sc_core::sc_trace(file_, *values[first + i], fmt::format("chip_{}.{}_semaphore_{}", id, kind, i));
    }
  };
  trace("dma", 0, config.dma);
  trace("regular", config.dma, config.regular);
  trace("barrier", config.dma + config.regular, config.barrier);
  chip.semaphores.changed.attach([values = std::move(values)](const semaphore::SemaphoreChange& change) {
    if (values[change.semaphore] != nullptr) *values[change.semaphore] = change.value;
  });
}

void VcdTrace::change_at(Picoseconds when, Value& value, int by) {
  coming_[when].push_back({&value, by});
  apply();
}

// Makes the changes whose time has come, and comes back for the next.
void VcdTrace::apply() {
  const Picoseconds now = pod_.queue().now();
  while (!coming_.empty() && coming_.begin()->first <= now) {
    for (const Change& change : coming_.begin()->second) {
      change.value->count = static_cast<unsigned>(static_cast<int>(change.value->count) + change.by);
      change.value->busy = change.value->count > 0;
    }
    coming_.erase(coming_.begin());
  }
  wake();
}

void VcdTrace::wake() {
  due_.cancel();
  if (coming_.empty()) return;
  const Picoseconds wait = std::max<Picoseconds>(0, coming_.begin()->first - pod_.queue().now());
  due_.notify(sc_core::sc_time::from_value(static_cast<std::uint64_t>(wait)));
}

void VcdTrace::rest_with_the_pod() {
  if (pod_.queue().pending() == 0) due_.cancel();
}

void VcdTrace::write(std::ostream& out) {
  // What was known ahead when the last program ended. A run that was stopped midway must not go on.
  if (pod_.queue().pending() == 0 && !coming_.empty()) {
    wake();
    sc_core::sc_start(
        sc_core::sc_time::from_value(static_cast<std::uint64_t>(coming_.rbegin()->first - pod_.queue().now() + 1)));
  }
  sc_core::sc_close_vcd_trace_file(file_);
  file_ = nullptr;
  std::ifstream file(path_.string() + ".vcd");
  if (!file) throw std::runtime_error(fmt::format("can't read {}.vcd", path_.string()));
  bool in_date = false;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("$date")) in_date = true;
    if (!in_date) out << line << '\n';
    if (line.find("$end") != line.npos) in_date = false;
  }
}

}  // namespace podsim::observe
