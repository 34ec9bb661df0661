// What a sharded einsum needs of communication: from shapes with named dimensions, and the axes of the pod that each is
// sharded over, the collectives before and after the product that each chip computes on its own.
//
// The four cases of a product whose operands are sharded ("How to Scale Your Model", jax-ml.github.io/scaling-book,
// chapter "Sharded Matrices and How to Multiply Them"):
//
//   1  no contracted dimension is sharded                      nothing
//   2  a contracted dimension of one operand is                all-gather of that operand
//   3  of both operands, over the same axes                    partial sums: all-reduce, or reduce-scatter where the
//                                                              result is wanted sharded over those axes
//   4  both have another dimension sharded over the same axis  all-gather of one of them
//
// A result that is wanted sharded otherwise than it comes is resharded: all-to-all where an axis goes from one
// dimension to another, all-gather where it goes, a slice (which costs nothing) where it comes.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace podsim::module {

// A tensor of the whole pod: named dimensions in the order of memory, outermost first, and the axes that each is
// sharded over. The first axis cuts into the largest pieces.
struct ShardedTensor {
  std::string dims;                               // a letter each, such as "BD"
  std::map<char, std::vector<std::string>> axes;  // of those that are sharded

  // "B[x,y] D", as it is written in YAML.
  [[nodiscard]] std::string to_string() const;
  [[nodiscard]] const std::vector<std::string>& axes_of(char dim) const;

  friend bool operator==(const ShardedTensor&, const ShardedTensor&) = default;
};

// Throws std::invalid_argument, saying what is wrong: a dimension or an axis that is there twice, something that is no
// letter.
[[nodiscard]] ShardedTensor parse_sharded(const std::string& text);

struct ShardingStep {
  enum class Kind {
    kAllGather,      // `dim` becomes whole
    kEinsum,         // each chip's own product
    kAllReduce,      // partial sums of the result
    kReduceScatter,  // the same, and `dim` is sharded
    kAllToAll,       // the axis goes from `dim` to `to`
    kSlice,          // `dim` is sharded, by keeping a part of it
  };
  enum class Of { kA, kB, kResult };
  Kind kind = Kind::kEinsum;
  Of of = Of::kResult;
  std::vector<std::string> axes{};
  char dim = 0, to = 0;
  ShardedTensor after{};  // the tensor, once it has been done
};
[[nodiscard]] std::string to_string(const ShardingStep& step);

// Sizes of the dimensions and the pod's axes.
using Extents = std::map<char, std::uint64_t>;
using AxisSizes = std::map<std::string, std::uint64_t>;

// result = einsum(a, b): dimensions that `result` leaves out are summed over. Throws std::invalid_argument where a
// dimension has no size, is in the result and in no operand, an axis is not the pod's, or a size can't be divided.
[[nodiscard]] std::vector<ShardingStep> plan_einsum(const ShardedTensor& a, const ShardedTensor& b,
                                                    const ShardedTensor& result, const Extents& extents,
                                                    const AxisSizes& axes);

// Elements of a chip's shard.
[[nodiscard]] std::uint64_t shard_elements(const ShardedTensor& tensor, const Extents& extents, const AxisSizes& axes);
// Of one dimension.
[[nodiscard]] std::uint64_t shard_extent(const ShardedTensor& tensor, char dim, const Extents& extents,
                                         const AxisSizes& axes);

}  // namespace podsim::module
