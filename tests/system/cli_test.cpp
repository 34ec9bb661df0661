// The podsim program from outside: its commands, its exit codes, where its words go.
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "tests/system/cli_support.h"

namespace podsim::testing {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;
using Json = nlohmann::json;

constexpr const char* kSmallBench = "bench all_reduce --pod tpu-v5e-2x2 -b 1KiB -e 4KiB ";

// ---- commands

TEST_F(Cli, AlonePrintsHelp) {
  const CommandResult result = podsim("");
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, AllOf(HasSubstr("Usage: podsim"), HasSubstr("describe"), HasSubstr("Examples:")));
  EXPECT_THAT(result.err, IsEmpty());
}

TEST_F(Cli, EveryCommandHasHelpWithExamples) {
  for (const char* command : {"run", "bench", "list", "describe"}) {
    const CommandResult result = podsim(std::string(command) + " --help");
    EXPECT_EQ(result.exit_code, 0) << command;
    EXPECT_THAT(result.out, HasSubstr(std::string("podsim ") + command)) << command;
    EXPECT_THAT(result.err, IsEmpty()) << command;
  }
}

TEST_F(Cli, TellsItsVersion) {
  const CommandResult result = podsim("--version");
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, ContainsRegex("^podsim [0-9]+\\.[0-9]+\\.[0-9]+\n$"));
}

TEST_F(Cli, QuickstartChecksFiveCollectives) {
  const CommandResult result = podsim("run quickstart");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  for (const char* name : {"all_gather", "reduce_scatter", "all_reduce", "all_to_all", "collective_permute"}) {
    EXPECT_THAT(result.out, HasSubstr(name));
  }
  EXPECT_THAT(result.out, HasSubstr("completed: 5 steps"));
  EXPECT_THAT(result.out, HasSubstr("tpu-v5e-4x4: 16 chips"));
  EXPECT_THAT(result.err, IsEmpty());
}

TEST_F(Cli, DeadlockNamesBothChipsAndTheLine) {
  const CommandResult result = podsim("run deadlock-send-waits-for-recv");
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_THAT(result.out, AllOf(HasSubstr("deadlock"), HasSubstr("chips 0 (0), 1 (1)"),
                                ContainsRegex("send_waits_for_recv\\.cpp:[0-9]+")));
}

// The cost that the run of the dead link states is that of the same file with the link alive.
TEST_F(Cli, SaysWhatADeadLinkCosts) {
  const CommandResult dead = podsim("run dead-link --json dead.json");
  EXPECT_EQ(dead.exit_code, 0) << dead.err;
  EXPECT_THAT(dead.out, HasSubstr("dead links cost +"));
  const CommandResult alive = podsim("run dead-link --set 'ici.links=[]' --json alive.json");
  EXPECT_EQ(alive.exit_code, 0) << alive.err;
  EXPECT_THAT(alive.out, Not(HasSubstr("dead links cost")));
  const auto json = [&](const char* file) { return nlohmann::json::parse(read(path(file))); };
  const nlohmann::json stated = json("dead.json")["with_links_alive_ps"];
  const nlohmann::json steps = json("alive.json")["results"];
  ASSERT_EQ(stated.size(), steps.size());
  for (std::size_t i = 0; i < steps.size(); ++i) {
    EXPECT_EQ(stated[i], steps[i]["time_ps"]);
    EXPECT_LT(stated[i], json("dead.json")["results"][i]["time_ps"]);
  }
}

TEST_F(Cli, HostOffloadIsChecked) {
  const CommandResult result = podsim("run host-offload --json r.json");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("exposed"));
  const Json results = Json::parse(read(path("r.json")))["results"];
  for (const Json& step : results) EXPECT_EQ(step["wrong"], 0);
  // Overlapped, then one after the other.
  const Json overlapped = results[3], in_turn = results[4];
  EXPECT_LT(overlapped["time_ps"], in_turn["time_ps"]);
  const auto token = [](const Json& step, const std::string& name) {
    for (const Json& each : step["tokens"]) {
      if (each["name"] == name) return each;
    }
    return Json();
  };
  for (const char* name : {"out 0", "out 1", "in 0", "in 1"}) {
    const Json hidden = token(overlapped, name), waited = token(in_turn, name);
    EXPECT_LT(hidden["exposed_ps"]["max"], waited["exposed_ps"]["max"]) << name;
    EXPECT_GE(waited["exposed_ps"]["max"], waited["took_ps"]["max"].get<double>() * 0.99) << "all of it";
    for (const Json& chip : hidden["by_chip"]) {
      EXPECT_EQ(chip["exposed_ps"].get<long>() + chip["hidden_ps"].get<long>(),
                chip["finished_ps"].get<long>() - chip["issued_ps"].get<long>());
    }
  }
  EXPECT_EQ(token(overlapped, "out 0")["exposed_ps"]["max"], 0);
}

TEST_F(Cli, BenchPrintsARowPerSize) {
  const CommandResult result = podsim("bench all_reduce --pod tpu-v5e-4x4 -b 1KiB -e 64KiB -f 4");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  std::istringstream lines(result.out);
  int rows = 0;
  for (std::string line; std::getline(lines, line);) rows += line.front() == '#' ? 0 : 1;
  EXPECT_EQ(rows, 4);
  EXPECT_THAT(result.out, HasSubstr("# Out of bounds values : 0 OK"));
}

TEST_F(Cli, BenchRunsEveryCollective) {
  for (const char* name : {"all_gather", "reduce_scatter", "all-reduce", "all_to_all", "collective_permute"}) {
    const CommandResult result =
        podsim(std::string("bench ") + name + " --pod tpu-v5e-2x2 -b 1K -e 1K -d bf16 -n 2 -w 5 -c 1");
    EXPECT_EQ(result.exit_code, 0) << name << result.err;
    EXPECT_THAT(result.out, HasSubstr("values : 0 OK")) << name;
  }
}

TEST_F(Cli, ListsWhatThereIs) {
  EXPECT_THAT(podsim("list pods").out, ContainsRegex("tpu-v5e-4x4 +16 chips"));
  EXPECT_THAT(podsim("list chips").out, HasSubstr("tpu-v5p"));
  EXPECT_THAT(podsim("list programs").out, HasSubstr("send_waits_for_recv"));
  EXPECT_THAT(podsim("list algorithms").out, ContainsRegex("ring +axis by axis.*all_to_all"));
}

TEST_F(Cli, DescribesWhatWasBuilt) {
  const CommandResult result = podsim("describe tpu-v5e-16x16 --json d.json");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr("256 chips, 16 x 16 torus"), HasSubstr("1.44 TB/s"), HasSubstr("197 TFLOP/s"),
                                HasSubstr("16 GiB"), HasSubstr("819 GB/s")));
  const Json json = Json::parse(read(path("d.json")));
  EXPECT_EQ(json["links"], 1024);
  EXPECT_EQ(json["bisection_links"], 32);
}

TEST_F(Cli, ConfigOfAPodDescribesTheSamePod) {
  EXPECT_EQ(podsim("describe tpu-v5e-4x4 --set ici.hop_latency='2 us' --config").exit_code, 0);
  write("mine.yaml", read(path("out.txt")));
  EXPECT_EQ(podsim("describe ./mine.yaml").exit_code, 0) << read(path("err.txt"));
  EXPECT_THAT(read(path("out.txt")), AllOf(HasSubstr("16 chips"), HasSubstr("2 us a hop")));
}

// ---- where words go

TEST_F(Cli, JsonOnStandardOutputStandsAlone) {
  const CommandResult result = podsim(std::string(kSmallBench) + "-v --json -");
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(Json::parse(result.out)["outcome"], "completed");
  EXPECT_THAT(result.err, HasSubstr("[debug]"));
}

TEST_F(Cli, LogsStayOffStandardOutput) {
  const CommandResult result = podsim(std::string(kSmallBench) + "--verbose");
  EXPECT_THAT(result.out, Not(HasSubstr("[debug]")));
  EXPECT_THAT(result.err, HasSubstr("building 4 chips"));
}

// ---- symmetry

TEST_F(Cli, OneChipStandsForAllOfALargeTorus) {
  const std::string bench = "bench all_gather --pod tpu-v5e-16x16 -b 1MiB -e 1MiB --data none ";
  const CommandResult one = podsim(bench + "--json one.json");
  EXPECT_EQ(one.exit_code, 0);
  EXPECT_THAT(one.out, HasSubstr("one chip stands for all 256"));
  const CommandResult each = podsim(bench + "--symmetry off --json each.json");
  EXPECT_THAT(each.out, Not(HasSubstr("stands for all")));
  const Json alike = Json::parse(read(path("one.json"))), whole = Json::parse(read(path("each.json")));
  EXPECT_EQ(alike["pod"]["modelled_chips"], 1);
  EXPECT_EQ(whole["pod"]["modelled_chips"], 256);
  EXPECT_EQ(alike["blocks"].size(), 1u);
  for (const char* key : {"links", "hosts", "chips"}) EXPECT_EQ(alike["pod"][key], whole["pod"][key]) << key;
  EXPECT_EQ(alike["links"].size(), whole["links"].size());
  EXPECT_NEAR(alike["time_ps"].get<double>(), whole["time_ps"].get<double>(), 1e-3 * whole["time_ps"].get<double>());
  EXPECT_LT(100 * alike["events"].get<double>(), whole["events"].get<double>());
}

TEST_F(Cli, ASymmetryThatIsNotThereIsSaid) {
  const CommandResult mesh = podsim("bench all_reduce --pod tpu-v5e-8x8 -b 1MiB -e 1MiB --data none --symmetry on");
  EXPECT_EQ(mesh.exit_code, 2);
  EXPECT_THAT(mesh.err, HasSubstr("one chip can't stand for all: the pod's chips are not alike"));
  EXPECT_EQ(podsim("bench all_reduce --pod tpu-v5e-8x8 --symmetry sometimes").exit_code, 2);
}

TEST_F(Cli, WhatIsRecordedIsRecordedOfEachChip) {
  const std::string bench = "bench all_gather --pod tpu-v5e-16x16 -b 64KiB -e 64KiB --data none --critical-path ";
  const CommandResult each = podsim(bench);
  EXPECT_EQ(each.exit_code, 0);
  EXPECT_THAT(each.out, Not(HasSubstr("stands for all")));
  const CommandResult one = podsim(bench + "--symmetry on");
  EXPECT_EQ(one.exit_code, 2);
  EXPECT_THAT(one.err, HasSubstr("a trace or report shows each of them"));
}

TEST_F(Cli, NothingOfSystemcIsSeen) {
  const CommandResult result = podsim(kSmallBench);
  EXPECT_THAT(result.out + result.err, AllOf(Not(HasSubstr("SystemC")), Not(HasSubstr("Accellera"))));
}

TEST_F(Cli, AReaderThatLeavesIsNoError) {
  // The reader is gone before the first write.
  const CommandResult result =
      shell("{ { sleep 0.2; " + root() + " '" PODSIM_BINARY "' list pods; echo code $? >&2; } | true; }");
  EXPECT_EQ(result.err, "code 141\n");
}

TEST_F(Cli, AFullDiskIsAnError) {
  const CommandResult result = shell("{ " + root() + " '" PODSIM_BINARY "' list pods > /dev/full; }");
  EXPECT_EQ(result.exit_code, 74);
  EXPECT_THAT(result.err, HasSubstr("No space left"));
}

TEST_F(Cli, PresetsAreFoundByVariableOrSaidToBeMissing) {
  const CommandResult elsewhere = podsim("list pods", "PODSIM_ROOT=/nonexistent");
  EXPECT_EQ(elsewhere.exit_code, 2);
  EXPECT_THAT(elsewhere.err, HasSubstr("looked in /nonexistent"));
}

// ---- exit codes

TEST_F(Cli, TimeLimitHasItsExitCode) {
  const CommandResult result = podsim(std::string(kSmallBench) + "--time-limit '1 us'");
  EXPECT_EQ(result.exit_code, 8);
  EXPECT_THAT(result.out, HasSubstr("# time limit"));
}

TEST_F(Cli, ARunStopsAtTheFirstStepThatFails) {
  write("run.yaml",
        "pod: tpu-v5e-2x2\n"
        "steps:\n"
        "  - {collective: all_gather, size: 1 KiB}\n"
        "  - {program: send_waits_for_recv, size: 1 KiB}\n"
        "  - {collective: all_gather, size: 1 KiB}\n");
  const CommandResult result = podsim("run run.yaml --json r.json");
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_THAT(result.out, HasSubstr("stopped at step 2 of 3"));
  const Json json = Json::parse(read(path("r.json")));
  EXPECT_EQ(json["outcome"], "deadlock");
  EXPECT_EQ(json["results"].size(), 2u);
  EXPECT_EQ(json["results"][0]["outcome"], "completed");
  EXPECT_EQ(json["details"].size(), 8u);  // four chips wait; a circle of two, and their semaphores
  EXPECT_TRUE(json["results"][1]["wrong"].is_null());
}

TEST_F(Cli, AStepThatDoesNotFitIsAConfigError) {
  const CommandResult result = podsim("bench all_reduce --pod tpu-v5e-2x2 -b 64G -e 64G");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("do not fit into HBM"));
}

TEST_F(Cli, AConfigErrorIsInTheJsonToo) {
  const CommandResult result = podsim("run quickstart --set data=maybe --json r.json");
  EXPECT_EQ(result.exit_code, 2);
  const Json json = Json::parse(read(path("r.json")));
  EXPECT_EQ(json["outcome"], "config error");
  EXPECT_THAT(json["details"][0].get<std::string>(), HasSubstr("--set data=maybe: data: expected one of"));
}

// ---- bad input: exit code 2, one message that names the place, nothing on standard output

struct BadInput {
  std::string arguments;
  std::string message;  // a part of it
};

void PrintTo(const BadInput& input, std::ostream* out) { *out << input.arguments; }

class CliBadInput : public Cli, public ::testing::WithParamInterface<BadInput> {};

TEST_P(CliBadInput, IsRefusedWithAClearMessage) {
  write("list.yaml", "- 1\n");
  write("tab.yaml", "pod: tpu-v5e-2x2\n\tsteps: []\n");
  write("twice.yaml", "pod: tpu-v5e-2x2\nsteps: []\nsteps: []\n");
  write("binary.yaml", std::string("\0\x01\xff", 3));
  write("pod.yaml", "chip: tpu-v5e\ntopology: {axes: [{name: x, size: 0}]}\n");
  const CommandResult result = podsim(GetParam().arguments);
  EXPECT_EQ(result.exit_code, 2) << result.err;
  EXPECT_THAT(result.err, StartsWith("podsim: "));
  EXPECT_THAT(result.err, HasSubstr(GetParam().message));
  EXPECT_THAT(result.out, IsEmpty());
  EXPECT_THAT(result.err, Not(HasSubstr("internal error")));
}

std::vector<BadInput> bad_input() {
  const std::string bench = "bench all_reduce --pod tpu-v5e-2x2 ";
  return {{"bnech", "unknown command 'bnech'; did you mean 'bench'?"},
          {"--verbos", "not expected: --verbos; did you mean '--verbose'?"},
          {"run", "FILE is required"},
          {"run quickstrt", "did you mean 'quickstart'?"},
          {"run ./missing.yaml", "no such file"},
          {"run .", "is a folder"},
          {"run quickstart extra", "not expected: extra"},
          {"run quickstart --jsn x", "did you mean '--json'?"},
          {"run list.yaml", "list.yaml:1"},
          {"run tab.yaml", "tab.yaml:2"},
          {"run twice.yaml", "twice.yaml:3"},
          {"run binary.yaml", "binary.yaml:1"},
          {"run /dev/null", "empty"},
          {"run quickstart --set", "--set"},
          {"run quickstart --set ici", "expected key=value"},
          {"run quickstart --set ici.bandwidht_per_direction='1 GB/s'", "did you mean 'bandwidth_per_direction'?"},
          {"run quickstart --set steps.9.size='1 KiB'", "no element '9'"},
          {"run quickstart --set pod=tpu-v5e-4x5", "no preset 'tpu-v5e-4x5'"},
          {"run quickstart --data sometimes", "one of real, none, auto"},
          {"run quickstart --time-limit 5", "a duration such as"},
          {"run quickstart --time-limit '0 s'", "more than zero"},
          {"run quickstart --json /nonexistent/r.json", "No such file or directory"},
          {"run quickstart --json .", "it is a folder"},
          {"bench", "required"},
          {"bench all_reduce", "--pod is required"},
          {"bench all_redcue --pod tpu-v5e-2x2", "did you mean 'all_reduce'?"},
          {"bench all_reduce --pod tpu-v5e-3x3", "no preset 'tpu-v5e-3x3'"},
          {"bench all_reduce --pod ./pod.yaml", "pod.yaml:2"},
          {bench + "-b 1Q", "unknown unit 'Q'"},
          {bench + "-b 2M -e 1M", "larger than the last"},
          {bench + "-f 1", "factor must be at least 2"},
          {bench + "-f -3", "--stepfactor"},
          {bench + "-f 2 -i 1K", "excludes"},
          {bench + "-i 0", "more than zero"},
          {bench + "-d f64", "one of f32, bf16, s32, s8"},
          {bench + "-o avg", "one of sum, max, min"},
          {bench + "-n 0", "not in range"},
          {bench + "-n many", "--iters"},
          {bench + "-c 2", "not in range"},
          {bench + "-c 1 --data none", "can't stand beside"},
          {bench + "--axes z", "no axis 'z'; it has x, y"},
          {bench + "--axes x,x", "twice"},
          {bench + "--directions up", "one of one, both"},
          {bench + "--set ici.packet='1 MiB'", "ici"},
          {bench + "--set pcie.lanes=3", "lanes"},
          {bench + "--set hbm.row='3 B'", "hbm"},
          {bench + "--set topology.axes='[]'", "axes"},
          {"bench collective_permute --pod tpu-v5e-2x2 --axes x", "spans the pod"},
          {"list", "WHAT is required"},
          {"list podz", "did you mean 'pods'?"},
          {"describe", "POD is required"},
          {"describe tpu-v5e-4x4 --set ici.hop_latency=1", "a duration such as"},
          {"describe ./nothing.yaml", "no such file"}};
}

INSTANTIATE_TEST_SUITE_P(All, CliBadInput, ::testing::ValuesIn(bad_input()));

}  // namespace
}  // namespace podsim::testing
