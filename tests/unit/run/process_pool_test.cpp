// Children of a pool: how they end is told, and none outlives it.
#include "platform/run/process_pool.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

namespace podsim::run {
namespace {

TEST(ProcessPool, TellsHowEachEnds) {
  ProcessPool pool(2);
  pool.start(7, [] { return 3; });
  EXPECT_FALSE(pool.full());
  pool.start(8, [] {
    ::raise(SIGKILL);
    return 0;
  });
  EXPECT_TRUE(pool.full());
  for (int i = 0; i < 2; ++i) {
    const auto [id, status] = pool.wait();
    if (id == 7) {
      EXPECT_EQ(WEXITSTATUS(status), 3);
    } else {
      EXPECT_EQ(id, 8u);
      EXPECT_TRUE(WIFSIGNALED(status));
    }
  }
  EXPECT_TRUE(pool.empty());
}

TEST(ProcessPool, KillsWhatItLeaves) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  {
    ProcessPool pool(1);
    pool.start(0, [] {
      ::pause();
      return 0;
    });
  }
  // The child held the other writing end: without it the pipe has come to its end.
  ::close(ends[1]);
  char byte = 0;
  EXPECT_EQ(::read(ends[0], &byte, 1), 0);
  ::close(ends[0]);
}

}  // namespace
}  // namespace podsim::run
