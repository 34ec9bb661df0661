// The lanes of a chip, in a stable order and with the names that users of XProf know, and the tracks in them: spans
// that overlap in time go to tracks of their own, so that none lies across another.
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "platform/observe/timeline.h"

namespace podsim::observe {

// In the order in which a chip's lanes are shown.
enum class Place : std::uint8_t {
  kSteps,
  kModules,
  kOps,
  kAsync,
  kOffload,
  kTasks,
  kCore,  // unit: 2 * core, and 1 for the vector unit
  kDma,   // unit: 2 * engine, and 1 for its contexts
  kLandings,
  kSignals,
  kIci,  // unit: 2 * port, and 1 for signals
  kPcieOut,
  kPcieIn,
  kSync,
};

// The tracks of a lane have ranks in a row from a multiple of this on.
inline constexpr std::uint32_t kMostTracks = 1u << 14;
// What the ranks of a lane's tracks have in common.
constexpr std::uint32_t lane_of(std::uint32_t rank) { return rank / kMostTracks; }

// A lane and its tracks, which come into being as they are needed.
class LaneSet {
 public:
  LaneSet(Timeline& timeline, GroupId group, std::string name, LaneKind kind, std::uint32_t rank)
      : timeline_(timeline), group_(group), name_(std::move(name)), kind_(kind), rank_(rank) {}

  // The first track that is free from `begin` on; it is taken until `end`.
  LaneId put(Picoseconds begin, Picoseconds end) {
    const unsigned track = open(begin);
    close(track, end);
    return lane(track);
  }
  // Taken until it is closed.
  unsigned open(Picoseconds begin);
  void close(unsigned track, Picoseconds end) { tracks_[track].free_at = end; }
  [[nodiscard]] LaneId lane(unsigned track) const { return tracks_[track].lane; }
  // All tracks are free.
  void clear() {
    for (Track& track : tracks_) track.free_at = 0;
  }
  // The lane of the first track, if there is one.
  [[nodiscard]] LaneId first() const { return tracks_.empty() ? kNone : tracks_.front().lane; }

 private:
  struct Track {
    LaneId lane;
    Picoseconds free_at;
  };

  Timeline& timeline_;
  const GroupId group_;
  const std::string name_;
  const LaneKind kind_;
  const std::uint32_t rank_;
  std::vector<Track> tracks_;
};

class LaneBook {
 public:
  explicit LaneBook(Timeline& timeline) : timeline_(timeline) {}

  // `name`: of a lane that is not there yet; references stay good.
  LaneSet& lane(GroupId group, Place place, unsigned unit, LaneKind kind, const std::string& name);
  void clear_tracks() {
    for (auto& [key, lane] : lanes_) lane.clear();
  }

 private:
  Timeline& timeline_;
  std::map<std::tuple<GroupId, Place, unsigned>, LaneSet> lanes_;
};

}  // namespace podsim::observe
