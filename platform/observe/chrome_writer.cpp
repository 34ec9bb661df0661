#include "platform/observe/chrome_writer.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "platform/observe/flows.h"

namespace podsim::observe {

namespace {

class Writer {
 public:
  Writer(std::ostream& out, const Timeline& timeline, const Selection& selection)
      : out_(out), timeline_(timeline), selection_(selection), flows_(timeline, selection) {}

  void write() {
    out_ << "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[";
    names();
    const auto& spans = timeline_.spans();
    for (SpanId i = 0; i < spans.size(); ++i) {
      if (flows_.shows(i)) slice(spans[i]);
    }
    for (SpanId i = 0; i < spans.size(); ++i) {
      if (!flows_.shows(i)) continue;
      flows_.for_each(i, true, [&](std::uint32_t arrow) { flow(arrow, spans[i], true); });
      flows_.for_each(i, false, [&](std::uint32_t arrow) { flow(arrow, spans[i], false); });
    }
    counters();
    out_ << "\n]}\n";
  }

 private:
  static std::string quoted(std::string_view text) {
    return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  }
  // Exact: a whole number of picoseconds, in microseconds.
  static std::string time(Picoseconds ps) { return fmt::format("{}.{:06}", ps / 1'000'000, ps % 1'000'000); }

  template <class... Arguments>
  void event(fmt::format_string<Arguments...> text, Arguments&&... arguments) {
    out_ << (first_ ? "\n{" : ",\n{") << fmt::format(text, std::forward<Arguments>(arguments)...) << '}';
    first_ = false;
  }

  [[nodiscard]] bool shows(GroupId group) const {
    const Group& each = timeline_.groups()[group];
    return each.kind != GroupKind::kChip || selection_.has(static_cast<ChipId>(each.number));
  }

  void names() {
    for (GroupId group = 0; group < timeline_.groups().size(); ++group) {
      if (!shows(group)) continue;
      event(R"("ph":"M","name":"process_name","pid":{},"args":{{"name":{}}})", group + 1,
            quoted(timeline_.text(timeline_.groups()[group].name)));
      event(R"("ph":"M","name":"process_sort_index","pid":{},"args":{{"sort_index":{}}})", group + 1, group);
    }
    std::size_t order = 0;
    for (const LaneId id : timeline_.lanes_in_order()) {
      const Lane& lane = timeline_.lanes()[id];
      if (!shows(lane.group)) continue;
      event(R"("ph":"M","name":"thread_name","pid":{},"tid":{},"args":{{"name":{}}})", lane.group + 1, id + 1,
            quoted(timeline_.text(lane.name)));
      event(R"("ph":"M","name":"thread_sort_index","pid":{},"tid":{},"args":{{"sort_index":{}}})", lane.group + 1,
            id + 1, order++);
    }
  }

  void slice(const Span& span) {
    std::string arguments;
    const auto add = [&](const char* key, const std::string& value) {
      arguments += fmt::format("{}\"{}\":{}", arguments.empty() ? "" : ",", key, value);
    };
    if (span.bytes > 0) add("bytes", std::to_string(span.bytes));
    if (span.detail != kNone) add("detail", quoted(timeline_.text(span.detail)));
    if (span.cause != Cause::kNothing) add("cause", quoted(name(span.cause)));
    event(R"("ph":"X","name":{},"pid":{},"tid":{},"ts":{},"dur":{},"args":{{{}}})", quoted(timeline_.text(span.name)),
          timeline_.lanes()[span.lane].group + 1, span.lane + 1, time(span.begin), time(span.end - span.begin),
          arguments);
  }

  // From the end of one slice to the beginning of another.
  void flow(std::uint32_t arrow, const Span& span, bool out) {
    const std::string_view kind = name(timeline_.arrows()[arrow].kind);
    event(R"("ph":"{}","cat":"{}","name":"{}","id":{},"pid":{},"tid":{},"ts":{}{})", out ? 's' : 'f', kind, kind,
          arrow + 1, timeline_.lanes()[span.lane].group + 1, span.lane + 1, time(out ? span.end : span.begin),
          out ? "" : R"(,"bp":"e")");
  }

  void counters() {
    for (const Series& series : timeline_.series) {
      if (!shows(series.group)) continue;
      const std::string label =
          quoted(fmt::format("{} ({})", timeline_.text(series.name), timeline_.text(series.unit)));
      for (std::size_t i = 0; i < series.values.size(); ++i) {
        const Picoseconds begin = static_cast<Picoseconds>(i) * series.width;
        if (!selection_.overlaps(begin, begin + series.width)) continue;
        event(R"("ph":"C","name":{},"pid":{},"ts":{},"args":{{"value":{:.6g}}})", label, series.group + 1, time(begin),
              series.values[i]);
      }
    }
  }

  std::ostream& out_;
  const Timeline& timeline_;
  const Selection& selection_;
  const Flows flows_;
  bool first_ = true;
};

}  // namespace

void write_chrome(std::ostream& out, const Timeline& timeline, const Selection& selection) {
  Writer(out, timeline, selection).write();
}

}  // namespace podsim::observe
