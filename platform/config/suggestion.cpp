#include "platform/config/suggestion.h"

#include <algorithm>
#include <cctype>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace podsim::config {
namespace {

// A key longer than this is no slip of the fingers; the limit bounds the work on hostile input.
constexpr std::size_t kLongestWord = 64;

std::string folded(std::string_view word) {
  std::string result(word);
  for (char& c : result) c = c == '-' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

// The distance of `word` to the nearest run of the words that `candidate` joins with '_': "latency" is in
// "hop_latency".
std::size_t distance_to_part(const std::string& word, const std::string& candidate) {
  std::size_t best = std::numeric_limits<std::size_t>::max();
  for (std::size_t from = 0; from < candidate.size(); ++from) {
    if (from > 0 && candidate[from - 1] != '_') continue;
    for (std::size_t end = from + 1; end <= candidate.size(); ++end) {
      if (end < candidate.size() && candidate[end] != '_') continue;
      best = std::min(best, edit_distance(word, std::string_view(candidate).substr(from, end - from)));
    }
  }
  return best;
}

// The candidate of which `word` is nearly a part, when there is just one. Short words are parts of too many.
std::optional<std::string> only_one_with_part(const std::string& word, const std::vector<std::string>& candidates) {
  constexpr std::size_t kShortestPart = 4;
  if (word.size() < kShortestPart) return std::nullopt;
  std::optional<std::string> found;
  for (const std::string& candidate : candidates) {
    if (distance_to_part(word, folded(candidate)) > std::max<std::size_t>(1, word.size() / 4)) continue;
    if (found) return std::nullopt;
    found = candidate;
  }
  return found;
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  // Three rows of the usual table: the swap rule looks back two.
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

std::optional<std::string> nearest(std::string_view word, const std::vector<std::string>& candidates) {
  if (word.empty() || word.size() > kLongestWord) return std::nullopt;
  const std::string wanted = folded(word);
  std::optional<std::string> best;
  std::size_t best_distance = std::numeric_limits<std::size_t>::max();
  for (const std::string& candidate : candidates) {
    const std::size_t distance = edit_distance(wanted, folded(candidate));
    const std::size_t allowed = std::max<std::size_t>(1, std::max(word.size(), candidate.size()) / 3);
    if (distance <= allowed && distance < best_distance) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best ? best : only_one_with_part(wanted, candidates);
}

std::string suggestion(std::string_view word, const std::vector<std::string>& candidates) {
  if (const auto near = nearest(word, candidates)) return fmt::format("; did you mean '{}'?", *near);
  if (candidates.empty()) return {};
  return fmt::format("; known: {}", fmt::join(candidates, ", "));
}

}  // namespace podsim::config
