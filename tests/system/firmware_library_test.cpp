// A user's own firmware: written by `podsim new-firmware`, built against this build folder or an installation, loaded
// by `podsim run --firmware`; and what is said of libraries that are no good.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/system/cli_support.h"

namespace podsim {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

class FirmwareLibrary : public testing::Cli {
 protected:
  // Runs a command that must succeed.
  void must(const std::string& command) {
    const auto result = shell("{ cd '" + path("") + "' && " + command + "; }");
    ASSERT_EQ(result.exit_code, 0) << command << '\n' << result.out << result.err;
  }
  void build(const std::string& folder) {
    must("cmake -S " + folder + " -B " + folder + "/build -DCMAKE_BUILD_TYPE=Debug && cmake --build " + folder +
         "/build");
  }
  // A library of this one source.
  std::string library(const std::string& source, const std::string& options = "") {
    must("true");
    write("bad.cpp", source);
    must("${CXX:-g++} -std=c++20 -shared -fPIC " + options +
         " -I '" PODSIM_SOURCE_DIR "' -I '" PODSIM_BINARY_DIR "/generated' bad.cpp -o libbad.so");
    return path("libbad.so");
  }
  // What a run with this library says, which must be a config error in one line.
  std::string refusal(const std::string& library) {
    write("run.yaml", "pod: tpu-v5e-2x2\nsteps: [{program: mine, size: 1 KiB}]\n");
    const auto result = podsim("run run.yaml --firmware '" + library + "'");
    EXPECT_EQ(result.exit_code, 2) << result.out;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
    EXPECT_THAT(result.err, HasSubstr("--firmware " + library));
    return result.err;
  }

  static constexpr const char* kProgram = R"(
      #include "firmware/library/library.h"
      using namespace podsim::firmware;
      static Task copy(Device& chip, ProgramCall call) {
        const auto copied = chip.allocate().dma_semaphores("copied", 1)[0];
        for (std::int64_t i = 0; i < call.parameters[0]; ++i) co_await chip.start_copy(call.in, call.out, copied);
      }
      static constexpr ProgramParameter kParameters[] = {{.name = "times", .description = "", .value = 1, .least = 1, .most = 9}};
      static constexpr Program kPrograms[] = {
          {.name = NAME, .description = "copies", .copies = true, .run_call = &copy, .parameters = kParameters}};
      extern "C" const Library* podsim_firmware() { static constexpr Library library{kPrograms}; return &library; }
      )";
};

// What the starter shows: as fast as a ring one way is, right, and the same from the other side.
TEST_F(FirmwareLibrary, StarterBuildsAndRunsAgainstThisBuild) {
  ASSERT_EQ(podsim("new-firmware mine").exit_code, 0);
  build("mine");
  const auto result = podsim("run mine/run.yaml --firmware mine/build/libmine.so --json result.json");
  ASSERT_EQ(result.exit_code, 0) << result.out << result.err;
  const json steps = json::parse(read(path("result.json")))["results"];
  ASSERT_EQ(steps.size(), 3u);
  EXPECT_EQ(steps[1]["algorithm"], "mine_all_gather");
  for (const json& step : steps) EXPECT_EQ(step["wrong"], 0);
  EXPECT_EQ(steps[1]["time_ps"], steps[2]["time_ps"]);  // a line of four is the same from both ends
}

TEST_F(FirmwareLibrary, StarterBuildsAndRunsAgainstAnInstallation) {
  must("cmake --install '" PODSIM_BINARY_DIR "' --prefix '" + path("there") + "'");
  const std::string installed = "env -u PODSIM_ROOT '" + path("there/bin/podsim") + "'";
  must(installed + " run quickstart");  // finds its presets
  must(installed + " new-firmware mine");
  EXPECT_THAT(read(path("mine/CMakeLists.txt")), HasSubstr(path("there/lib/cmake/podsim")));
  build("mine");
  must("ctest --test-dir mine/build --output-on-failure");
  must(installed + " run mine/run.yaml --firmware mine/build/libmine.so");
}

TEST_F(FirmwareLibrary, InstallationHasTheLibraries) {
  must("cmake --install '" PODSIM_BINARY_DIR "' --prefix '" + path("there") + "'");
  write("CMakeLists.txt",
        "cmake_minimum_required(VERSION 3.25)\nproject(user CXX)\nset(CMAKE_CXX_STANDARD 20)\n"
        "find_package(podsim REQUIRED COMPONENTS libraries)\nadd_executable(user user.cpp)\n"
        "target_link_libraries(user PRIVATE podsim::platform)\n");
  write("user.cpp",
        "#include <cstdio>\n#include <systemc>\n#include \"platform/config/quantity.h\"\n"
        "int sc_main(int, char**) { std::puts(podsim::config::to_string(podsim::Duration{1500}).c_str()); return 0; }\n"
        "int main() { return sc_main(0, nullptr); }\n");
  must("cmake -S . -B build -Dpodsim_DIR='" + path("there/lib/cmake/podsim") + "' && cmake --build build");
  must("test \"$(./build/user)\" = '1.5 ns'");
}

TEST_F(FirmwareLibrary, ProgramsTakeParameters) {
  const std::string mine = library(kProgram, "-DNAME='\"mine\"'");
  write("run.yaml",
        "pod: tpu-v5e-2x2\nsteps:\n  - {program: mine, size: 1 MiB}\n"
        "  - {program: mine, size: 1 MiB, parameters: {times: 3}}\n");
  const auto result = podsim("run run.yaml --json - --firmware " + mine);
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json steps = json::parse(result.out)["results"];
  const double once = steps[0]["time_ps"], thrice = steps[1]["time_ps"];
  EXPECT_GT(thrice, 2.5 * once);
  EXPECT_LT(thrice, 3.0 * once + 1);

  const auto wrong = [&](const std::string& parameters) {
    write("run.yaml", "pod: tpu-v5e-2x2\nsteps:\n  - {program: mine, size: 1 KiB, parameters: " + parameters + "}\n");
    const auto refused = podsim("run run.yaml --firmware " + mine);
    EXPECT_EQ(refused.exit_code, 2);
    return refused.err;
  };
  EXPECT_THAT(wrong("{tims: 3}"), HasSubstr("run.yaml:3:"));
  EXPECT_THAT(wrong("{tims: 3}"), HasSubstr("did you mean 'times'?"));
  EXPECT_THAT(wrong("{times: 10}"), HasSubstr("outside 1 to 9"));
  EXPECT_THAT(wrong("{times: [1]}"), HasSubstr("expected a whole number"));
  EXPECT_THAT(wrong("3"), HasSubstr("expected numbers by name"));
}

TEST_F(FirmwareLibrary, RefusesWhatIsNoLibrary) {
  EXPECT_THAT(refusal(path("nowhere.so")), HasSubstr("no such file"));
  EXPECT_THAT(refusal(path("")), HasSubstr("not a file"));
  EXPECT_THAT(refusal(write("text.so", "not a shared object")), HasSubstr("not a shared object"));
  EXPECT_THAT(refusal(library("int nothing = 0;")), HasSubstr("no extern \"C\" function 'podsim_firmware'"));
  EXPECT_THAT(refusal(library("extern \"C\" const void* podsim_firmware() { return nullptr; }")),
              HasSubstr("returns nothing"));
  EXPECT_THAT(refusal(library("static const char* const other = \"other\";\n"
                              "extern \"C\" const void* podsim_firmware() { return &other; }")),
              HasSubstr("does not return a podsim::firmware::Library"));
}

TEST_F(FirmwareLibrary, RefusesAnotherPodsims) {
  std::filesystem::create_directories(path("old/firmware/library"));
  write("old/firmware/library/stamp.h",
        "#pragma once\nnamespace podsim::firmware { constexpr char kStamp[] = \"podsim 0.0.9, headers 00\"; }\n");
  const std::string old = library(kProgram, "-DNAME='\"mine\"' -I old");
  EXPECT_THAT(refusal(old), HasSubstr("built for podsim 0.0.9, headers 00; this is podsim 0.1.0"));
  EXPECT_THAT(refusal(library(kProgram, "-DNAME='\"mine\"' -D_GLIBCXX_DEBUG")), HasSubstr("types differ in size"));
  EXPECT_THAT(refusal(library(std::string("namespace podsim::firmware { int nowhere(); }\n"
                                          "int used = podsim::firmware::nowhere();\n") +
                                  kProgram,
                              "-DNAME='\"mine\"'")),
              HasSubstr("podsim::firmware::nowhere()"));
}

TEST_F(FirmwareLibrary, RefusesNamesThatAreTaken) {
  EXPECT_THAT(refusal(library(kProgram, "-DNAME='\"local_copy\"'")),
              HasSubstr("'local_copy': there is one of that name"));
}

TEST_F(FirmwareLibrary, ACollectiveAndItsCarrierMustFit) {
  ASSERT_EQ(podsim("new-firmware mine").exit_code, 0);
  build("mine");
  const auto wrong = [&](const std::string& step) {
    write("run.yaml", "pod: tpu-v5e-2x2\nsteps: [" + step + "]\n");
    const auto refused = podsim("run run.yaml --firmware mine/build/libmine.so");
    EXPECT_EQ(refused.exit_code, 2);
    return refused.err;
  };
  EXPECT_THAT(wrong("{collective: all_reduce, size: 1 KiB, program: mine_all_gather}"),
              HasSubstr("does not carry out all_reduce"));
  EXPECT_THAT(wrong("{size: 1 KiB, program: mine_all_gather}"), HasSubstr("needs 'collective: all_gather'"));
  EXPECT_THAT(wrong("{collective: all_gather, size: 1 KiB, program: mine_all_gather, algorithm: ring}"),
              HasSubstr("can't stand beside 'program'"));
}

TEST_F(FirmwareLibrary, StarterNeedsAFolderOfItsOwn) {
  write("file", "");
  std::filesystem::create_directories(path("full"));
  write("full/something", "");
  EXPECT_EQ(podsim("new-firmware ''").exit_code, 2);
  for (const char* name : {"file", "full"}) {
    const auto result = podsim(std::string("new-firmware ") + name);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.err, HasSubstr("is there already"));
  }
}

}  // namespace
}  // namespace podsim
