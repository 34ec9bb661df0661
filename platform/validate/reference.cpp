#include "platform/validate/reference.h"

#include <algorithm>

namespace podsim::validate {

std::string_view name(Kind kind) {
  switch (kind) {
    case Kind::kMeasured: return "measured on hardware";
    case Kind::kSimulator: return "public simulator";
    case Kind::kPaper: return "paper";
    case Kind::kWorked: return "worked problem";
    case Kind::kVendor: return "vendor";
  }
  return "?";
}

std::string_view name(Verdict verdict) {
  switch (verdict) {
    case Verdict::kWithin: return "within";
    case Verdict::kExplained: return "explained";
    case Verdict::kOutside: return "OUTSIDE";
    case Verdict::kFailed: return "FAILED";
  }
  return "?";
}

double Row::error() const {
  const double difference = model.value_or(0) - reference.expected;
  return reference.tolerance.points ? difference : difference / reference.expected;
}

Verdict Row::verdict() const {
  if (!model || !std::isfinite(*model)) return Verdict::kFailed;
  if (std::abs(error()) <= reference.tolerance.value) return Verdict::kWithin;
  return reference.explained.empty() ? Verdict::kOutside : Verdict::kExplained;
}

Summary summarise(const Table& table) {
  Summary summary;
  std::vector<double> errors;
  for (const Row& row : table.rows) {
    ++summary.rows;
    switch (row.verdict()) {
      case Verdict::kWithin: ++summary.within; break;
      case Verdict::kExplained: ++summary.explained; break;
      case Verdict::kOutside: ++summary.outside; break;
      case Verdict::kFailed: ++summary.failed; break;
    }
    summary.points = summary.points || row.reference.tolerance.points;
    if (!row.reference.fitted.empty()) {
      ++summary.fitted;
    } else if (row.verdict() != Verdict::kFailed) {
      errors.push_back(std::abs(row.error()));
    }
  }
  if (errors.empty()) return summary;
  std::sort(errors.begin(), errors.end());
  const std::size_t half = errors.size() / 2;
  summary.median = errors.size() % 2 == 1 ? errors[half] : (errors[half - 1] + errors[half]) / 2;
  summary.worst = errors.back();
  return summary;
}

}  // namespace podsim::validate
