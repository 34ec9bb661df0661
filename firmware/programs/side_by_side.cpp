#include "firmware/programs/side_by_side.h"

namespace podsim::firmware {

namespace {

Task one_of_them(Task program, std::function<void(std::size_t)> ended, std::size_t number) {
  co_await program;
  ended(number);
}

}  // namespace

Task side_by_side(Device& chip, std::vector<Task> programs, std::function<void(std::size_t)> ended) {
  std::vector<Token> others;
  for (std::size_t i = programs.size() - 1; i > 0; --i) {
    others.push_back(chip.spawn(one_of_them(std::move(programs[i]), ended, i)));
  }
  co_await programs.front();
  ended(0);
  for (Token& other : others) co_await other;
}

Task as_token(Device& chip, Task program, std::string name) {
  Token token = chip.spawn(std::move(program), std::move(name));
  co_await token;
}

}  // namespace podsim::firmware
