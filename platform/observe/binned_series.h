// An amount over time in a bounded number of equal stretches ("bins"): as time goes on, the stretches double in width.
#pragma once

#include <algorithm>
#include <vector>

#include "models/kernel/units.h"

namespace podsim::observe {

class BinnedSeries {
 public:
  static constexpr std::size_t kBins = 256;
  static constexpr Picoseconds kFirstWidth = 4096;  // then twice that, and so on: any two widths divide each other

  // Spreads `amount` evenly over [from, to); all of it goes to the bin of `from` if that is no time.
  void add(Picoseconds from, Picoseconds to, double amount) {
    while (std::max(from, to - 1) >= reach()) widen();
    const auto first = static_cast<std::size_t>(from / width_);
    const auto last = to > from ? static_cast<std::size_t>((to - 1) / width_) : first;
    if (values_.size() <= last) values_.resize(last + 1);
    if (first == last) {
      values_[first] += amount;
      return;
    }
    const double rate = amount / static_cast<double>(to - from);
    for (std::size_t bin = first; bin <= last; ++bin) {
      const Picoseconds begin = std::max(from, static_cast<Picoseconds>(bin) * width_);
      const Picoseconds end = std::min(to, static_cast<Picoseconds>(bin + 1) * width_);
      values_[bin] += rate * static_cast<double>(end - begin);
    }
  }

  [[nodiscard]] bool empty() const { return values_.empty(); }
  [[nodiscard]] Picoseconds width() const { return width_; }
  // Amount in each bin up to the last that has something.
  [[nodiscard]] const std::vector<double>& values() const { return values_; }
  // Makes bins at least that wide; kFirstWidth times a power of two.
  void widen_to(Picoseconds width) {
    while (width_ < width) widen();
  }

 private:
  [[nodiscard]] Picoseconds reach() const { return static_cast<Picoseconds>(kBins) * width_; }
  void widen() {
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const double value = values_[i];
      values_[i] = 0;
      values_[i / 2] += value;
    }
    values_.resize((values_.size() + 1) / 2);
    width_ *= 2;
  }

  Picoseconds width_ = kFirstWidth;
  std::vector<double> values_;
};

}  // namespace podsim::observe
