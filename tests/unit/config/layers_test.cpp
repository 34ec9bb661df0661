// Layering of chip, pod, run and --set, with the origin of every value kept.
#include "platform/config/layers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "tests/unit/config/temporary_folder.h"

namespace podsim::config {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;

class Layers : public ::testing::Test {
 protected:
  void SetUp() override {
    write("configs/chips/c1.yaml",
          "description: a chip\nhbm:\n  capacity: 16 GiB\n  latency: 1 us\nici:\n  hop: 1 us\n");
    write("configs/chips/c2.yaml", "hbm:\n  capacity: 32 GiB\n");
    write("configs/pods/p1.yaml", "description: a pod\nchip: c1\ntopology: [4, 4]\nhbm:\n  latency: 2 us\n");
    write("configs/runs/r1.yaml", "pod: p1\nici:\n  hop: 3 us\nhbm:\n");
  }
  void write(const std::string& name, const std::string& text) const { folder.write(name, text); }
  template <class Call>
  static std::string error_of(Call call) {
    try {
      (void)call();
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "accepted";
  }
  podsim::testing::TemporaryFolder folder;
  const std::filesystem::path root = folder.path();
};

TEST_F(Layers, EachOverridesTheOneBelowAndKeepsItsMark) {
  const ConfigDocument run = load(root / "configs/runs/r1.yaml", root, {"ici.hop=4 us"});
  const ConfigNode& hbm = *run.find("hbm");
  EXPECT_EQ(hbm.find("capacity")->text, "16 GiB");
  EXPECT_THAT(hbm.find("capacity")->mark.to_string(), EndsWith("chips/c1.yaml:3:13"));
  EXPECT_EQ(hbm.find("latency")->text, "2 us");
  EXPECT_THAT(hbm.find("latency")->mark.to_string(), EndsWith("pods/p1.yaml:5:12"));
  EXPECT_EQ(run.find("ici")->find("hop")->text, "4 us");
  EXPECT_EQ(run.find("ici")->find("hop")->mark.to_string(), "--set ici.hop=4 us");
  EXPECT_EQ(run.find("pod")->text, "p1");
  EXPECT_EQ(run.find("chip")->text, "c1");
  EXPECT_EQ(run.find("description"), nullptr);
}

TEST_F(Layers, PodByNameKeepsItsDescription) {
  const ConfigDocument pod = load_pod("p1", root);
  EXPECT_EQ(pod.find("description")->text, "a pod");
  EXPECT_EQ(pod.find("hbm")->find("capacity")->text, "16 GiB");
}

TEST_F(Layers, SetCanChangeThePresetsThemselves) {
  const ConfigDocument run = load(root / "configs/runs/r1.yaml", root, {"chip=c2"});
  EXPECT_EQ(run.find("hbm")->find("capacity")->text, "32 GiB");
  EXPECT_EQ(run.find("hbm")->find("latency")->text, "2 us");
  EXPECT_EQ(run.find("chip")->text, "c2");
}

TEST_F(Layers, PathsAreRelativeToTheFileThatGivesThem) {
  write("mine/my_chip.yaml", "chip: c1\nhbm: {capacity: 8 GiB}\n");
  write("mine/my_pod.yaml", "pod: ../configs/pods/p1.yaml\nchip: my_chip.yaml\n");
  const ConfigDocument pod = load(root / "mine/my_pod.yaml", root);
  EXPECT_EQ(pod.find("hbm")->find("capacity")->text, "8 GiB");
  EXPECT_EQ(pod.find("hbm")->find("latency")->text, "2 us");
  EXPECT_EQ(pod.find("ici")->find("hop")->text, "1 us");
  EXPECT_THAT(error_of([&] { return load_pod("mine/none.yaml", root); }), HasSubstr("no such file: 'mine/none.yaml'"));
}

TEST_F(Layers, UnknownPresetsGetASuggestion) {
  write("configs/runs/bad.yaml", "pod: p11\n");
  EXPECT_THAT(error_of([&] { return load(root / "configs/runs/bad.yaml", root); }),
              AllOf(HasSubstr("bad.yaml:1:6: pod: no preset 'p11' in "), HasSubstr("did you mean 'p1'?")));
  EXPECT_THAT(error_of([&] { return load_pod("zebra", root); }),
              AllOf(HasSubstr("--pod zebra: pod: "), HasSubstr("known: p1")));
  EXPECT_THAT(error_of([&] { return load(root / "configs/runs/r1.yaml", root, {"chip=c9"}); }),
              HasSubstr("--set chip=c9: chip: no preset 'c9'"));
  EXPECT_THAT(error_of([&] { return load(root / "configs/runs/r1.yaml", root / "nowhere"); }),
              HasSubstr("no preset 'p1'"));
}

TEST_F(Layers, APresetMustBeNamedByText) {
  write("configs/runs/list.yaml", "pod: [p1]\n");
  EXPECT_THAT(error_of([&] { return load(root / "configs/runs/list.yaml", root); }),
              HasSubstr("expected the name of a preset, got a list"));
  write("configs/runs/none.yaml", "pod:\n");
  EXPECT_THAT(error_of([&] { return load(root / "configs/runs/none.yaml", root); }), HasSubstr("got nothing"));
}

TEST_F(Layers, CirclesAreRefused) {
  write("configs/pods/a.yaml", "pod: b\n");
  write("configs/pods/b.yaml", "pod: a\n");
  EXPECT_THAT(error_of([&] { return load_pod("a", root); }), HasSubstr("name each other in a circle"));
}

TEST_F(Layers, PresetNamesAreSorted) {
  EXPECT_THAT(preset_names(root, "chips"), ElementsAre("c1", "c2"));
  EXPECT_TRUE(preset_names(root / "nowhere", "chips").empty());
}

}  // namespace
}  // namespace podsim::config
