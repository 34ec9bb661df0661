// Adds a sharded einsum to a module: the collectives that sharding.h finds, and the product in their middle.
#pragma once

#include <string>

#include "firmware/module/builder.h"
#include "platform/module/sharding.h"

namespace podsim::module {

// A value and the pod's tensor that it is each chip's shard of.
struct ShardedValue {
  firmware::Value value;
  ShardedTensor tensor;
};

// The shape of a chip's shard.
[[nodiscard]] firmware::TensorShape shard_shape(const ShardedTensor& tensor, firmware::DType type,
                                                const Extents& extents, const ici::TorusShape& torus);

// a's dimensions end with those that are summed over, which b's begin with, in the same order; the result has the
// others of a, then those of b. Throws std::invalid_argument for what is no such product, and where the result would
// have to be cut out of one that each chip has whole.
[[nodiscard]] ShardedValue add_einsum(firmware::ModuleBuilder& builder, const std::string& name, const ShardedValue& a,
                                      const ShardedValue& b, const ShardedTensor& result, const Extents& extents,
                                      const ici::TorusShape& torus, std::optional<firmware::DType> type = {});

}  // namespace podsim::module
