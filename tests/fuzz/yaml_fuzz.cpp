// libFuzzer over YAML input: every kind of file goes through its reader, presets included, and through to what a run
// plans for its pod. Whatever the text is, the answer is a file that was read or a ConfigError.
//
// The first byte chooses the kind, so that one corpus serves all. With PODSIM_FUZZ_SEEDS=FOLDER the files in configs/
// are written there for it, before the fuzzing.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "platform/config/config_error.h"
#include "platform/config/yaml_document.h"
#include "platform/schema/kinds.h"
#include "tests/support/yaml_files.h"

namespace {

namespace fs = std::filesystem;
const fs::path kRoot = PODSIM_SOURCE_DIR;

}  // namespace

// What SystemC's library calls, when somebody elaborates; here nobody does.
extern "C" int sc_main(int /*argc*/, char* /*argv*/[]) { return 0; }

extern "C" int LLVMFuzzerInitialize(int* /*argc*/, char*** /*argv*/) {
  const char* const folder = std::getenv("PODSIM_FUZZ_SEEDS");
  if (folder == nullptr) return 0;
  int number = 0;
  for (const podsim::schema::Kind& kind : podsim::schema::kinds()) {
    for (const fs::path& file : podsim::testing::files_of(std::string(kind.name), kRoot)) {
      std::ofstream seed(fs::path(folder) / (std::string(kind.name) + '-' + file.stem().string()), std::ios::binary);
      seed << static_cast<char>(number) << std::ifstream(file, std::ios::binary).rdbuf();
    }
    ++number;
  }
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const auto kinds = podsim::schema::kinds();
  const auto& kind = kinds[data[0] % kinds.size()];
  const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  try {
    podsim::testing::read_as(std::string(kind.name), podsim::config::parse_yaml(text, "fuzz.yaml"), kRoot);
  } catch (const podsim::config::ConfigError&) {
  }
  return 0;
}
