#include "models/tensor_core/systolic_array.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace podsim::tensor_core {
namespace {

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> fields;
  std::stringstream stream(line);
  for (std::string field; std::getline(stream, field, ',');) fields.push_back(field);
  return fields;
}

// SCALE-Sim v3: its own code's figure where there is one, else its formula.
TEST(SystolicArray, MatchesEveryRowOfScaleSim) {
  std::ifstream file(PODSIM_SOURCE_DIR "/tests/reference/systolic_gemm.csv");
  ASSERT_TRUE(file) << "tests/reference/systolic_gemm.csv is missing";
  const std::map<std::string, Dataflow> dataflows{
      {"ws", Dataflow::kWeightStationary}, {"os", Dataflow::kOutputStationary}, {"is", Dataflow::kInputStationary}};
  std::map<std::string, int> rows;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("#") || line.starts_with("dataflow")) continue;
    const auto field = split(line);
    ASSERT_GE(field.size(), 8u) << line;
    const auto number = [&](int i) { return std::stoull(field[static_cast<std::size_t>(i)]); };
    const SystolicArray array(static_cast<std::uint32_t>(number(1)), static_cast<std::uint32_t>(number(2)), 1,
                              WeightLoad::kSerial, dataflows.at(field[0]));
    const std::uint64_t expected = field[6].empty() ? number(7) : number(6);
    EXPECT_EQ(array.cycles(number(3), number(5), number(4)), expected) << line;
    ++rows[field[0]];
  }
  EXPECT_EQ(rows["ws"], 300);
  EXPECT_EQ(rows["os"], 96);
  EXPECT_EQ(rows["is"], 96);
}

TEST(SystolicArray, SizesThatDontFillTheArrayCountAsWholeFolds) {
  const SystolicArray array(8, 4);
  EXPECT_EQ(array.cycles(3, 1, 1), 2u * 8 + 4 + 3 - 2 - 1);
  EXPECT_EQ(array.cycles(3, 9, 5), 4u * (2 * 8 + 4 + 3 - 2) - 1);
  EXPECT_EQ(array.folds(3, 9, 5), 4u);
}

TEST(SystolicArray, NothingToDoTakesNoTime) {
  const SystolicArray array(8, 4, 2, WeightLoad::kHidden);
  EXPECT_EQ(array.cycles(0, 5, 5), 0u);
  EXPECT_EQ(array.cycles(5, 0, 5), 0u);
  EXPECT_EQ(array.cycles(5, 5, 0), 0u);
}

// Steps through a schedule with two weight buffers, one event at a time: a load may start when the buffer it goes to is
// free, which is when the fold before the last has handed over; a fold may stream when its weights are in and the fold
// before has streamed its last row.
std::uint64_t double_buffered_by_hand(std::uint64_t rows, std::uint64_t columns, std::uint64_t folds, std::uint64_t m) {
  std::uint64_t loader_free = 0;
  std::uint64_t buffer_free = 0;
  std::uint64_t stream_free = 0;
  std::uint64_t end = 0;
  for (std::uint64_t fold = 0; fold < folds; ++fold) {
    const std::uint64_t loaded = std::max(loader_free, buffer_free) + rows;
    loader_free = loaded;
    const std::uint64_t start = std::max(loaded, stream_free);
    buffer_free = start;
    stream_free = start + m;
    end = start + m + rows + columns - 2;
  }
  return end - 1;  // SCALE-Sim counts from cycle 0 to the number of the last
}

TEST(SystolicArray, HiddenLoadsFollowTheDoubleBufferedSchedule) {
  for (const std::uint32_t rows : {1u, 4u, 128u}) {
    for (const std::uint32_t columns : {1u, 8u, 128u}) {
      for (const std::uint64_t m : {1u, 3u, 127u, 128u, 129u, 4096u}) {
        for (const std::uint64_t folds_down : {1u, 2u, 5u}) {
          const SystolicArray array(rows, columns, 1, WeightLoad::kHidden);
          EXPECT_EQ(array.cycles(m, folds_down * rows, 3 * columns),
                    double_buffered_by_hand(rows, columns, folds_down * 3, m))
              << rows << "x" << columns << " m=" << m << " folds down " << folds_down;
        }
      }
    }
  }
}

TEST(SystolicArray, OneFoldHasNothingToHideBehind) {
  EXPECT_EQ(SystolicArray(16, 16, 1, WeightLoad::kHidden).cycles(100, 16, 16),
            SystolicArray(16, 16).cycles(100, 16, 16));
}

TEST(SystolicArray, LongStreamsReachFullRateOnlyWithHiddenLoads) {
  const double ideal = 8192.0 * 64;  // 64 folds of 8192 rows
  EXPECT_LT(static_cast<double>(SystolicArray(128, 128, 1, WeightLoad::kHidden).cycles(8192, 1024, 1024)) / ideal,
            1.001);
  // Serially each fold adds 2R + C - 2 = 382 cycles to its 8192: 4.7 %.
  EXPECT_GT(static_cast<double>(SystolicArray(128, 128).cycles(8192, 1024, 1024)) / ideal, 1.046);
}

TEST(SystolicArray, ArraysShareFolds) {
  const std::uint64_t fold = 2 * 8 + 8 + 100 - 2;
  EXPECT_EQ(SystolicArray(8, 8, 4).cycles(100, 64, 8), 2 * fold - 1);  // 8 folds on 4 arrays
  // A single fold on four arrays: each takes a quarter of the rows.
  EXPECT_EQ(SystolicArray(8, 8, 4).cycles(100, 8, 8), fold - 75 - 1);
}

TEST(SystolicArray, NeverFasterThanItsCells) {
  for (const auto load : {WeightLoad::kSerial, WeightLoad::kHidden}) {
    for (const std::uint32_t arrays : {1u, 2u, 3u, 8u}) {
      for (const std::uint64_t m : {1u, 5u, 64u, 1000u}) {
        for (const std::uint64_t k : {1u, 7u, 16u, 100u}) {
          for (const std::uint64_t n : {1u, 9u, 33u}) {
            const SystolicArray array(16, 8, arrays, load);
            EXPECT_GE(array.cycles(m, k, n) * arrays * 16 * 8, m * k * n);
            EXPECT_LE(array.cycles(m, k, n), SystolicArray(16, 8, 1, load).cycles(m, k, n));
            EXPECT_LE(SystolicArray(16, 8, arrays, WeightLoad::kHidden).cycles(m, k, n),
                      SystolicArray(16, 8, arrays, WeightLoad::kSerial).cycles(m, k, n));
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace podsim::tensor_core
