#include "platform/library/shared_object.h"

#include <cxxabi.h>
#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <memory>

namespace podsim::library {

namespace {

// "undefined symbol: _ZN6podsim..." with the name as it is written in C++.
std::string readable(const std::string& message) {
  const std::string mark = "undefined symbol: ";
  const std::size_t at = message.find(mark);
  if (at == std::string::npos) return message;
  const std::string name = message.substr(at + mark.size());
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> plain(abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status),
                                                     &std::free);
  return fmt::format("it uses {}, which is declared, but defined nowhere", status == 0 ? plain.get() : name);
}

}  // namespace

SharedObject::SharedObject(const std::filesystem::path& file)
    : file_(file.string()), handle_(::dlopen(std::filesystem::absolute(file).c_str(), RTLD_NOW | RTLD_LOCAL)) {
  if (handle_ == nullptr) throw LoadError(readable(::dlerror()));
}

void* SharedObject::symbol(const std::string& name) const {
  void* const found = ::dlsym(handle_, name.c_str());
  if (found == nullptr) {
    throw LoadError(fmt::format("there is no extern \"C\" function '{}' in it, which podsim calls", name));
  }
  return found;
}

}  // namespace podsim::library
