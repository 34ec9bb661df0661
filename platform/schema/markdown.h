// A kind's schema as a page of reference: a table of keys for each section.
#pragma once

#include <string>

#include "platform/schema/kinds.h"

namespace podsim::schema {

// Sections that another kind's page has already are named, with a link to it.
[[nodiscard]] std::string page(const Kind& kind);
// The page that lists the others.
[[nodiscard]] std::string contents();

}  // namespace podsim::schema
