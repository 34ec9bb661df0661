#include "platform/report/json_report.h"

#include "platform/check/wait_for_graph.h"
#include "platform/report/json_layout.h"
#include "platform/report/kernel_text.h"
#include "platform/report/module_text.h"
#include "platform/report/number_text.h"
#include "platform/report/token_use.h"
#include "platform/version.h"

namespace podsim::report {

namespace {

Json pod_json(const PodRecord& pod) {
  Json axes = Json::array();
  for (unsigned i = 0; i < pod.torus.axes(); ++i) {
    const ici::AxisShape& axis = pod.torus.axis(static_cast<ici::Axis>(i));
    axes.push_back({{"name", axis.name}, {"size", axis.size}, {"wrap", axis.wrap}});
  }
  Json dead = Json::array();
  for (const ici::DeadLinks::End& end : pod.dead_links.ends()) {
    if (!is_first_end(end, pod.torus)) continue;
    if (pod.torus.listed_links() != nullptr) {
      dead.push_back({{"from", index(end.chip)}, {"to", index(pod.torus.neighbour(end.chip, end.port).value())}});
      continue;
    }
    const std::string& axis = pod.torus.axis(ici::axis_of(end.port)).name;
    dead.push_back({{"from", index(end.chip)}, {"axis", axis}, {"direction", "+"}});
  }
  return {{"name", pod.name},
          {"chip", pod.chip},
          {"chips", pod.torus.chips()},
          {"modelled_chips", pod.one_for_all ? 1 : pod.torus.chips()},
          {"shape", shape_text(pod.torus)},
          {"axes", std::move(axes)},
          {"links", pod.links},
          {"changed_links", pod.changed_links},
          {"dead_links", std::move(dead)},
          {"hosts", pod.hosts}};
}

Json graph_json(const check::WaitForGraph& graph) {
  Json nodes = Json::array(), edges = Json::array();
  for (const check::WaitForGraph::Node& node : graph.nodes) {
    nodes.push_back({{"kind", check::name(node.kind)},
                     {"name", node.name},
                     {"state", node.state},
                     {"chip", node.chip ? Json(index(*node.chip)) : Json()}});
  }
  for (const check::WaitForGraph::Edge& edge : graph.edges) {
    edges.push_back({{"from", edge.from}, {"to", edge.to}, {"why", edge.why}});
  }
  return {{"nodes", std::move(nodes)}, {"edges", std::move(edges)}, {"cycle", graph.cycle}};
}

Json head_json(const RunRecord& run) {
  Json head;
  head["podsim"] = version();
  head["command"] = run.command;
  if (!run.file.empty()) head["file"] = run.file;
  if (!run.description.empty()) head["description"] = run.description;
  // A run that failed before a pod stood has none.
  if (run.pod.torus.chips() > 0) {
    head["pod"] = pod_json(run.pod);
    head["data"] = run.with_data ? "real" : "none";
    head["data_reason"] = run.data_reason;
  }
  head["outcome"] = run::name(run.outcome);
  head["explanation"] = run.explanation;
  head["details"] = run.details;
  if (run.graph != nullptr) head["wait_for"] = graph_json(*run.graph);
  if (!run.with_links_alive.empty()) head["with_links_alive_ps"] = run.with_links_alive;
  return head;
}

void write_member(std::ostream& out, const std::string& key, const Json& value) {
  out << "  " << Json(key).dump() << ": ";
  write_json(out, value, 2);
  out << ",\n";
}

}  // namespace

namespace {

// The call and what came of it, without the pod's counters.
Json result_json(const run::StepResult& result) {
  Json json;
  json["name"] = result.name;
  json["outcome"] = run::name(result.outcome);
  json["explanation"] = result.explanation;
  json["details"] = result.details;
  json["size_bytes"] = result.bytes;
  json["count"] = result.count;
  json["type"] = run::name(result.type);
  json["reduction"] = result.reduction;
  json["group_size"] = result.group_size;
  json["algorithm"] = result.algorithm.empty() ? Json() : Json(result.algorithm);
  json["hop_stretch"] =
      result.stretch.max == 0 ? Json() : Json{{"mean", result.stretch.mean}, {"max", result.stretch.max}};
  json["time_ps"] = result.time;
  json["time_us"] = microseconds(result.time);
  json["cycles"] = result.cycles;
  json["algbw_GBps"] = result.algbw_GBps;
  json["busbw_GBps"] = result.busbw_GBps;
  json["wrong"] = result.wrong ? Json(*result.wrong) : Json();
  json["kernel"] = kernel_json(result);
  json["events"] = result.events;
  json["wall_s"] = result.wall_s;
  return json;
}

}  // namespace

Json step_json(const StepRecord& step, const ici::TorusShape& torus) {
  Json json = result_json(step.result);
  json["beside"] = Json::array();
  for (const run::StepResult& beside : step.result.beside) json["beside"].push_back(result_json(beside));
  if (step.result.module != nullptr) json["module"] = module_json(step);
  json["tokens"] = tokens_json(step.result.tokens);
  json["links"] = links_json(step.links, torus);
  json["blocks"] = chips_json(step.chips, torus);
  json["hosts"] = hosts_json(step.hosts);
  return json;
}

void write_json_report(std::ostream& out, const RunRecord& run) {
  out << "{\n";
  const Json head = head_json(run);
  for (const auto& [key, value] : head.items()) write_member(out, key, value);
  if (run.steps.size() == 1) {
    const Json only = step_json(run.steps.front(), run.pod.torus);
    // Name, outcome and explanation are the run's own.
    for (const auto& [key, value] : only.items()) {
      if (key != "name" && key != "outcome" && key != "explanation" && key != "details") write_member(out, key, value);
    }
  }
  for (const auto& [key, text] : run.attachments) out << "  " << Json(key).dump() << ": " << text << ",\n";
  out << "  \"results\": [";
  const char* separator = "\n    ";
  for (const StepRecord& step : run.steps) {
    out << separator;
    separator = ",\n    ";
    write_json(out, step_json(step, run.pod.torus), 4);
  }
  out << (run.steps.empty() ? "]\n}\n" : "\n  ]\n}\n");
}

}  // namespace podsim::report
