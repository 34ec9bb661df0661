// A network given link by link: which chips are joined, each link leading both ways. A chip's ports are numbered in the
// order in which its links are listed.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace podsim::ici {

using ListedLink = std::array<std::uint32_t, 2>;  // the chips that it joins

// A link of a list that can't be. what() says why.
class ListedLinkError : public std::invalid_argument {
 public:
  ListedLinkError(std::size_t entry, const std::string& message) : invalid_argument(message), entry_(entry) {}
  [[nodiscard]] std::size_t entry() const { return entry_; }  // counts from 0

 private:
  std::size_t entry_;
};

class LinkGraph {
 public:
  static constexpr unsigned kMostPorts = 8;
  static constexpr std::uint32_t kMostChips = 1024;  // distances are kept for all pairs

  // Throws ListedLinkError for a link from a chip to itself, one that is there twice, a chip that is not, and a link
  // more than a chip has ports; std::invalid_argument for no chips, too many, or ones that the links don't reach.
  LinkGraph(std::uint32_t chips, const std::vector<ListedLink>& links);

  [[nodiscard]] std::uint32_t chips() const { return static_cast<std::uint32_t>(neighbours_.size()); }
  // The most links of any chip.
  [[nodiscard]] unsigned ports() const;
  [[nodiscard]] std::optional<std::uint32_t> neighbour(std::uint32_t chip, unsigned port) const;
  // The port of `from` that leads straight to `to`, or none.
  [[nodiscard]] std::optional<unsigned> port_to(std::uint32_t from, std::uint32_t to) const;
  // Links of the shortest way.
  [[nodiscard]] unsigned distance(std::uint32_t from, std::uint32_t to) const {
    return distance_[std::size_t{from} * chips() + to];
  }
  // The chip from which all are nearest, taken together; the first of several.
  [[nodiscard]] std::uint32_t centre() const;

 private:
  void measure_from(std::uint32_t chip);

  std::vector<std::vector<std::uint32_t>> neighbours_;  // by chip and port
  std::vector<std::uint16_t> distance_;                 // by pair
};

}  // namespace podsim::ici
