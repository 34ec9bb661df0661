#include "platform/check/module_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "firmware/collectives/collective.h"
#include "models/kernel/random.h"
#include "platform/check/element.h"
#include "platform/check/kernel_data.h"

namespace podsim::check {

using firmware::CollectiveCall;
using firmware::CollectiveKind;
using firmware::Instruction;
using firmware::KernelCall;
using firmware::TensorShape;

namespace {

using Numbers = std::vector<double>;

// A tensor along one of its dimensions: `outer` times `extent` times `inner` elements.
struct Along {
  std::uint64_t outer = 1, extent = 1, inner = 1;

  Along(const TensorShape& shape, unsigned dim) {
    for (unsigned i = 0; i < shape.dims.size(); ++i) {
      (i < dim ? outer : i == dim ? extent : inner) *= shape.dims[i];
    }
  }
};

// Part `part` of `parts` along a dimension.
Numbers cut(const Numbers& whole, const TensorShape& shape, unsigned dim, std::uint64_t part, std::uint64_t parts) {
  const Along along(shape, dim);
  const std::uint64_t row = along.extent * along.inner, piece = row / parts;
  Numbers out;
  for (std::uint64_t i = 0; i < along.outer; ++i) {
    const auto first = whole.begin() + static_cast<std::ptrdiff_t>(i * row + part * piece);
    out.insert(out.end(), first, first + static_cast<std::ptrdiff_t>(piece));
  }
  return out;
}

// `shape` is that of the whole.
Numbers join(const std::vector<Numbers>& pieces, const TensorShape& shape, unsigned dim) {
  const Along along(shape, dim);
  const std::uint64_t piece = along.extent * along.inner / pieces.size();
  Numbers out;
  for (std::uint64_t i = 0; i < along.outer; ++i) {
    for (const Numbers& each : pieces) {
      const auto first = each.begin() + static_cast<std::ptrdiff_t>(i * piece);
      out.insert(out.end(), first, first + static_cast<std::ptrdiff_t>(piece));
    }
  }
  return out;
}

Numbers combined(const std::vector<const Numbers*>& operands, firmware::Reduction reduction) {
  Numbers out = *operands.front();
  for (std::size_t n = 1; n < operands.size(); ++n) {
    for (std::size_t i = 0; i < out.size(); ++i) {
      const double other = (*operands[n])[i];
      out[i] = reduction == firmware::Reduction::kSum   ? out[i] + other
               : reduction == firmware::Reduction::kMax ? std::max(out[i], other)
                                                        : std::min(out[i], other);
    }
  }
  return out;
}

void round_to(Numbers& numbers, firmware::DType type) {
  unsigned char bytes[8] = {};
  for (double& number : numbers) {
    if (std::isnan(number)) continue;
    store_number(bytes, 0, type, number);
    number = number_at(bytes, 0, type);
  }
}

bool is_integer(firmware::DType type) { return tensor_core::sum_type(type) == firmware::DType::kS32; }

// Roundings along the way, whose order is the model's own affair and which grow with the chain of instructions, as a
// share of a result's largest element.
double tolerance(firmware::DType type, unsigned depth) {
  if (is_integer(type)) return 0;
  const double unit = type == firmware::DType::kF32 ? 0x1p-18 : type == firmware::DType::kBf16 ? 0x1p-6 : 0x1p-3;
  return unit * (1 + depth / 4);
}

}  // namespace

double ModuleData::parameter(ChipId chip, std::size_t instruction, std::uint64_t element) const {
  kernel::Random random(index(chip) * 1'000'003 + instruction * 7919 + element * 31);
  // As small as keeps products of such matrices from growing: about one over the root of the longest side.
  const auto& [dims, type] = module_.instructions[instruction].result;
  const int halvings = dims.size() < 2 || is_integer(type)
                           ? 0
                           : static_cast<int>(std::bit_width(*std::max_element(dims.begin(), dims.end()))) / 2;
  return std::ldexp(static_cast<double>(random.below(5)) - 2, -halvings);
}

void ModuleData::fill(const std::vector<firmware::Placement>& places) const {
  for (const auto& chip : pod_.chips()) {
    for (std::size_t i = 0; i < module_.instructions.size(); ++i) {
      if (!module_.instructions[i].is_parameter()) continue;
      const firmware::Buffer& buffer = places[index(chip->id())][i].result;
      std::vector<unsigned char> bytes(buffer.bytes());
      for (std::uint64_t e = 0; e < buffer.elements; ++e) {
        store_number(bytes, e, buffer.type, parameter(chip->id(), i, e));
      }
      chip->write_memory(buffer.address, bytes);
    }
  }
}

ModuleData::OfChips ModuleData::play_collective(const Instruction& instruction, const OfChips& operand) const {
  const auto& call = std::get<CollectiveCall>(instruction.work);
  const TensorShape& before = instruction.operands.front().shape;
  OfChips result(operand.size());
  if (call.kind == CollectiveKind::kCollectivePermute) {
    for (Numbers& each : result) each.assign(instruction.result.elements(), std::nan(""));  // who is sent nothing
    for (const auto& [from, to] : call.pairs) result[index(to)] = operand[index(from)];
    return result;
  }
  for (std::size_t c = 0; c < operand.size(); ++c) {
    const auto group = firmware::group_of(call, pod_.torus(), static_cast<ChipId>(c)).value();
    std::vector<const Numbers*> members;
    for (std::uint64_t rank = 0; rank < group.size(); ++rank) members.push_back(&operand[index(group.member(rank))]);
    std::vector<Numbers> pieces;
    switch (call.kind) {
      case CollectiveKind::kAllGather:
        for (const Numbers* const each : members) pieces.push_back(*each);
        result[c] = join(pieces, instruction.result, instruction.dim);
        break;
      case CollectiveKind::kReduceScatter:
        result[c] = cut(combined(members, call.reduction), before, instruction.dim, group.rank(), group.size());
        break;
      case CollectiveKind::kAllReduce: result[c] = combined(members, call.reduction); break;
      case CollectiveKind::kAllToAll:
        for (const Numbers* const each : members) {
          pieces.push_back(cut(*each, before, instruction.dim, group.rank(), group.size()));
        }
        result[c] = join(pieces, instruction.result, instruction.concat);
        break;
      default: result[c] = operand[c]; break;
    }
  }
  return result;
}

ModuleData::OfChips ModuleData::play(std::size_t number, const std::vector<OfChips>& before) const {
  const Instruction& instruction = module_.instructions[number];
  OfChips result(pod_.size());
  const auto part = [&](const firmware::Operand& operand, std::size_t chip) {
    const auto first = before[operand.instruction][chip].begin() + static_cast<std::ptrdiff_t>(operand.first);
    return Numbers(first, first + static_cast<std::ptrdiff_t>(operand.shape.elements()));
  };
  if (instruction.is_parameter()) {
    for (std::size_t c = 0; c < result.size(); ++c) {
      for (std::uint64_t e = 0; e < instruction.result.elements(); ++e) {
        result[c].push_back(parameter(static_cast<ChipId>(c), number, e));
      }
    }
  } else if (const auto* const kernel = std::get_if<KernelCall>(&instruction.work)) {
    const KernelData reference(*kernel);
    for (std::size_t c = 0; c < result.size(); ++c) {
      std::vector<Numbers> operands;
      for (const firmware::Operand& operand : instruction.operands) operands.push_back(part(operand, c));
      result[c] = reference.reference(operands);
    }
  } else if (std::holds_alternative<CollectiveCall>(instruction.work)) {
    OfChips operand(result.size());
    for (std::size_t c = 0; c < operand.size(); ++c) operand[c] = part(instruction.operands.front(), c);
    result = play_collective(instruction, operand);
  } else {  // a copy from or to the host, or of operands one behind the other
    for (const firmware::Operand& operand : instruction.operands) {
      for (std::size_t c = 0; c < result.size(); ++c) {
        const Numbers read = part(operand, c);
        result[c].insert(result[c].end(), read.begin(), read.end());
      }
    }
  }
  for (Numbers& each : result) round_to(each, instruction.result.type);
  return result;
}

DataResult ModuleData::compare(const std::vector<firmware::Placement>& places) const {
  std::vector<bool> used(module_.instructions.size());
  for (const Instruction& instruction : module_.instructions) {
    for (const firmware::Operand& operand : instruction.operands) used[operand.instruction] = true;
  }
  DataResult result;
  std::vector<OfChips> wanted;
  std::vector<unsigned> depths;  // of the longest chain of instructions up to each
  for (std::size_t i = 0; i < module_.instructions.size(); ++i) {
    wanted.push_back(play(i, wanted));
    const Instruction& instruction = module_.instructions[i];
    depths.push_back(0);
    for (const firmware::Operand& operand : instruction.operands) {
      depths.back() = std::max(depths.back(), depths[operand.instruction] + 1);
    }
    if (used[i] || instruction.is_parameter()) continue;
    for (const auto& chip : pod_.chips()) {
      if (!instruction.executed_by(chip->id())) continue;
      const firmware::Buffer& buffer = places[index(chip->id())][i].result;
      std::vector<unsigned char> bytes(buffer.bytes());
      chip->read_memory(buffer.address, bytes);
      const Numbers& right = wanted[i][index(chip->id())];
      double largest = 0;
      for (const double each : right) largest = std::isnan(each) ? largest : std::max(largest, std::abs(each));
      const double room = tolerance(buffer.type, depths[i]) * largest;
      for (std::uint64_t e = 0; e < buffer.elements; ++e) {
        const double got = number_at(bytes, e, buffer.type);
        if (std::isnan(right[e]) || std::abs(got - right[e]) <= room) continue;
        if (result.wrong++ > 0) continue;
        result.explanation = fmt::format("wrong data: {} on chip {}: element {} is {}, must be {} within {:.3g}\n",
                                         instruction.name, index(chip->id()), e, got, right[e], room);
      }
    }
  }
  return result;
}

}  // namespace podsim::check
