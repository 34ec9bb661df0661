// The four cases of the scaling book, and random sharded products played on whole arrays: whatever the plan, every chip
// must end with its part of the product.
#include "platform/module/sharding.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <stdexcept>

#include "models/kernel/random.h"

namespace podsim::module {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const Extents kExtents{{'I', 8}, {'J', 8}, {'K', 8}, {'B', 8}};
const AxisSizes kAxes{{"x", 2}, {"y", 2}};

std::vector<std::string> plan(const char* a, const char* b, const char* result) {
  std::vector<std::string> steps;
  for (const ShardingStep& step :
       plan_einsum(parse_sharded(a), parse_sharded(b), parse_sharded(result), kExtents, kAxes)) {
    steps.push_back(to_string(step));
  }
  return steps;
}

const char* const kProduct = "product of what each chip has";

TEST(Sharding, Case1NothingToCommunicate) { EXPECT_THAT(plan("I[x] J", "J K[y]", "I[x] K[y]"), ElementsAre(kProduct)); }
TEST(Sharding, Case2GathersTheOperandThatIsShardedAlongTheSum) {
  EXPECT_THAT(plan("I J[x]", "J K", "I K"), ElementsAre("all-gather of a along J over x", kProduct));
  EXPECT_THAT(plan("I J", "J[y] K", "I K"), ElementsAre("all-gather of b along J over y", kProduct));
}
TEST(Sharding, Case3SumsUp) {
  EXPECT_THAT(plan("I J[x]", "J[x] K", "I K"), ElementsAre(kProduct, "all-reduce of result over x"));
  EXPECT_THAT(plan("I J[x]", "J[x] K", "I K[x]"), ElementsAre(kProduct, "reduce-scatter of result along K over x"));
  EXPECT_THAT(plan("I J[x,y]", "J[x,y] K", "I K[x]"),
              ElementsAre(kProduct, "reduce-scatter of result along K over x", "all-reduce of result over y"));
}
TEST(Sharding, Case4GathersOneOfTheTwo) {
  EXPECT_THAT(plan("I[x] J", "J K[x]", "I[x] K"), ElementsAre("all-gather of b along K over x", kProduct));
  EXPECT_THAT(plan("I[x] J", "J K[x]", "I K[x]"), ElementsAre("all-gather of a along I over x", kProduct));
}
TEST(Sharding, AWantedShardingIsReached) {
  EXPECT_THAT(plan("I[x] J", "J K", "I K[x]"), ElementsAre(kProduct, "all-to-all of result from I to K over x"));
  EXPECT_THAT(plan("I[x] J", "J K", "I K"), ElementsAre(kProduct, "all-gather of result along I over x"));
  EXPECT_THAT(plan("I J", "J K", "I[y] K"), ElementsAre(kProduct, "slice of result along I over y"));
}

TEST(Sharding, ReadsAndWritesItsNotation) {
  EXPECT_EQ(parse_sharded("B[x, y]  D").to_string(), "B[x,y] D");
  EXPECT_EQ(parse_sharded("").to_string(), "");
}

TEST(Sharding, SaysWhatIsWrong) {
  const auto complaint = [](const std::function<void()>& what) -> std::string {
    try {
      what();
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "accepted";
  };
  const auto parse = [&](const char* text) { return complaint([&] { (void)parse_sharded(text); }); };
  EXPECT_THAT(parse("B B"), HasSubstr("dimension 'B' is there twice"));
  EXPECT_THAT(parse("B[x] D[x]"), HasSubstr("axis 'x' is there twice"));
  EXPECT_THAT(parse("B[x"), HasSubstr("a ']' is missing"));
  EXPECT_THAT(parse("B[]"), HasSubstr("an axis is missing"));
  EXPECT_THAT(parse("2B"), HasSubstr("expected dimensions such as"));
  const auto planned = [&](const char* a, const char* b, const char* r) {
    return complaint([&] { (void)plan(a, b, r); });
  };
  EXPECT_THAT(planned("I[q] J", "J K", "I K"), HasSubstr("the pod has no axis 'q'"));
  EXPECT_THAT(planned("I J", "J K", "I L"), HasSubstr("no operand has dimension 'L'"));
  EXPECT_THAT(planned("I M", "M K", "I K"), HasSubstr("dimension 'M' has no size"));
}

// An array of the pod as its chips have it: a number for each place of the whole that a chip holds.
using Index = std::map<char, std::uint64_t>;
class Arrays {
 public:
  Arrays(const Extents& extents, const AxisSizes& axes) : extents_(extents), axes_(axes) {}

  // Whether a chip's shard has that place.
  [[nodiscard]] bool holds(const ShardedTensor& tensor, const std::map<std::string, std::uint64_t>& chip,
                           const Index& index) const {
    for (const char dim : tensor.dims) {
      std::uint64_t parts = 1, part = 0;
      for (const std::string& axis : tensor.axes_of(dim)) {
        parts *= axes_.at(axis);
        part = part * axes_.at(axis) + chip.at(axis);
      }
      const std::uint64_t size = extents_.at(dim) / parts;
      if (index.at(dim) / size != part) return false;
    }
    return true;
  }

 private:
  const Extents& extents_;
  const AxisSizes& axes_;
};

class RandomSharding : public ::testing::TestWithParam<std::uint64_t> {};

// Which terms of the sum each chip has, for each place of the result that it holds: at the end, all of them once.
TEST_P(RandomSharding, EveryChipEndsWithItsPartOfTheProduct) {
  kernel::Random random(GetParam());
  const Extents extents{{'I', 4}, {'J', 4}, {'K', 4}, {'B', 4}};
  const AxisSizes axes{{"x", 2}, {"y", 2}};
  const auto draw = [&](const std::string& dims) {
    ShardedTensor tensor{dims, {}};
    for (const char* const axis : {"x", "y"}) {
      if (random.one_in(3)) continue;
      tensor.axes[dims[random.below(dims.size())]].push_back(axis);
    }
    for (auto& [dim, over] : tensor.axes) {
      if (over.size() == 2 && random.one_in(2)) std::swap(over[0], over[1]);
    }
    return tensor;
  };
  for (int round = 0; round < 50; ++round) {
    const bool batched = random.one_in(2);
    const ShardedTensor a = draw(batched ? "BIJ" : "IJ"), b = draw(batched ? "BJK" : "JK"),
                        wanted = draw(batched ? "BIK" : "IK");
    const std::vector<ShardingStep> steps = plan_einsum(a, b, wanted, extents, axes);
    SCOPED_TRACE(a.to_string() + " * " + b.to_string() + " -> " + wanted.to_string());

    ShardedTensor now_a = a, now_b = b, result;
    std::vector<std::string> partial;
    for (const ShardingStep& step : steps) {
      switch (step.kind) {
        case ShardingStep::Kind::kAllGather: {
          ShardedTensor& tensor = step.of == ShardingStep::Of::kA   ? now_a
                                  : step.of == ShardingStep::Of::kB ? now_b
                                                                    : result;
          // What is gathered are the last axes, so that shards lie one behind the other.
          auto over = tensor.axes_of(step.dim);
          ASSERT_GE(over.size(), step.axes.size());
          ASSERT_TRUE(std::equal(step.axes.rbegin(), step.axes.rend(), over.rbegin()));
          over.resize(over.size() - step.axes.size());
          tensor.axes[step.dim] = over;
          if (over.empty()) tensor.axes.erase(step.dim);
          ASSERT_EQ(tensor, step.after);
          break;
        }
        case ShardingStep::Kind::kEinsum: {
          // Legal on each chip alone: no axis twice among different dimensions, shared dimensions alike.
          std::map<std::string, char> used;
          for (const ShardedTensor* tensor : {&now_a, &now_b}) {
            for (const auto& [dim, over] : tensor->axes) {
              for (const std::string& axis : over) {
                ASSERT_TRUE(!used.contains(axis) || used[axis] == dim) << axis;
                used[axis] = dim;
              }
            }
          }
          for (const char dim : now_a.dims) {
            ASSERT_TRUE(now_b.dims.find(dim) == std::string::npos || now_a.axes_of(dim) == now_b.axes_of(dim));
          }
          result = step.after;
          for (const auto& [axis, dim] : used) {
            if (result.dims.find(dim) == std::string::npos) partial.push_back(axis);
          }
          // Each term of a place's sum is on the chips that hold the place, on one coordinate of the partial axes.
          const Arrays arrays(extents, axes);
          for (std::uint64_t x = 0; x < 2; ++x) {
            for (std::uint64_t y = 0; y < 2; ++y) {
              const std::map<std::string, std::uint64_t> chip{{"x", x}, {"y", y}};
              for (std::uint64_t i = 0; i < 256; ++i) {
                const Index index{{'I', i % 4}, {'J', i / 4 % 4}, {'K', i / 16 % 4}, {'B', i / 64}};
                const bool has = arrays.holds(now_a, chip, index) && arrays.holds(now_b, chip, index);
                ShardedTensor with_sum = result;
                with_sum.dims += 'J';
                if (!now_a.axes_of('J').empty()) with_sum.axes['J'] = now_a.axes_of('J');
                ASSERT_EQ(has, arrays.holds(with_sum, chip, index));
              }
            }
          }
          break;
        }
        case ShardingStep::Kind::kAllReduce:
        case ShardingStep::Kind::kReduceScatter:
          for (const std::string& axis : step.axes) {
            ASSERT_EQ(std::count(partial.begin(), partial.end(), axis), 1) << axis;
            std::erase(partial, axis);
            if (step.kind == ShardingStep::Kind::kReduceScatter) result.axes[step.dim].push_back(axis);
          }
          ASSERT_EQ(result, step.after);
          break;
        case ShardingStep::Kind::kAllToAll:
          ASSERT_EQ(result.axes[step.dim].back(), step.axes.front());
          result.axes[step.dim].pop_back();
          if (result.axes[step.dim].empty()) result.axes.erase(step.dim);
          result.axes[step.to].push_back(step.axes.front());
          ASSERT_EQ(result, step.after);
          break;
        case ShardingStep::Kind::kSlice:
          for (const std::string& axis : step.axes) result.axes[step.dim].push_back(axis);
          ASSERT_EQ(result, step.after);
          break;
      }
      for (const auto& [dim, over] : step.after.axes) ASSERT_FALSE(over.empty()) << dim;
    }
    EXPECT_TRUE(partial.empty());
    EXPECT_EQ(result, wanted);
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomSharding, ::testing::Range<std::uint64_t>(1, 21));

}  // namespace
}  // namespace podsim::module
