// The data of the HTML report, one JSON document: docs/results.md has its format.
#pragma once

#include <ostream>
#include <string>

#include "platform/observe/critical_path.h"
#include "platform/observe/timeline.h"
#include "platform/report/run_record.h"

namespace podsim::observe {

struct ReportDocument {
  const report::RunRecord& run;
  const Timeline& timeline;
  const CriticalPath* path;  // null if the timeline is not whole
  std::string title;
  bool with_run = true;  // the run's JSON report is in it
};

// Spans that a document holds at most: browsers draw a million, but have to read them first.
inline constexpr std::size_t kMostReportSpans = 400'000;

// What is in the document of the critical path, but for its segments, as JSON by itself.
[[nodiscard]] std::string critical_path_json(const Timeline& timeline, const CriticalPath& path);

// Writes it piece by piece. Of a timeline with more spans, whole chips are left out, and the document says which are
// there: first those on the critical path, then those of the lowest numbers.
void write_report_document(std::ostream& out, const ReportDocument& document, std::size_t most = kMostReportSpans);

}  // namespace podsim::observe
