# Writes OUTPUT, the header that says which podsim a firmware library was built for: VERSION, and a hash over HEADERS,
# which is a file that lists them. Run by the build whenever one of them changes.
file(STRINGS ${HEADERS} headers)
foreach(header IN LISTS headers)
  file(SHA256 ${header} hash)
  string(APPEND hashes ${hash})
endforeach()
string(SHA256 hash "${hashes}")
string(SUBSTRING ${hash} 0 16 hash)
file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT [=[
// Made by the build: which podsim these headers are of.
#pragma once

namespace podsim::firmware {

// Of each library its own: an inline variable would be the one of the program that loads it.
constexpr char kStamp[] = "podsim @VERSION@, headers @hash@";

}  // namespace podsim::firmware
]=])
