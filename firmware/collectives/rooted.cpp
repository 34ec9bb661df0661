#include "firmware/collectives/rooted.h"

#include <algorithm>
#include <deque>

namespace podsim::firmware {

RelayTree::RelayTree(const Layout& layout, ChipId root) : level_(0), served_(layout.group().axes()) {
  const Group& group = layout.group();
  const std::uint64_t root_rank = group.rank_of(root);
  while (level_ < group.axes() && group.coordinate(level_) == group.coordinate_of(root_rank, level_)) ++level_;
  for (unsigned i = 0; i < level_; ++i) {
    const Ring ring = group.ring(i);
    for (std::uint64_t away = 1; away < ring.members.size(); ++away) {
      // By turns up and down, so that both ways are busy.
      const std::uint64_t c =
          (ring.position + (away % 2 == 1 ? (away + 1) / 2 : ring.members.size() - away / 2)) % ring.members.size();
      served_[i].push_back({ring.members[c], layout.bundle(i, c)});
    }
  }
  if (level_ == group.axes()) return;
  relay_ = group.ring(level_).members[group.coordinate_of(root_rank, level_)];
  relay_is_root_ = *relay_ == root;
  held_ = layout.bundle(level_, group.coordinate(level_));
}

std::vector<RelayTree::Copy> RelayTree::copies(unsigned axis) const {
  std::vector<std::vector<Copy>> by_chip;
  for (const Served& served : served_[axis]) {
    by_chip.emplace_back();
    served.pieces.for_each(served.pieces.packed(), [&](Range place, Range) {
      by_chip.back().push_back({served.chip, place});
    });
  }
  // Chips in pairs, one up the axis and one down, their pieces by turns.
  std::vector<Copy> copies;
  for (std::size_t first = 0; first < by_chip.size(); first += 2) {
    const std::size_t second = std::min(first + 1, by_chip.size() - 1);
    const std::size_t most = std::max(by_chip[first].size(), by_chip[second].size());
    for (std::size_t n = 0; n < most; ++n) {
      if (n < by_chip[first].size()) copies.push_back(by_chip[first][n]);
      if (second != first && n < by_chip[second].size()) copies.push_back(by_chip[second][n]);
    }
  }
  return copies;
}

Relays::Relays(Device& chip, const Layout& layout, ChipId root, const Buffers& buffers)
    : chip_(chip),
      tree_(layout, root),
      place_(layout.own()),
      buffers_(buffers),
      ready_(chip.allocate().regular_semaphores("relay_ready", layout.group().axes())),
      recv_(chip.allocate().dma_semaphores("relay_recv", layout.group().axes())),
      sent_(chip.allocate().dma_semaphores("relay_send", 1)[0]),
      copied_(chip.allocate().dma_semaphores("relay_copied", 1)[0]) {}

namespace {

Bytes bytes_of(const Pieces& pieces, DType type) { return pieces.size() * tensor_core::size_of(type); }

// Copies of one colour that the root has on their way out at a time. Without a bound the first colour would fill the
// DMA engine, and the links of the others would stand idle.
constexpr std::size_t kWindow = 8;

}  // namespace

Task Relays::scatter() {
  const DType type = buffers_.own.type;
  if (tree_.relay()) {
    chip_.signal(ready_[tree_.level()], *tree_.relay());
    co_await chip_.wait(recv_[tree_.level()], bytes_of(tree_.held(), type));
  }
  std::deque<Bytes> under_way;
  for (unsigned i = tree_.level(); i-- > 0;) {
    co_await chip_.wait(ready_[i], tree_.served(i).size());
    for (const auto& [to, place] : tree_.copies(i)) {
      if (under_way.size() == kWindow) {
        co_await chip_.wait(sent_, under_way.front());
        under_way.pop_front();
      }
      const Buffer source = here().slice(place);
      chip_.start_remote_copy(
          {.src = source, .dst = buffers_.room.slice(place), .to = to, .send = sent_, .recv = recv_[i]});
      under_way.push_back(source.bytes());
    }
  }
  const Buffer mine = here().slice(place_);
  if (mine.address != buffers_.own.address) co_await chip_.start_copy(mine, buffers_.own, copied_);
  for (const Bytes bytes : under_way) co_await chip_.wait(sent_, bytes);
}

Task Relays::gather() {
  const DType type = buffers_.own.type;
  for (unsigned i = 0; i < tree_.level(); ++i) {
    for (const RelayTree::Served& served : tree_.served(i)) chip_.signal(ready_[i], served.chip);
  }
  const bool passes_on = tree_.level() > 0 || tree_.is_root();
  if (passes_on) co_await chip_.start_copy(buffers_.own, here().slice(place_), copied_);
  for (unsigned i = 0; i < tree_.level(); ++i) {
    Bytes arriving = 0;
    for (const RelayTree::Served& served : tree_.served(i)) arriving += bytes_of(served.pieces, type);
    co_await chip_.wait(recv_[i], arriving);
  }
  if (!tree_.relay()) co_return;
  co_await chip_.wait(ready_[tree_.level()]);
  const Buffer& there = tree_.relay_is_root() ? buffers_.root_data : buffers_.room;
  tree_.held().for_each(tree_.held().packed(), [&](Range place, Range packed) {
    chip_.start_remote_copy({.src = passes_on ? here().slice(place) : buffers_.own.slice(packed),
                             .dst = there.slice(place),
                             .to = *tree_.relay(),
                             .send = sent_,
                             .recv = recv_[tree_.level()]});
  });
  co_await chip_.wait(sent_, bytes_of(tree_.held(), type));
}

}  // namespace podsim::firmware
