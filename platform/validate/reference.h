// A figure from outside that the model is held against, and what the model has to say to it.
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <vector>

namespace podsim::validate {

// Where a figure comes from.
enum class Kind {
  kMeasured,   // on hardware
  kSimulator,  // by a public simulator
  kPaper,      // printed in a paper
  kWorked,     // a worked problem with a published answer, or a formula of the field
  kVendor,     // stated by the vendor
};
[[nodiscard]] std::string_view name(Kind kind);

struct Tolerance {
  double value = 0;
  bool points = false;  // difference in the figure's own unit, such as percent of peak; else relative to the figure
};

struct Reference {
  std::string id;
  std::string what;
  std::string source;
  Kind kind = Kind::kMeasured;
  std::string unit;
  double expected = 0;
  Tolerance tolerance;
  std::string fitted;     // constants of the model that were fitted to this row; it is no evidence for them then
  std::string explained;  // why the model is outside the tolerance, where that is known
};

enum class Verdict {
  kWithin,
  kExplained,  // outside, for a reason that is known and said
  kOutside,
  kFailed,  // the model gave no figure
};
[[nodiscard]] std::string_view name(Verdict verdict);

struct Row {
  Reference reference;
  std::optional<double> model;
  std::string failure{};  // why there is none

  // Relative to the expected figure; or the difference, where the tolerance is in points. Signed: positive where the
  // model's figure is the larger.
  [[nodiscard]] double error() const;
  [[nodiscard]] Verdict verdict() const;
};

// Rows of one kind of question, such as a reference file's.
struct Table {
  std::string name;
  std::string description;
  std::vector<Row> rows;
  bool long_one = false;  // hundreds of rows of one kind: summed up unless all are asked for
};

// What is left of a table in one line. Errors are sizes, without sign. The median leaves out rows that constants were
// fitted to and rows without a figure; the worst of those that are left is `worst`.
struct Summary {
  std::size_t rows = 0, within = 0, explained = 0, outside = 0, failed = 0, fitted = 0;
  bool points = false;
  double median = 0, worst = 0;
};
[[nodiscard]] Summary summarise(const Table& table);

}  // namespace podsim::validate
