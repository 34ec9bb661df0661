// Results: taken from what a process leaves, filed, and put into a table.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>

#include "platform/config/yaml_document.h"
#include "platform/study/content_address.h"
#include "platform/study/result_store.h"
#include "platform/study/result_table.h"
#include "tests/unit/config/temporary_folder.h"

namespace podsim::study {
namespace {

using podsim::testing::TemporaryFolder;
using ::testing::HasSubstr;

const std::vector<CollectEntry> kTime{{"time", "results.-1.time_us", Take::kOnly}};

std::string run_json(const std::string& outcome, double time) {
  return Json{{"outcome", outcome}, {"explanation", "why:\n  because"}, {"results", {{{"time_us", time}}}}}.dump();
}

void write(const std::filesystem::path& file, const std::string& text) { std::ofstream(file) << text; }

TEST(StudyJsonPath, LeadsThroughObjectsAndListsFromBothEnds) {
  const Json json = Json::parse(R"({"a": [{"b": 1}, {"b": 3}, {"b": 8}], "t": "x"})");
  EXPECT_EQ(take(json, "a.0.b", Take::kOnly), 1);
  EXPECT_EQ(take(json, "a.-1.b", Take::kOnly), 8);
  EXPECT_EQ(take(json, "t", Take::kOnly), "x");
  EXPECT_EQ(take(json, "a.*.b", Take::kMax), 8);
  EXPECT_EQ(take(json, "a.*.b", Take::kMin), 1);
  EXPECT_EQ(take(json, "a.*.b", Take::kMean), 4);
  EXPECT_EQ(take(json, "a.*.b", Take::kSum), 12);
  EXPECT_TRUE(take(json, "a.3.b", Take::kOnly).is_null());
  EXPECT_TRUE(take(json, "a.x.b", Take::kOnly).is_null());
  EXPECT_TRUE(take(json, "a.*.c", Take::kSum).is_null());
  EXPECT_TRUE(take(json, "a", Take::kOnly).is_null());
}

TEST(StudyResult, ComesFromTheJsonWhateverTheExitCode) {
  const auto completed = result_of(run_json("completed", 5), "", std::nullopt, kTime);
  ASSERT_TRUE(completed);
  EXPECT_TRUE(completed->completed());
  EXPECT_EQ(completed->exit_code, 0);
  EXPECT_EQ(completed->collected.at("results.-1.time_us"), 5.0);
  const auto hang = result_of(run_json("deadlock", 5), "", 4, kTime);
  EXPECT_EQ(hang->outcome, "deadlock");
  EXPECT_EQ(hang->exit_code, 4);
  EXPECT_EQ(hang->diagnosis, "why: because");
  EXPECT_TRUE(hang->is_final());
}

TEST(StudyResult, WithoutJsonComesFromTheExitCode) {
  EXPECT_FALSE(result_of("", "", std::nullopt, kTime));
  EXPECT_FALSE(result_of("{\"outc", "", std::nullopt, kTime));
  const auto usage = result_of("", "podsim: --datatipe: unknown\nSee 'podsim'\n", 2, kTime);
  EXPECT_EQ(usage->outcome, "usage error");
  EXPECT_EQ(usage->diagnosis, "--datatipe: unknown; See 'podsim'");
  EXPECT_FALSE(usage->is_final());
  const auto killed = result_of("", "", 128 + SIGKILL, kTime);
  EXPECT_EQ(killed->outcome, "crashed");
  EXPECT_THAT(killed->diagnosis, HasSubstr("signal 9"));
  EXPECT_FALSE(killed->is_final());
}

TEST(StudyDigest, DependsOnContentAndPartition) {
  const auto digest = [](std::vector<std::string> parts) {
    Digest all;
    for (const std::string& part : parts) all.add(part);
    return all.hex();
  };
  EXPECT_EQ(digest({"ab", "c"}), digest({"ab", "c"}));
  EXPECT_NE(digest({"ab", "c"}), digest({"a", "bc"}));
  EXPECT_NE(digest({"a"}), digest({"a", ""}));
  EXPECT_EQ(Digest().hex(), "6c62272e07bb014262b821756295c58d");  // the offset basis of FNV-1a of 128 bits
  const auto document = [](const char* text) {
    Digest all;
    all.add(config::parse_yaml(text, "x"));
    return all.hex();
  };
  EXPECT_EQ(document("{a: 1, b: [2]}"), document("a: 1\nb:\n  - 2\n"));  // where it stands does not count
  EXPECT_NE(document("{a: 1, b: [2]}"), document("{a: 1, b: [2, 3]}"));
}

TEST(ResultStore, TakesInWhatAProcessLeftAndKeepsIt) {
  const TemporaryFolder folder;
  {
    ResultStore store(folder.path() / "out");
    EXPECT_FALSE(store.find("a", kTime));
    write(store.json_file("a"), run_json("completed", 5));
    ASSERT_TRUE(store.find("a", kTime));
    EXPECT_FALSE(std::filesystem::exists(store.json_file("a")));
  }
  ResultStore again(folder.path() / "out");
  EXPECT_EQ(again.find("a", kTime)->collected.at("results.-1.time_us"), 5.0);
  // Another figure was not looked for: the point has to run once more.
  EXPECT_FALSE(again.find("a", {{"events", "results.-1.events", Take::kOnly}}));
}

TEST(ResultStore, RunsAgainWhatCrashedAndNotWhatFailed) {
  const TemporaryFolder folder;
  ResultStore store(folder.path());
  write(store.err_file("crash"), "");
  EXPECT_EQ(store.record("crash", kTime, 128 + SIGSEGV, 1).outcome, "crashed");
  EXPECT_FALSE(store.find("crash", kTime));
  write(store.json_file("hang"), run_json("deadlock", 5));
  EXPECT_EQ(store.record("hang", kTime, 4, 1).outcome, "deadlock");
  EXPECT_TRUE(store.find("hang", kTime));
}

TEST(ResultStore, ABrokenFileIsAsGoodAsNone) {
  const TemporaryFolder folder;
  ResultStore store(folder.path());
  write(folder.path() / "points" / "a.json", "{\"outcome\": \"comp");
  EXPECT_FALSE(store.find("a", kTime));
  write(store.json_file("b"), run_json("completed", 5).substr(0, 20));
  EXPECT_FALSE(store.find("b", kTime));
}

TEST(ResultStore, IsForOneSweepAtATime) {
  const TemporaryFolder folder;
  const ResultStore store(folder.path());
  try {
    const ResultStore second(folder.path());
    FAIL();
  } catch (const StoreError& error) {
    EXPECT_THAT(error.what(), HasSubstr("in use by another sweep (process " + std::to_string(::getpid()) + ")"));
  }
}

TEST(ResultStore, AFolderThatCantBeMadeIsAnError) {
  const TemporaryFolder folder;
  write(folder.path() / "file", "");
  EXPECT_THROW(const ResultStore store(folder.path() / "file" / "out"), StoreError);
}

// A limit on the size of files stands for a full disk: writing fails half way.
TEST(DurableFile, AFullDiskLeavesTheOldFileAndNothingElse) {
  const TemporaryFolder folder;
  write_durably(folder.path() / "x", "old");
  const pid_t child = ::fork();
  if (child == 0) {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{1000, 1000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    try {
      write_durably(folder.path() / "x", std::string(5000, 'n'));
    } catch (const StoreError& error) {
      ::_exit(std::string(error.what()).find("File too large") != std::string::npos ? 0 : 2);
    }
    ::_exit(1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_EQ(read_file(folder.path() / "x"), "old");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

TEST(ResultTable, HasARowForEachPointAndComputesColumns) {
  const Study study = read_study(config::parse_yaml(R"(
bench: all_reduce
vary: [{key: size, values: [1 KiB, 2 KiB]}, {key: algorithm, name: "how, then", values: [ring]}]
collect: [{name: time, path: results.-1.time_us}]
derive: [{name: rate, of: size / (time * 1 us)}, {name: twice, of: rate * 2}]
)",
                                                    "s.yaml"),
                                 "");
  const auto points = points_of(study, [](const PointCommand&) { return std::optional<std::uint64_t>(16); });
  PointResult good = *result_of(run_json("completed", 2), "", 0, study.collect);
  PointResult bad = *result_of("", "podsim: no \"such\" thing\n", 2, study.collect);
  const ResultTable table = result_table(study, points, {good, bad});
  EXPECT_EQ(table.csv(),
            "point,size,\"how, then\",chips,time,rate,twice,outcome,exit_code,diagnosis,command\n"
            "1,1 KiB,ring,16,2.0,512000000,1024000000,completed,0,,podsim bench all_reduce -b '1 KiB' -e '1 KiB' "
            "--algorithm ring\n"
            "2,2 KiB,ring,16,,,,usage error,2,\"no \"\"such\"\" thing\",podsim bench all_reduce -b '2 KiB' -e '2 KiB' "
            "--algorithm ring\n");
  const std::string lines = table.json_lines();
  const Json second = Json::parse(lines.substr(lines.find('\n') + 1));
  EXPECT_EQ(second.at("size"), "2 KiB");
  EXPECT_TRUE(second.at("rate").is_null());
  EXPECT_EQ(second.at("exit_code"), 2);
}

}  // namespace
}  // namespace podsim::study
