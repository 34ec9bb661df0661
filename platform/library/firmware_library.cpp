#include "platform/library/firmware_library.h"

#include <fmt/format.h>

#include <cstring>
#include <fstream>
#include <set>
#include <string>

#include "firmware/library/library.h"
#include "platform/library/shared_object.h"

namespace podsim::library {

namespace {

constexpr const char* kEntry = "podsim_firmware";

// Every ELF file begins so (System V ABI, "ELF Header").
bool is_object(const std::filesystem::path& file) {
  char head[4] = {};
  std::ifstream(file, std::ios::binary).read(head, sizeof head);
  return std::memcmp(head, "\177ELF", sizeof head) == 0;
}

void check_stamp(const firmware::Library& library) {
  const firmware::Library own({});
  const char* const stamp = library.stamp();
  if (stamp == nullptr || std::strncmp(stamp, "podsim ", 7) != 0) {
    throw LoadError(fmt::format("its function '{}' does not return a podsim::firmware::Library", kEntry));
  }
  if (std::strcmp(stamp, own.stamp()) != 0) {
    throw LoadError(fmt::format("it was built for {}; this is {}: build it again", stamp, own.stamp()));
  }
  if (!library.fits(own)) {
    throw LoadError(
        "it was compiled in another way than podsim (the standard library's debug mode?): types differ in size");
  }
}

void check_programs(std::span<const firmware::Program> programs) {
  if (programs.empty()) throw LoadError("it has no programs");
  std::set<std::string_view> names;
  for (const firmware::Program& program : programs) {
    if (program.name.empty()) throw LoadError("one of its programs has no name");
    if (!names.insert(program.name).second || firmware::find_program(program.name) != nullptr) {
      throw LoadError(fmt::format("its program '{}': there is one of that name already", program.name));
    }
    if ((program.run == nullptr) == (program.run_call == nullptr)) {
      throw LoadError(fmt::format("its program '{}' must have either 'run' or 'run_call'", program.name));
    }
    const bool needs_call = program.collective.has_value() || !program.parameters.empty();
    if (needs_call && program.run_call == nullptr) {
      throw LoadError(
          fmt::format("its program '{}' has a collective or parameters, which only 'run_call' is told", program.name));
    }
  }
}

}  // namespace

void load_firmware(const std::filesystem::path& file) {
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored)) throw LoadError("no such file");
  if (!std::filesystem::is_regular_file(file, ignored)) throw LoadError("it is not a file");
  if (!is_object(file)) throw LoadError("it is not a shared object");
  const firmware::Library* const library = SharedObject(file).function<firmware::LibraryEntry>(kEntry)();
  if (library == nullptr) throw LoadError(fmt::format("its function '{}' returns nothing", kEntry));
  check_stamp(*library);
  check_programs(library->programs());
  firmware::add_programs(library->programs());
}

}  // namespace podsim::library
