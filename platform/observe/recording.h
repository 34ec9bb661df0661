// What the recorders of the blocks share: the timeline that they fill, where its zero is, and which part of the run is
// wanted.
#pragma once

#include <vector>

#include "platform/observe/binned_series.h"
#include "platform/observe/lanes.h"
#include "platform/observe/selection.h"
#include "platform/observe/timeline.h"

namespace podsim::observe {

// First in, first out, for queues that are empty most of the time.
template <class Item>
class Fifo {
 public:
  [[nodiscard]] bool empty() const { return first_ == items_.size(); }
  [[nodiscard]] Item& front() { return items_[first_]; }
  void push(Item item) { items_.push_back(std::move(item)); }
  Item pop() {
    Item item = std::move(items_[first_++]);
    if (empty()) clear();
    return item;
  }
  void clear() {
    items_.clear();
    first_ = 0;
  }
  // Takes the first item out that is wanted; the default one if there is none.
  template <class Wanted>
  Item take(Wanted&& wanted) {
    for (std::size_t i = first_; i < items_.size(); ++i) {
      if (!wanted(items_[i])) continue;
      Item item = std::move(items_[i]);
      items_.erase(items_.begin() + static_cast<std::ptrdiff_t>(i));
      if (empty()) clear();
      return item;
    }
    return {};
  }

 private:
  std::vector<Item> items_;
  std::size_t first_ = 0;
};

struct Recording {
  Recording(Timeline& where, Selection what) : timeline(where), lanes(where), selection(std::move(what)) {}

  Timeline& timeline;
  LaneBook lanes;
  const Selection selection;
  std::vector<GroupId> groups;  // by chip; kNone for those that are not wanted
  bool active = false;          // a step is under way
  Picoseconds offset = 0;       // of the timeline's zero
  std::vector<BinnedSeries> bins;
  struct Counter {
    std::size_t bins;
    std::size_t series;
    double scale;
  };
  std::vector<Counter> counters;

  // A series of the timeline whose values are what its bins have in a picosecond, times `scale`. Returns the bins.
  std::size_t add_counter(GroupId group, std::string_view name, std::string_view unit, double scale) {
    counters.push_back({bins.size(), timeline.series.size(), scale});
    bins.emplace_back();
    timeline.series.push_back({timeline.intern(name), timeline.intern(unit), group, 1, {}});
    return bins.size() - 1;
  }
  void finish_counters() {
    for (const Counter& counter : counters) {
      Series& series = timeline.series[counter.series];
      series.width = bins[counter.bins].width();
      series.values = bins[counter.bins].values();
      for (double& value : series.values) value = value * counter.scale / static_cast<double>(series.width);
    }
  }
  [[nodiscard]] Picoseconds at(Picoseconds time) const { return time - offset; }
  [[nodiscard]] bool wants(ChipId chip) const { return groups[index(chip)] != kNone; }
  // kNone if the span is not wanted.
  SpanId add(const Span& span) { return selection.overlaps(span.begin, span.end) ? timeline.add(span) : kNone; }
};

}  // namespace podsim::observe
