#include "platform/cli/output.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <memory>

namespace podsim::cli {
namespace {

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

TEST(Output, NoticesAFullDisk) {
  const File full(std::fopen("/dev/full", "w"), &std::fclose);
  ASSERT_NE(full, nullptr);
  Output out(full.get());
  EXPECT_THROW(out.print("text"), OutputError);
}

TEST(Output, NoticesThatTheReaderHasGone) {
  std::signal(SIGPIPE, SIG_IGN);
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ::close(ends[0]);
  const File file(::fdopen(ends[1], "w"), &std::fclose);
  Output out(file.get());
  EXPECT_THROW(out.print("text"), BrokenPipe);
}

TEST(Output, MutedPrintsOnlyWhatMustBe) {
  const File file(std::tmpfile(), &std::fclose);
  Output out(file.get());
  out.mute();
  out.print("table");
  EXPECT_EQ(std::ftell(file.get()), 0);
  out.print_always("json");
  EXPECT_EQ(std::ftell(file.get()), 4);
}

}  // namespace
}  // namespace podsim::cli
