// What a checker found: one screen of text for people, and the same facts one by one for programs.
#pragma once

#include <string>
#include <vector>

namespace podsim::check {

struct Explanation {
  std::string text;
  std::vector<std::string> facts;
};

}  // namespace podsim::check
