#include "platform/lab/checker.h"

#include <fmt/format.h>

#include <utility>

#include "platform/lab/field_times.h"
#include "platform/library/shared_object.h"
#include "platform/report/number_text.h"
#include "platform/run/outcome.h"

namespace podsim::lab {

namespace {

using Entry = firmware::LabProgram();

void fail(LabReport& report, const TrialResult& result) {
  report.outcome = result.outcome;
  report.exit_code = result.exit_code;
  report.explanation = result.explanation;
  report.details = result.details;
}

TrialResult came_to_grief(const ChildEnd& end, const LastWords& last_words) {
  const bool endless = end.how == ChildEnd::How::kOutOfTime;
  TrialResult result;
  result.outcome = endless ? "endless" : "crash";
  result.exit_code = endless ? run::exit_code(run::Outcome::kTimeLimit) : 1;
  result.explanation =
      endless ? fmt::format("endless: the program {}{}; a loop without a co_await?\n", end.why, last_words.text())
              : fmt::format("crash: {}{}\n", end.why, last_words.text());
  result.details = {result.explanation};
  return result;
}

}  // namespace

Checker::Checker(const Lab& lab, std::filesystem::path shared_object, std::string entry, std::filesystem::path root,
                 const Limits& limits)
    : lab_(lab),
      shared_object_(std::move(shared_object)),
      entry_(std::move(entry)),
      root_(std::move(root)),
      limits_(limits) {}

std::optional<std::string> Checker::load_error() const {
  const ChildEnd end = run_in_child(
      [&]() -> std::string {
        try {
          (void)library::SharedObject(shared_object_).function<Entry>(entry_);
        } catch (const library::LoadError& error) {
          return error.what();
        }
        return {};
      },
      limits_);
  if (end.how != ChildEnd::How::kAnswered) return fmt::format("loading it comes to grief: {}", end.why);
  return end.answer.empty() ? std::nullopt : std::optional(end.answer);
}

TrialResult Checker::apart(const std::function<TrialResult(const Trial&)>& what) const {
  LastWords last_words;
  const ChildEnd end = run_in_child(
      [&] {
        const firmware::LabProgram program = library::SharedObject(shared_object_).function<Entry>(entry_)();
        return what(Trial(lab_, root_, program, last_words)).to_text();
      },
      limits_);
  if (end.how != ChildEnd::How::kAnswered) return came_to_grief(end, last_words);
  return TrialResult::from_text(end.answer);
}

LabReport Checker::run(const std::function<void(const RingRecord&)>& on_ring) const {
  LabReport report;
  for (const TrialRing& ring : trial_rings()) {
    report.rings.push_back({ring, apart([&](const Trial& trial) { return trial.check(ring); })});
    on_ring(report.rings.back());
    if (report.rings.back().result.passed()) continue;
    fail(report, report.rings.back().result);
    return report;
  }
  const TrialRing ring = timed_ring();
  report.timing = RingRecord{ring, apart([&](const Trial& trial) { return trial.time(ring); })};
  const TrialResult& timed = report.timing->result;
  if (!timed.passed()) {
    fail(report, timed);
    return report;
  }
  report.grade = grade_of(timed.time, timed.reference, timed.one_way);
  report.passed = report.grade >= lab_.wanted;
  if (report.passed) return report;
  TrialResult slow;
  slow.outcome = "too slow";
  slow.exit_code = 1;
  slow.explanation = fmt::format("too slow: {}, where the reference takes {}\n", report::time_text(timed.time),
                                 report::time_text(timed.reference));
  slow.details = {slow.explanation};
  fail(report, slow);
  return report;
}

}  // namespace podsim::lab
