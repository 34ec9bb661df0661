#include "platform/observe/report_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "platform/check/wait_for_graph.h"
#include "platform/observe/roofline.h"
#include "platform/report/json_report.h"
#include "platform/version.h"

namespace podsim::observe {

namespace {

using Json = nlohmann::ordered_json;

std::string text_of(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

Json pod_json(const ReportDocument& document) {
  const ici::TorusShape& torus = document.run.pod.torus;
  Json shape = Json::array(), axes = Json::array(), wrap = Json::array(), twist = Json::array();
  for (unsigned i = 0; i < torus.axes(); ++i) {
    const ici::AxisShape& axis = torus.axis(static_cast<ici::Axis>(i));
    shape.push_back(axis.size);
    axes.push_back(axis.name);
    wrap.push_back(axis.wrap);
    Json shift = Json::array();
    for (unsigned k = 0; k < torus.axes(); ++k) shift.push_back(axis.wrap_shift[k]);
    twist.push_back(std::move(shift));
  }
  Json links = Json::array();
  for (const LinkLoad& link : document.timeline.links) {
    const bool listed = torus.listed_links() != nullptr;
    const auto port = static_cast<ici::Port>(link.port);
    links.push_back({{"from", index(link.from)},
                     {"to", index(link.to)},
                     {"axis", listed ? "" : torus.axis(ici::axis_of(port)).name},
                     {"direction", listed               ? ""
                                   : ici::is_plus(port) ? "+"
                                                        : "-"},
                     {"bandwidth", link.bandwidth.bytes_per_second}});
  }
  Json chips = Json::array();
  for (std::uint32_t i = 0; i < torus.chips(); ++i) {
    const ici::Coordinates at = torus.coordinates(static_cast<ChipId>(i));
    chips.push_back({{"id", i}, {"coordinates", std::vector<std::uint32_t>(at.begin(), at.begin() + torus.axes())}});
  }
  return {{"name", document.run.pod.name}, {"chip", document.run.pod.chip},
          {"shape", std::move(shape)},     {"axes", std::move(axes)},
          {"wrap", std::move(wrap)},       {"twist", torus.twisted() ? std::move(twist) : Json()},
          {"links", std::move(links)},     {"chips", std::move(chips)}};
}

Json failure_json(const ReportDocument& document) {
  const report::RunRecord& run = document.run;
  if (run.outcome == run::Outcome::kCompleted) return nullptr;
  Json failure{{"kind", run::name(run.outcome)}, {"text", run.explanation}, {"details", run.details}};
  std::vector<std::uint32_t> chips;
  Json graph;
  if (run.graph != nullptr) {
    Json nodes = Json::array(), edges = Json::array();
    for (const auto& node : run.graph->nodes) {
      nodes.push_back({{"kind", check::name(node.kind)},
                       {"name", node.name},
                       {"state", node.state},
                       {"chip", node.chip ? Json(index(*node.chip)) : Json()}});
      if (node.chip) chips.push_back(index(*node.chip));
    }
    for (const auto& edge : run.graph->edges) {
      edges.push_back({{"from", edge.from}, {"to", edge.to}, {"why", edge.why}});
    }
    graph = {{"nodes", std::move(nodes)}, {"edges", std::move(edges)}, {"cycle", run.graph->cycle}};
  }
  // Without a graph, the explanation names the chips.
  for (std::uint32_t i = 0; run.graph == nullptr && i < run.pod.torus.chips(); ++i) {
    const std::string name = fmt::format("chip {} {}", i, run.pod.torus.place(static_cast<ChipId>(i)));
    if (run.explanation.find(name) != std::string::npos) chips.push_back(i);
  }
  std::sort(chips.begin(), chips.end());
  chips.erase(std::unique(chips.begin(), chips.end()), chips.end());
  failure["chips"] = chips;
  failure["graph"] = std::move(graph);
  return failure;
}

// `number` says which span of the document is which.
template <class Number>
Json path_json(const Timeline& timeline, const CriticalPath& path, Number&& number) {
  Json segments = Json::array(), shares = Json::array(), longest = Json::array();
  for (const auto& segment : path.segments) {
    segments.push_back({{"begin", segment.begin},
                        {"end", segment.end},
                        {"cause", name(segment.cause)},
                        {"span", number(segment.span)}});
  }
  for (unsigned i = 0; i < kCauses; ++i) {
    if (path.shares[i] > 0) shares.push_back({{"cause", name(static_cast<Cause>(i))}, {"time", path.shares[i]}});
  }
  for (const auto& each : path.longest) {
    longest.push_back({{"from", number(each.from)},
                       {"to", number(each.to)},
                       {"wait", number(each.wait)},
                       {"time", each.time},
                       {"text", describe(timeline, each)}});
  }
  return {{"segments", std::move(segments)},
          {"shares", std::move(shares)},
          {"longest", std::move(longest)},
          {"sentence", advice(timeline, path)}};
}

class Writer {
 public:
  Writer(std::ostream& out, const ReportDocument& document, std::size_t most)
      : out_(out), document_(document), timeline_(document.timeline), most_(most) {}

  void write() {
    choose_spans();
    out_ << "{\"format\":\"podsim-report 1\"";
    member("title", document_.title);
    member("podsim", version());
    if (document_.with_run) run();
    member("pod", pod_json(document_));
    member("end", timeline_.end());
    member("left_out", left_out());
    strings();
    groups_and_lanes();
    steps();
    spans();
    arrows();
    series();
    links();
    member("critical_path", critical_path());
    member("roofline", roofline_json(document_.run));
    member("failure", failure_json(document_));
    member("compared", nullptr);
    out_ << "}\n";
  }

 private:
  void run() {
    report::RunRecord run = document_.run;
    run.attachments.clear();
    std::ostringstream text;
    report::write_json_report(text, run);
    out_ << ",\n\"run\":" << text.str();
  }

  void member(const char* key, const Json& value) { out_ << ",\n\"" << key << "\":" << text_of(value); }

  // By group, whether its spans are written.
  void choose_spans() {
    std::vector<std::size_t> spans(timeline_.groups().size());
    for (const Span& span : timeline_.spans()) ++spans[timeline_.lanes()[span.lane].group];
    shown_.assign(spans.size(), false);
    std::size_t left = most_;
    const auto show = [&](GroupId group) {
      if (shown_[group] || spans[group] > left) return;
      left -= spans[group];
      shown_[group] = true;
    };
    if (document_.path != nullptr) {
      for (const auto& segment : document_.path->segments) {
        if (segment.span != kNone) show(timeline_.lanes()[timeline_.spans()[segment.span].lane].group);
      }
    }
    for (GroupId group = 0; group < spans.size(); ++group) show(group);
    number_.assign(timeline_.spans().size(), kNone);
    SpanId next = 0;
    for (SpanId i = 0; i < timeline_.spans().size(); ++i) {
      if (shown_[timeline_.lanes()[timeline_.spans()[i].lane].group]) number_[i] = next++;
    }
    left_out_ = timeline_.spans().size() - next;
  }

  [[nodiscard]] Json left_out() const {
    Json groups = Json::array();
    for (GroupId group = 0; group < shown_.size(); ++group) {
      if (!shown_[group]) groups.push_back(group);
    }
    return {{"spans", left_out_}, {"groups", std::move(groups)}, {"not_recorded", timeline_.dropped()}};
  }

  void groups_and_lanes() {
    Json groups = Json::array(), lanes = Json::array();
    for (const Group& group : timeline_.groups()) {
      groups.push_back({{"name", timeline_.text(group.name)}, {"kind", name(group.kind)}, {"number", group.number}});
    }
    const std::vector<LaneId> order = timeline_.lanes_in_order();
    lane_number_.resize(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
      const Lane& lane = timeline_.lanes()[order[i]];
      lane_number_[order[i]] = static_cast<LaneId>(i);
      lanes.push_back({{"group", lane.group}, {"name", timeline_.text(lane.name)}, {"kind", name(lane.kind)}});
    }
    member("groups", groups);
    member("lanes", lanes);
  }

  void steps() {
    Json steps = Json::array();
    for (const Step& step : timeline_.steps) {
      steps.push_back({{"name", step.name}, {"begin", step.begin}, {"time", step.time}, {"completed", step.completed}});
    }
    member("steps", steps);
  }

  // The timeline's, and the names of causes and of kinds of arrows behind them.
  void strings() {
    Json all = timeline_.strings();
    first_cause_ = static_cast<StringId>(all.size());
    for (unsigned i = 0; i < kCauses; ++i) all.push_back(name(static_cast<Cause>(i)));
    first_kind_ = static_cast<StringId>(all.size());
    for (const ArrowKind kind : {ArrowKind::kCopy, ArrowKind::kSignal, ArrowKind::kRelease}) all.push_back(name(kind));
    member("strings", all);
  }

  // A column of the spans that are shown.
  template <class Value>
  void column(const char* key, bool first, Value&& value) {
    out_ << (first ? "\n" : ",\n") << '"' << key << "\":[";
    fmt::memory_buffer buffer;
    bool any = false;
    for (SpanId i = 0; i < number_.size(); ++i) {
      if (number_[i] == kNone) continue;
      fmt::format_to(std::back_inserter(buffer), "{}{}", any ? "," : "", value(timeline_.spans()[i]));
      any = true;
      if (buffer.size() > kPiece) flush(buffer);
    }
    flush(buffer);
    out_ << ']';
  }
  void flush(fmt::memory_buffer& buffer) {
    out_.write(buffer.data(), static_cast<std::streamsize>(buffer.size()));
    buffer.clear();
  }
  static std::int64_t or_none(std::uint32_t id) { return id == kNone ? -1 : static_cast<std::int64_t>(id); }

  void spans() {
    out_ << ",\n\"spans\":{";
    column("lane", true, [&](const Span& span) { return lane_number_[span.lane]; });
    column("begin", false, [](const Span& span) { return span.begin; });
    column("end", false, [](const Span& span) { return span.end; });
    column("asked", false, [](const Span& span) { return span.asked; });
    column("name", false, [](const Span& span) { return or_none(span.name); });
    column("bytes", false, [](const Span& span) { return span.bytes; });
    column("cause", false, [&](const Span& span) {
      return span.cause == Cause::kNothing ? -1
                                           : static_cast<std::int64_t>(first_cause_) + static_cast<int>(span.cause);
    });
    column("detail", false, [](const Span& span) { return or_none(span.detail); });
    out_ << '}';
  }

  void arrows() {
    out_ << ",\n\"arrows\":{";
    const auto each = [&](const char* key, bool first, auto&& value) {
      out_ << (first ? "\n" : ",\n") << '"' << key << "\":[";
      fmt::memory_buffer buffer;
      bool any = false;
      for (const Arrow& arrow : timeline_.arrows()) {
        if (number_[arrow.from] == kNone || number_[arrow.to] == kNone) continue;
        fmt::format_to(std::back_inserter(buffer), "{}{}", any ? "," : "", value(arrow));
        any = true;
        if (buffer.size() > kPiece) flush(buffer);
      }
      flush(buffer);
      out_ << ']';
    };
    each("from", true, [&](const Arrow& arrow) { return number_[arrow.from]; });
    each("to", false, [&](const Arrow& arrow) { return number_[arrow.to]; });
    each("kind", false, [&](const Arrow& arrow) { return first_kind_ + static_cast<StringId>(arrow.kind); });
    out_ << '}';
  }

  static std::string numbers(const std::vector<double>& values) {
    std::string text = "[";
    for (const double value : values) text += fmt::format("{}{:.4g}", text.size() > 1 ? "," : "", value);
    return text + ']';
  }

  void series() {
    out_ << ",\n\"series\":[";
    bool any = false;
    for (const Series& series : timeline_.series) {
      if (series.values.empty() || !shown_[series.group]) continue;
      std::string times = "[";
      for (std::size_t i = 0; i < series.values.size(); ++i) {
        times += fmt::format("{}{}", i > 0 ? "," : "", static_cast<Picoseconds>(i) * series.width);
      }
      out_ << (any ? ",\n" : "\n")
           << fmt::format(R"({{"name":{},"unit":{},"group":{},"t":{}],"v":{}}})", text_of(timeline_.text(series.name)),
                          text_of(timeline_.text(series.unit)), series.group, times, numbers(series.values));
      any = true;
    }
    out_ << ']';
  }

  void links() {
    const std::size_t slices = timeline_.links.empty() ? 0 : timeline_.links.front().busy.size();
    out_ << fmt::format(",\n\"links_use\":{{\"width\":{},\"slices\":{},\"use\":[", timeline_.link_slice, slices);
    std::vector<double> use(timeline_.links.size());
    for (std::size_t slice = 0; slice < slices; ++slice) {
      for (std::size_t i = 0; i < use.size(); ++i) use[i] = timeline_.links[i].busy[slice];
      out_ << (slice > 0 ? ",\n" : "\n") << numbers(use);
    }
    out_ << "]}";
  }

  [[nodiscard]] Json critical_path() const {
    if (document_.path == nullptr) return nullptr;
    const CriticalPath& path = *document_.path;
    return path_json(timeline_, path, [&](SpanId id) { return id == kNone ? -1 : or_none(number_[id]); });
  }

  static constexpr std::size_t kPiece = 1u << 16;

  std::ostream& out_;
  const ReportDocument& document_;
  const Timeline& timeline_;
  const std::size_t most_;
  std::vector<bool> shown_;     // by group
  std::vector<SpanId> number_;  // in the document, by span
  std::vector<LaneId> lane_number_;
  std::size_t left_out_ = 0;
  StringId first_cause_ = 0, first_kind_ = 0;
};

}  // namespace

std::string critical_path_json(const Timeline& timeline, const CriticalPath& path) {
  Json json = path_json(timeline, path, [](SpanId) { return std::int64_t{-1}; });
  json.erase("segments");  // which are of a timeline that is not there
  for (Json& each : json["longest"]) each = {{"time", each["time"]}, {"text", each["text"]}};
  return text_of(json);
}

void write_report_document(std::ostream& out, const ReportDocument& document, std::size_t most) {
  Writer(out, document, most).write();
}

}  // namespace podsim::observe
