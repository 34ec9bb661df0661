// Traces of real runs: they decode, say what the simulator's own counters say, and cost no picosecond.
#include <gmock/gmock.h>

#include <algorithm>

#include "tests/support/perfetto_reader.h"
#include "tests/system/cli_support.h"

namespace podsim {
namespace {

using nlohmann::json;
using podsim::testing::PerfettoReader;
using podsim::testing::PerfettoTrace;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class Trace : public testing::Cli {
 protected:
  static std::string run_file(const std::string& name) {
    return "'" PODSIM_SOURCE_DIR "/configs/runs/" + name + ".yaml'";
  }
  // A small pod's collectives, one of each way that data travels.
  std::string small_run() {
    return write("small.yaml",
                 "pod: tpu-v5e-4x4\n"
                 "data: none\n"
                 "steps:\n"
                 "  - {collective: all_reduce, size: 256 KiB, type: bf16, reduction: sum}\n"
                 "  - {collective: all_to_all, size: 256 KiB, type: s8}\n"
                 "  - {collective: all_gather, size: 64 KiB, type: f32, algorithm: ring}\n");
  }
  [[nodiscard]] json result(const std::string& file = "result.json") const { return json::parse(read(path(file))); }
  [[nodiscard]] PerfettoTrace trace(const std::string& file = "run.perfetto-trace") const {
    return PerfettoReader::read(read(path(file)));
  }
  void expect_success(const testing::CommandResult& run) { EXPECT_EQ(run.exit_code, 0) << run.out << run.err; }
};

// Sum of a counter over all chips and steps.
std::uint64_t counted(const json& result, const std::string& block, const std::string& counter) {
  std::uint64_t sum = 0;
  for (const json& step : result["results"]) {
    for (const json& chip : step["blocks"]) {
      const json& counters = chip[block];
      const auto all = counters.is_array() ? counters : json::array({counters});
      for (const json& one : all) sum += one[counter].get<std::uint64_t>();
    }
  }
  return sum;
}

struct Traced {
  std::size_t issues = 0, waits = 0, signals = 0, arrivals = 0;
  std::uint64_t copied = 0, landed = 0, on_links = 0;
};

Traced count(const PerfettoTrace& trace) {
  Traced sum;
  for (const PerfettoTrace::Slice& slice : trace.slices) {
    const std::string& lane = trace.tracks.at(slice.track).name;
    const auto starts = [&](const std::string& text) { return lane.compare(0, text.size(), text) == 0; };
    const auto bytes = slice.annotations.count("bytes") > 0 ? std::stoull(slice.annotations.at("bytes")) : 0;
    if (starts("DMA 0 issue") || starts("DMA 1 issue") || starts("DMA 2 issue") || starts("DMA 3 issue")) {
      ++sum.issues;
      sum.copied += bytes;
    } else if (starts("DMA landings")) {
      if (slice.name.find("signal") != std::string::npos) ++sum.arrivals;
      if (slice.name.find("copy landed") != std::string::npos) sum.landed += bytes;
    } else if (starts("Tensor Core Sync Flag") && slice.name == "SyncWait") {
      ++sum.waits;
    } else if (lane == "Signals") {
      if (slice.name.find("signal") != std::string::npos) ++sum.signals;
    } else if (starts("ICI")) {
      sum.on_links += bytes;
    }
  }
  return sum;
}

class TraceOfFidelity : public Trace, public ::testing::WithParamInterface<const char*> {};

TEST_P(TraceOfFidelity, CountsWhatTheSimulatorCountsAndCostsNoPicosecond) {
  const std::string options = small_run() + " --fidelity " + GetParam();
  expect_success(podsim("run " + options + " --json plain.json"));
  expect_success(podsim("run " + options + " --json result.json --trace run.perfetto-trace --critical-path"));
  const json plain = result("plain.json"), traced = result();
  for (std::size_t i = 0; i < plain["results"].size(); ++i) {
    EXPECT_EQ(plain["results"][i]["time_ps"], traced["results"][i]["time_ps"]);
    EXPECT_EQ(plain["results"][i]["events"], traced["results"][i]["events"]);
    EXPECT_EQ(plain["results"][i]["blocks"], traced["results"][i]["blocks"]);
  }

  const PerfettoTrace file = trace();
  EXPECT_THAT(file.faults, IsEmpty());  // slices on a track nest, names are interned once
  const Traced sum = count(file);
  EXPECT_EQ(sum.issues, counted(traced, "dma_engines", "descriptors"));
  EXPECT_EQ(sum.copied, counted(traced, "dma_engines", "local_bytes") + counted(traced, "dma_engines", "remote_bytes") +
                            counted(traced, "dma_engines", "host_bytes"));
  EXPECT_EQ(sum.landed, counted(traced, "dma_engines", "remote_bytes"));
  EXPECT_EQ(sum.waits, counted(traced, "semaphores", "waits"));
  EXPECT_EQ(sum.arrivals, counted(traced, "network_interface", "signals_sent"));
  EXPECT_GE(sum.signals, sum.arrivals);  // those to the chip itself too
  std::uint64_t on_links = 0;
  for (const json& step : traced["results"]) {
    for (const json& link : step["links"]) on_links += link["bytes"].get<std::uint64_t>();
  }
  EXPECT_EQ(sum.on_links, on_links);  // signals, too, take a few bytes of links
}

INSTANTIATE_TEST_SUITE_P(All, TraceOfFidelity, ::testing::Values("packet", "burst", "flow"));

TEST_F(Trace, EachFlowHasBothEndsAndGoesForwardInTime) {
  expect_success(podsim("run " + small_run() + " --trace run.perfetto-trace"));
  const PerfettoTrace file = trace();
  std::map<std::uint64_t, const PerfettoTrace::Slice*> begins, ends;
  for (const PerfettoTrace::Slice& slice : file.slices) {
    for (const auto flow : slice.flows) EXPECT_TRUE(begins.emplace(flow, &slice).second);
    for (const auto flow : slice.terminating) EXPECT_TRUE(ends.emplace(flow, &slice).second);
  }
  ASSERT_GT(begins.size(), 500u);
  ASSERT_EQ(begins.size(), ends.size());
  for (const auto& [flow, slice] : begins) {
    ASSERT_EQ(ends.count(flow), 1u);
    EXPECT_LE(slice->end, ends[flow]->begin) << slice->name << " -> " << ends[flow]->name;
  }
}

TEST_F(Trace, EachStalledWaitKnowsWhatReleasedIt) {
  expect_success(podsim("run " + small_run() + " --trace run.perfetto-trace"));
  std::size_t releases = 0, unknown = 0;
  const PerfettoTrace file = trace();
  for (const PerfettoTrace::Slice& slice : file.slices) {
    if (slice.name != "released") continue;
    ++releases;
    // A wait for nothing is released by nothing.
    if (slice.terminating.empty() && slice.annotations.count("bytes") > 0) ++unknown;
  }
  EXPECT_GT(releases, 500u);
  EXPECT_EQ(unknown, 0u);
}

TEST_F(Trace, DecodesWithProtoc) {
  expect_success(podsim("run " + small_run() + " --trace run.perfetto-trace --trace-chips 0"));
  const auto decoded = shell("protoc --decode=podsim.perfetto.Trace -I '" PODSIM_SOURCE_DIR
                             "/tests/reference' perfetto_subset.proto < '" +
                             path("run.perfetto-trace") + "'");
  ASSERT_EQ(decoded.exit_code, 0) << decoded.err;
  EXPECT_THAT(decoded.out, HasSubstr("process_name: \"/device:TPU:0 (0,0)\""));
  EXPECT_THAT(decoded.out, HasSubstr("name: \"SyncWait\""));
  EXPECT_THAT(decoded.out, HasSubstr("unit_name: \"GB/s\""));
  // A field that the subset does not have would stand there by its number.
  for (std::size_t at = 0; (at = decoded.out.find('\n', at)) != std::string::npos;) {
    at = decoded.out.find_first_not_of(" \n", at);
    if (at == std::string::npos) break;
    // trace_packet_defaults is not written
    EXPECT_FALSE(std::isdigit(static_cast<unsigned char>(decoded.out[at]))) << decoded.out.substr(at, 40);
  }
}

TEST_F(Trace, ChipsAndWindowAreThoseAskedFor) {
  expect_success(podsim("run " + small_run() +
                        " --trace run.perfetto-trace --trace-chips 0,y=3 --trace-from '5 us' --trace-to '9 us'"));
  std::vector<std::string> chips;
  const PerfettoTrace file = trace();
  for (const auto& [uuid, track] : file.tracks) {
    if (track.process.find("TPU") != std::string::npos) chips.push_back(track.process);
  }
  EXPECT_THAT(chips, ::testing::ElementsAre("/device:TPU:0 (0,0)", "/device:TPU:12 (0,3)", "/device:TPU:13 (1,3)",
                                            "/device:TPU:14 (2,3)", "/device:TPU:15 (3,3)"));
  EXPECT_GT(file.slices.size(), 50u);
  for (const PerfettoTrace::Slice& slice : file.slices) {
    EXPECT_GE(slice.end, 5'000'000u);
    EXPECT_LE(slice.begin, 9'000'000u);
  }
}

TEST_F(Trace, TheCapIsKeptAndWhatIsLeftOutIsSaid) {
  const auto run = podsim("run " + small_run() + " --trace run.perfetto-trace --trace-events 100 --critical-path");
  expect_success(run);
  EXPECT_LE(trace().slices.size(), 100u);
  EXPECT_THAT(run.err, HasSubstr("more were left out"));
  EXPECT_THAT(run.out, HasSubstr("Critical path: not known"));
}

TEST_F(Trace, ChromeFormatIsJson) {
  expect_success(podsim("run " + small_run() + " --trace run.json"));
  const json events = json::parse(read(path("run.json"))).at("traceEvents");
  EXPECT_GT(std::count_if(events.begin(), events.end(), [](const json& each) { return each["ph"] == "X"; }), 1000);
}

TEST_F(Trace, ValueChangesCostNoPicosecondAndEndAsTheyBegan) {
  // Packet by packet, nothing else is on a link at the same time.
  const std::string options = small_run() + " --fidelity packet";
  expect_success(podsim("run " + options + " --json plain.json"));
  expect_success(podsim("run " + options + " --json result.json --trace run.vcd --trace-chips 0"));
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(result("plain.json")["results"][i]["time_ps"], result()["results"][i]["time_ps"]);
  }
  // "$var wire 1 aaa ici_x_plus_busy $end", "1aaa", "#12345"
  std::istringstream lines(read(path("run.vcd")));
  std::string id, last;
  std::uint64_t time = 0, since = 0, busy = 0;
  bool defined = false;
  for (std::string line; std::getline(lines, line);) {
    EXPECT_THAT(line, ::testing::Not(HasSubstr("$date")));
    std::istringstream words(line);
    std::string var, wire, width, name, signal;
    if (line.find("$enddefinitions") != line.npos) defined = true;
    if (words >> var >> wire >> width >> name >> signal && var == "$var" && signal.find("ici_x_plus_busy") == 0)
      id = name;
    if (line.starts_with('#')) time = std::stoull(line.substr(1));
    if (!defined || id.empty() || line.size() != id.size() + 1 || line.substr(1) != id) continue;
    if (line[0] == '1') since = time;
    if (line[0] == '0' && last == "1") busy += time - since;
    last = line.substr(0, 1);
  }
  ASSERT_FALSE(id.empty());
  EXPECT_EQ(last, "0");
  // The link's own count of its busy time.
  double expected = 0;
  const json counted_by_links = result();
  for (const json& step : counted_by_links["results"]) {
    for (const json& link : step["links"]) {
      if (link["from"] == 0 && link["axis"] == "x" && link["direction"] == "+") {
        expected += link["busy_fraction"].get<double>() * step["time_ps"].get<double>();
      }
    }
  }
  EXPECT_NEAR(static_cast<double>(busy), expected, expected * 1e-6 + 10);
}

TEST_F(Trace, ModulesAndHangsTakeTheSameTime) {
  for (const char* file : {"sharded-matmul", "deadlock-send-waits-for-recv", "host-offload"}) {
    const auto plain = podsim("run " + run_file(file) + " --data none --json plain.json");
    const auto traced = podsim("run " + run_file(file) + " --data none --json result.json --timeline");
    EXPECT_EQ(plain.exit_code, traced.exit_code) << traced.err;
    for (std::size_t i = 0; i < result("plain.json")["results"].size(); ++i) {
      EXPECT_EQ(result("plain.json")["results"][i]["time_ps"], result()["results"][i]["time_ps"]) << file;
      EXPECT_EQ(result("plain.json")["results"][i]["explanation"], result()["results"][i]["explanation"]) << file;
    }
  }
}

TEST_F(Trace, CriticalPathAddsUpToTheRun) {
  for (const std::string& options : {small_run() + " --fidelity packet", small_run() + " --fidelity flow",
                                     run_file("tensor-parallel"), run_file("host-offload")}) {
    expect_success(podsim("run " + options + " --data none --json result.json --critical-path"));
    std::int64_t time = 0, shares = 0;
    const json run = result();
    for (const json& step : run["results"]) time += step["time_ps"].get<std::int64_t>();
    for (const json& share : run["critical_path"]["shares"]) shares += share["time"].get<std::int64_t>();
    EXPECT_GT(time, 0);
    EXPECT_EQ(shares, time) << options;
    EXPECT_FALSE(result()["critical_path"]["sentence"].get<std::string>().empty());
  }
}

TEST_F(Trace, AHangsTimelineEndsWithTheLastMomentsAndWhoWaitsForWhom) {
  const auto run = podsim("run " + run_file("deadlock-send-waits-for-recv") + " --json result.json --timeline");
  EXPECT_EQ(run.exit_code, 4);
  const json timeline = result().at("timeline");
  EXPECT_EQ(timeline["failure"]["kind"], "deadlock");
  EXPECT_FALSE(timeline["failure"]["graph"]["nodes"].empty());
  EXPECT_FALSE(timeline["failure"]["chips"].empty());
  std::size_t never = 0;
  const json& spans = timeline["spans"];
  for (std::size_t i = 0; i < spans["name"].size(); ++i) {
    if (timeline["strings"][spans["name"][i].get<std::size_t>()] != "SyncWait (never ends)") continue;
    ++never;
    EXPECT_EQ(spans["end"][i], timeline["end"]);
  }
  EXPECT_GE(never, timeline["failure"]["chips"].size());
}

TEST_F(Trace, ComparesTwoRunsByStepAndByCause) {
  const std::string run = "run " + run_file("sharded-matmul") + " --data none --timeline";
  expect_success(podsim(run + " --json slow.json"));
  expect_success(podsim(run + " --json fast.json --set ici.bandwidth_per_direction='500 GB/s'"));
  const auto compared = podsim("compare slow.json fast.json --json difference.json");
  expect_success(compared);
  EXPECT_THAT(compared.out, HasSubstr("critical path, by cause"));
  const json difference = result("difference.json");
  EXPECT_EQ(difference["steps"][0]["a_ps"], result("slow.json")["results"][0]["time_ps"]);
  EXPECT_EQ(difference["steps"][0]["b_ps"], result("fast.json")["results"][0]["time_ps"]);
  std::int64_t sum = 0;
  for (const json& cause : difference["causes"]) sum += cause["a_ps"].get<std::int64_t>();
  std::int64_t time = 0;
  const json slow = result("slow.json");
  for (const json& step : slow["results"]) time += step["time_ps"].get<std::int64_t>();
  EXPECT_EQ(sum, time);
}

TEST_F(Trace, BadRequestsAreRefusedWithTheReason) {
  const auto refused = [&](const std::string& options, const std::string& reason) {
    const auto run = podsim("run " + small_run() + " " + options);
    EXPECT_EQ(run.exit_code, 2) << options << run.err;
    EXPECT_THAT(run.err, HasSubstr(reason)) << options;
  };
  refused("--trace run.txt", ".perfetto-trace, .json or .vcd");
  refused("--trace no/such/folder/run.json", "can't write this file");
  refused("--trace run.json --trace-chips 99", "chips are 0 to 15");
  refused("--trace run.json --trace-from '5 parsec'", "--trace-from");
  refused("--trace run.json --trace-from '5 us' --trace-to '4 us'", "is before --trace-from");
  refused("--trace-chips 0", "needs --trace FILE");
  refused("--trace run.vcd --trace-from '1 us'", "not for .vcd");
  refused("--report run.pdf", ".html");
  refused("--timeline", "needs --json FILE");
  ASSERT_EQ(::symlink("/dev/full", path("full.json").c_str()), 0);
  const auto full = podsim("run " + small_run() + " --trace full.json");
  EXPECT_EQ(full.exit_code, 74);
  EXPECT_THAT(full.err, HasSubstr("can't write full.json"));
}

TEST_F(Trace, BadComparisonsAreRefusedWithTheReason) {
  write("not.json", "{");
  write("other.json", "{\"a\": 1}");
  expect_success(podsim("run " + small_run() + " --json plain.json"));
  const auto refused = [&](const std::string& arguments, const std::string& reason) {
    const auto run = podsim("compare " + arguments);
    EXPECT_EQ(run.exit_code, 2) << arguments << run.err;
    EXPECT_THAT(run.err, HasSubstr(reason)) << arguments;
  };
  refused("missing.json plain.json", "missing.json: can't read this file");
  refused("plain.json not.json", "not.json: is not JSON");
  refused("plain.json other.json", "other.json: is not a result");
  refused("plain.json plain.json --report r.html", "has no timeline for --report");
  const auto without = podsim("compare plain.json plain.json");
  expect_success(without);
  EXPECT_THAT(without.out, HasSubstr("plain.json has no critical path"));
}

}  // namespace
}  // namespace podsim
