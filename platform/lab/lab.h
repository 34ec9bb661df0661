// The labs: what a reader is to write, and what it is held to. Their texts and skeletons are in firmware/labs/.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "firmware/collectives/call.h"

namespace podsim::lab {

// How well a program does its job. Each includes the ones before it.
enum class Grade : std::uint8_t {
  kFails,
  kWorks,     // right on all rings, under all disturbances
  kGood,      // within the field's formula for data that goes one way round
  kReference  // as good as the library's own
};
[[nodiscard]] std::string_view name(Grade grade);

// A ring to try a program on. `elements`: of the whole, as in CollectiveCall.
struct TrialRing {
  unsigned chips;
  bool wraps;
  std::uint64_t elements;
  firmware::DType type;
};

struct Lab {
  std::string_view name;
  std::string_view title;
  firmware::CollectiveKind collective;
  firmware::Directions directions;  // of the library's collective that it is compared with
  bool beside_work;                 // it does vector_work as well, and is to hide it
  Grade wanted;                     // the least that passes
};

[[nodiscard]] std::span<const Lab> labs();
// Null if there is none of that name.
[[nodiscard]] const Lab* find_lab(std::string_view name);

// What every lab is tried on: right data, hazards, semaphores.
[[nodiscard]] std::span<const TrialRing> trial_rings();
// What it is timed on, without moving data: large, so that bytes count and latency does not.
[[nodiscard]] TrialRing timed_ring();

// The head of a lab's file under `root`: the task. None if the file can't be read.
[[nodiscard]] std::optional<std::string> task_of(const Lab& lab, const std::filesystem::path& root);
// Where the file is: "firmware/labs/all_gather.cpp".
[[nodiscard]] std::filesystem::path file_of(const Lab& lab);

}  // namespace podsim::lab
