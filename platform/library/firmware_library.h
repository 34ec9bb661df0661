// Loads firmware libraries (firmware/library/library.h).
#pragma once

#include <filesystem>

namespace podsim::library {

// Adds the programs of the shared object `file` to those that can be named. Runs the object's constructors. Throws
// LoadError (shared_object.h): not a shared object, not a firmware library, one of another podsim, or one whose
// programs are not usable or have names that are taken.
void load_firmware(const std::filesystem::path& file);

}  // namespace podsim::library
