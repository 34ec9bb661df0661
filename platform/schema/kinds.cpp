#include "platform/schema/kinds.h"

#include <algorithm>
#include <array>
#include <string>

#include "platform/config/pod_fields.h"
#include "platform/config/schema_writer.h"
#include "platform/run/run_fields.h"
#include "platform/study/study_fields.h"
#include "platform/validate/run_case_fields.h"

namespace podsim::schema {

// Files that are no struct of their own, because they are a layer of something (layers.h).
struct ChipFile {
  pod::PodConfig pod;
};
struct MemoryFile {
  memory::HbmConfig hbm;
};

}  // namespace podsim::schema

namespace podsim::config {

template <class Visitor>
void fields(Visitor& visit, schema::ChipFile& file) {
  visit.note("description", "what this file describes; not inherited");
  visit("chip", file.pod.chip.name, "the preset that this builds upon");
  chip_fields(visit, file.pod.chip, file.pod.wrap_rule, file.pod.links);
  visit("host", file.pod.host, "what the chips are attached to");
}

template <class Visitor>
void fields(Visitor& visit, schema::MemoryFile& file) {
  visit.note("description", "what this file describes; not inherited");
  dram_fields(visit, file.hbm);
}

}  // namespace podsim::config

namespace podsim::schema {

using Json = nlohmann::ordered_json;

namespace {

constexpr bool kLayered = true;

// A run is of a pod, which has a name or is described on the spot.
Json run_schema() {
  Json schema = config::schema_of<run::RunEntry>(!kLayered);
  schema["anyOf"] = {{{"required", {"pod"}}}, {{"required", {"topology"}}}};
  return schema;
}

}  // namespace

std::span<const Kind> kinds() {
  static constexpr std::array kKinds{
      Kind{"chip", "A chip", "configs/chips/*.yaml",
           "The blocks of a chip, and the host that such chips are attached to. A pod names its chip; see "
           "docs/configuration.md for how files are laid over each other.",
           [] { return config::schema_of<ChipFile>(kLayered); }},
      Kind{"memory", "DRAM timings", "configs/memory/*.yaml",
           "A set of DRAM timings, which a chip's `hbm.timings` names. Its keys are the ones of `hbm`.",
           [] { return config::schema_of<MemoryFile>(kLayered); }},
      Kind{"pod", "A pod", "configs/pods/*.yaml",
           "Chips and how they are linked. Any key of the chip may stand beside, and overrides it.",
           [] { return config::schema_of<pod::PodConfig>(kLayered); }},
      Kind{"run", "A run", "configs/runs/*.yaml",
           "What is to run on a pod, step by step. Any key of the pod and its chip may stand beside, and overrides it.",
           &run_schema},
      Kind{"study", "A study", "configs/studies/*.yaml",
           "Many runs of one run file or collective, what changes from one to the next, and what to make of them; see "
           "docs/studies.md.",
           [] { return config::schema_of<study::StudyEntry>(!kLayered); }},
      Kind{"validation", "Validation cases", "configs/validation/*.yaml",
           "Outside figures, each with the run that is held against it; see docs/validation.md.",
           [] { return config::schema_of<validate::CasesEntry>(!kLayered); }},
  };
  return kKinds;
}

const Kind* find_kind(std::string_view name) {
  const auto all = kinds();
  const auto kind = std::find_if(all.begin(), all.end(), [&](const Kind& each) { return each.name == name; });
  return kind == all.end() ? nullptr : &*kind;
}

Json schema_of(const Kind& kind) {
  Json schema = {{"$schema", "http://json-schema.org/draft-07/schema#"},
                 {"title", "podsim: " + std::string(kind.title)},
                 {"description", kind.about}};
  schema.update(kind.schema());
  return schema;
}

}  // namespace podsim::schema
