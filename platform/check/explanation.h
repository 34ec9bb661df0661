// What a checker found: one screen of text for people, and the same facts one by one for programs.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace podsim::check {

struct WaitForGraph;

struct Explanation {
  std::string text;
  std::vector<std::string> facts;
  std::shared_ptr<const WaitForGraph> graph{};  // of a hang
};

}  // namespace podsim::check
