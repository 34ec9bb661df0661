// What the strict YAML parser accepts, and what it refuses with which message and place.
#include "platform/config/yaml_document.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/unit/config/temporary_folder.h"

namespace podsim::config {
namespace {

using ::testing::HasSubstr;
using Kind = ConfigNode::Kind;

std::string error_of(const std::string& text) {
  try {
    (void)parse_yaml(text, "f.yaml");
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(YamlDocument, KeepsWhereEachKeyAndValueStands) {
  const ConfigNode root = parse_yaml("# comment\na:\n  b: 45 GB/s\n  c: [1, 2]\n", "f.yaml");
  ASSERT_EQ(root.kind, Kind::kMap);
  const ConfigNode* a = root.find("a");
  ASSERT_TRUE(a);
  EXPECT_EQ(root.entries[0].key_mark.to_string(), "f.yaml:2:1");
  EXPECT_EQ(a->find("b")->text, "45 GB/s");
  EXPECT_EQ(a->find("b")->mark.to_string(), "f.yaml:3:6");
  ASSERT_EQ(a->find("c")->items.size(), 2u);
  EXPECT_EQ(a->find("c")->items[1].mark.to_string(), "f.yaml:4:10");
  EXPECT_EQ(a->find("missing"), nullptr);
}

TEST(YamlDocument, AliasesAreCopies) {
  const ConfigNode root = parse_yaml("a: &x {k: 1, l: 2}\nb: *x\n", "f.yaml");
  ASSERT_TRUE(root.find("b"));
  EXPECT_EQ(root.find("b")->find("l")->text, "2");
  EXPECT_EQ(root.find("b")->find("l")->mark.line, 1);
}

TEST(YamlDocument, QuotedTextIsNeverNull) {
  const ConfigNode root = parse_yaml("a: null\nb: 'null'\nc:\nd: ~\ne: \"\"\n", "f.yaml");
  EXPECT_EQ(root.find("a")->kind, Kind::kNull);
  EXPECT_EQ(root.find("b")->kind, Kind::kScalar);
  EXPECT_EQ(root.find("c")->kind, Kind::kNull);
  EXPECT_EQ(root.find("d")->kind, Kind::kNull);
  EXPECT_EQ(root.find("e")->kind, Kind::kScalar);
}

TEST(YamlDocument, TextWithOnlyCommentsIsEmpty) {
  EXPECT_EQ(parse_yaml("", "f.yaml").kind, Kind::kNull);
  EXPECT_EQ(parse_yaml("# nothing\n", "f.yaml").kind, Kind::kNull);
}

struct BadText {
  const char* text;
  const char* message;
};

class YamlRefused : public ::testing::TestWithParam<BadText> {};

TEST_P(YamlRefused, SaysWhereAndWhy) { EXPECT_THAT(error_of(GetParam().text), HasSubstr(GetParam().message)); }

INSTANTIATE_TEST_SUITE_P(
    Table, YamlRefused,
    ::testing::Values(BadText{"a: 1\nb: 2\na: 3\n", "f.yaml:3:1: duplicate key 'a', first given in line 1"},
                      BadText{"s:\n  a: 1\n  a: 2\n", "f.yaml:3:3: duplicate key 'a'"},
                      BadText{"s: {a: 1, 'a': 2}\n", "f.yaml:1:11: duplicate key 'a'"},
                      BadText{"a: [1, 2\n", "f.yaml:1:1: not valid YAML: "},
                      BadText{"a: b: c\n", "f.yaml:1:5: not valid YAML: "},
                      BadText{"a: 'open\nb: 1\n\n", "not valid YAML: "}, BadText{"a: \"open\n", "not valid YAML: "},
                      BadText{"a:\n\t- 1\n", "not valid YAML: "}, BadText{"a: *nowhere\n", "not valid YAML: "},
                      BadText{"a: &x [*x]\n", "alias"},
                      BadText{"a: &x {b: *x}\n", "alias may not refer to a node that it is part of"},
                      BadText{"a: &x 1\n<<: {b: 1}\n", "f.yaml:2:1: merge keys ('<<') are not supported"},
                      BadText{"a: !!int 1\n", "tags such as"}, BadText{"a: !own {b: 1}\n", "tags such as"},
                      BadText{"? [a, b]\n: 1\n", "a key must be plain text"},
                      BadText{"? {a: b}\n: 1\n", "a key must be plain text"},
                      BadText{"x: &k a\n*k : 1\n", "a key must be plain text, not an alias"},
                      BadText{"~: 1\n", "a key is missing"}, BadText{"'': 1\n", "a key is missing"},
                      BadText{": 1\n", "a key is missing"}, BadText{"a: 1\n---\nb: 2\n", "only one document"},
                      BadText{"a: \x01\n", "f.yaml:1:4: not a text file in UTF-8: control character 0x01"},
                      BadText{"a: 1\nb: \xff\n", "f.yaml:2:4: not a text file in UTF-8: bad byte 0xff"},
                      BadText{"a: \xc0\xaf\n", "bad byte 0xc0"}, BadText{"a: \xed\xa0\x80\n", "bad byte 0xed"},
                      BadText{"a: \xe2\x82", "bad byte 0xe2"},
                      BadText{"\xff\xfe"
                              "a",
                              "bad byte 0xff"}));

TEST(YamlRefusedToo, NulBytes) {
  EXPECT_THAT(error_of(std::string("a: \0b\n", 6)), HasSubstr("control character 0x00"));
}

TEST(YamlBounds, DeepNesting) {
  EXPECT_THAT(error_of("a: " + std::string(kDeepestNesting + 1, '[') + std::string(kDeepestNesting + 1, ']')),
              HasSubstr("nested more than"));
  for (const char* opening : {"[", "{a: ", "- ", "? ", "- - a: "}) {
    std::string text;
    for (int i = 0; i < 50'000; ++i) text += opening;
    EXPECT_NE(error_of(text), "accepted") << opening;
  }
}

TEST(YamlBounds, AliasBomb) {
  std::string text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 12; ++i) {
    text.append("a").append(std::to_string(i)).append(": &a").append(std::to_string(i)).append(" [");
    for (int k = 0; k < 10; ++k) text += (k ? ", *a" : "*a") + std::to_string(i - 1);
    text += "]\n";
  }
  EXPECT_THAT(error_of(text), HasSubstr("values, aliases expanded"));
}

TEST(YamlBounds, ManyKeys) {
  std::string text;
  for (int i = 0; i < 60'000; ++i) text.append("k").append(std::to_string(i)).append(":\n");
  EXPECT_THAT(error_of(text), HasSubstr("more than"));
}

class YamlFile : public ::testing::Test {
 protected:
  [[nodiscard]] std::string error_of_file(const std::string& name) const {
    try {
      (void)load_yaml(folder / name);
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "accepted";
  }
  void write(const std::string& name, const std::string& text) const { temporary.write(name, text); }
  podsim::testing::TemporaryFolder temporary;
  const std::filesystem::path folder = temporary.path();
};

TEST_F(YamlFile, MissingFolderEmptyLargeAndEndless) {
  EXPECT_THAT(error_of_file("missing.yaml"), HasSubstr("missing.yaml: no such file"));
  EXPECT_THAT(error_of_file("."), HasSubstr("is a folder"));
  write("empty.yaml", "");
  EXPECT_THAT(error_of_file("empty.yaml"), HasSubstr("the file is empty"));
  write("comment.yaml", "# a\n");
  EXPECT_THAT(error_of_file("comment.yaml"), HasSubstr("the file is empty"));
  write("large.yaml", std::string(kLargestFile + 1, '#'));
  EXPECT_THAT(error_of_file("large.yaml"), HasSubstr("larger than"));
  EXPECT_THAT(error_of_file("/dev/zero"), HasSubstr("larger than"));
  write("list.yaml", "- 1\n");
  EXPECT_THAT(error_of_file("list.yaml"),
              HasSubstr("list.yaml:1:1: expected sections and keys ('key: value'), got a list"));
  write("word.yaml", "word\n");
  EXPECT_THAT(error_of_file("word.yaml"), HasSubstr("got 'word'"));
}

TEST_F(YamlFile, UnreadableFile) {
  // A socket exists and can't be opened, whoever asks; root may read every file, whatever its permissions.
  const std::string path = folder / "socket.yaml";
  const int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  ASSERT_LT(path.size(), sizeof address.sun_path);
  path.copy(address.sun_path, path.size());
  ASSERT_EQ(::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  EXPECT_THAT(error_of_file("socket.yaml"), HasSubstr("can't be opened for reading"));
  ::close(socket);
}

TEST_F(YamlFile, ByteOrderMarkOfUtf8IsFine) {
  write("bom.yaml",
        "\xef\xbb\xbf"
        "a: 1\n");
  EXPECT_EQ(error_of_file("bom.yaml"), "accepted");
}

}  // namespace
}  // namespace podsim::config
