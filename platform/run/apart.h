// Work done in processes of their own. SystemC elaborates once a process, so whoever runs several pods needs several
// processes; and what a child spends or spoils is gone with it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace podsim::run {

// What a piece of work finds out, as bytes of its own format.
using Work = std::function<std::string()>;

// Does all works, at most `jobs` at a time, each in a child process, and returns their answers in the order of the
// works; none for a child that came to grief (threw, crashed or was killed). A child's standard output and error are
// not shown. `on_done` is told, in this process, of each as it ends. Throws std::runtime_error when no process can be
// started.
std::vector<std::optional<std::string>> do_apart(const std::vector<Work>& works, unsigned jobs = 1,
                                                 const std::function<void(std::size_t)>& on_done = {});

}  // namespace podsim::run
