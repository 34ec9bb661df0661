// A config struct with a member of every kind, and its description, as a block would have them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/kernel/units.h"

namespace podsim::example {

enum class Colour { kRed, kGreen };

struct Wire {
  Bandwidth bandwidth{1};
  Duration latency;
  bool operator==(const Wire&) const = default;
};

struct Engine {
  Frequency clock{1'000'000'000};
  unsigned queue = 4;
  std::int32_t offset = 0;
  double derate = 1.0;
  bool enabled = true;
  std::string label = "engine";
  Colour colour = Colour::kRed;
  ByteSize page{4096};
  ByteSize small{0};
  std::optional<Duration> timeout;
  std::vector<unsigned> shape;
  std::vector<Wire> wires;
  Wire main_wire;
  bool operator==(const Engine&) const = default;
};

}  // namespace podsim::example

// After the structs, as a block's fields header would include them.
#include "platform/config/fields.h"

namespace podsim::config {

constexpr auto names(EnumTag<example::Colour>) {
  return EnumNames<example::Colour, 2>{{{"red", example::Colour::kRed}, {"green", example::Colour::kGreen}}};
}

template <class Visitor>
void fields(Visitor& visit, example::Wire& wire) {
  visit("bandwidth", wire.bandwidth, "one way", required);
  visit("latency", wire.latency, "head to head");
}

template <class Visitor>
void fields(Visitor& visit, example::Engine& engine) {
  visit("clock", engine.clock, "of the engine", required, at_most(Frequency{10'000'000'000}));
  visit("queue", engine.queue, "entries", at_least(1), at_most(64));
  visit("offset", engine.offset, "a signed number", at_least(-8), at_most(8));
  visit("derate", engine.derate, "share of peak", positive, at_most(1.0));
  visit("enabled", engine.enabled, "whether it runs");
  visit("label", engine.label, "shown to the user");
  visit("colour", engine.colour, "red or green");
  visit("page", engine.page, "unit of access", power_of_two);
  visit("small", engine.small, "may be nothing", at_most(ByteSize{1024}));
  visit("timeout", engine.timeout, "none by default", positive);
  visit("shape", engine.shape, "sizes of the axes", positive);
  visit("wires", engine.wires, "side wires");
  visit("main_wire", engine.main_wire, "the main wire");
  visit.check(engine.small <= engine.page, "small", "must not exceed page");
}

}  // namespace podsim::config
