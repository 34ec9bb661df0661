// A place in a program, in words.
#pragma once

#include <source_location>
#include <string>

namespace podsim::check {

// "firmware/collectives/all_gather.cpp:38 (gather_stream)": the path from the project's root, where it has one.
[[nodiscard]] std::string point_text(const std::source_location& where);

}  // namespace podsim::check
