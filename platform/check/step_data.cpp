#include "platform/check/step_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "firmware/collectives/collective.h"
#include "platform/check/element.h"

namespace podsim::check {

using firmware::CollectiveKind;
using firmware::DType;
using firmware::Group;
using firmware::Range;
using firmware::Reduction;

// The finaliser of MurmurHash3, public domain, as commonly published.
std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
  std::uint64_t x = a * 0x9e37'79b9'7f4a'7c15u + b;
  x = (x ^ (x >> 33)) * 0xff51'afd7'ed55'8ccdu;
  x = (x ^ (x >> 33)) * 0xc4ce'b9fe'1a85'ec53u;
  return x ^ (x >> 33);
}

namespace {

// bf16 has eight significant bits: integers up to 256 are exact, and so are sums of 128 values of -1, 0 and 1.
constexpr std::uint64_t kMostBf16Terms = 128;

// No input has this value, in any type: 127 as s8, far beyond 100 as the others.
constexpr unsigned char kPoison = 0x7f;

std::int32_t combine(Reduction reduction, std::int32_t a, std::int32_t b) {
  switch (reduction) {
    case Reduction::kSum: return a + b;
    case Reduction::kMax: return std::max(a, b);
    case Reduction::kMin: return std::min(a, b);
  }
  return a;
}

}  // namespace

std::int32_t StepData::input(ChipId chip, std::uint64_t element) const {
  const firmware::CollectiveCall& call = step_.collective;
  const std::uint64_t random = mixed(index(chip), element);
  const bool summed = step_.program == nullptr && run::reduces(call.kind) && call.reduction == Reduction::kSum;
  if (!summed || call.type != DType::kBf16) return static_cast<std::int32_t>(random % 201) - 100;
  const std::uint64_t thinning = (pod_.size() + kMostBf16Terms - 1) / kMostBf16Terms;
  if (index(chip) % thinning != element % thinning) return 0;
  return static_cast<std::int32_t>(random % 3) - 1;
}

void StepData::fill(chip::Chip& chip, const firmware::Buffer& in, const firmware::Buffer& out) const {
  const firmware::CollectiveCall& call = step_.collective;
  std::uint64_t first = 0;
  const bool shards = call.kind == CollectiveKind::kAllGather || call.kind == CollectiveKind::kGather;
  if (step_.program == nullptr && shards) {
    if (const auto group = firmware::group_of(call, pod_.torus(), chip.id())) {
      first = Range{0, call.elements}.part(group->rank(), group->size()).first;
    }
  }
  std::vector<unsigned char> bytes(in.bytes());
  for (std::uint64_t i = 0; i < in.elements; ++i) store(bytes, i, in.type, input(chip.id(), first + i));
  chip.write_memory(in.address, bytes);
  bytes.assign(out.bytes(), kPoison);
  chip.write_memory(out.address, bytes);
}

std::vector<std::int32_t> StepData::reduced(ChipId chip) const {
  const firmware::CollectiveCall& call = step_.collective;
  const Group group = *firmware::group_of(call, pod_.torus(), chip);
  if (std::find(reduced_for_.begin(), reduced_for_.end(), chip) == reduced_for_.end()) {
    reduced_for_.clear();
    reduced_.clear();
    for (std::uint64_t rank = 0; rank < group.size(); ++rank) {
      const ChipId member = group.member(rank);
      reduced_for_.push_back(member);
      for (std::uint64_t e = 0; e < call.elements; ++e) {
        if (rank == 0) {
          reduced_.push_back(input(member, e));
        } else {
          reduced_[e] = combine(call.reduction, reduced_[e], input(member, e));
        }
      }
    }
  }
  const Range shard = call.kind == CollectiveKind::kReduceScatter
                          ? Range{0, call.elements}.part(group.rank(), group.size())
                          : Range{0, call.elements};
  return {reduced_.begin() + static_cast<std::ptrdiff_t>(shard.first),
          reduced_.begin() + static_cast<std::ptrdiff_t>(shard.last)};
}

std::vector<std::int32_t> StepData::expected(ChipId chip) const {
  const firmware::CollectiveCall& call = step_.collective;
  const Range all{0, call.elements};
  std::vector<std::int32_t> values;
  const auto append = [&](ChipId from, Range range) {
    for (std::uint64_t e = range.first; e < range.last; ++e) values.push_back(input(from, e));
  };
  if (step_.program != nullptr) {
    append(chip, all);
    return values;
  }
  const std::optional<Group> member = firmware::group_of(call, pod_.torus(), chip);
  if (!member) return values;
  const Group& group = *member;
  switch (call.kind) {
    case CollectiveKind::kAllReduce:
    case CollectiveKind::kReduceScatter: return reduced(chip);
    case CollectiveKind::kAllGather:
      for (std::uint64_t r = 0; r < group.size(); ++r) append(group.member(r), all.part(r, group.size()));
      break;
    case CollectiveKind::kAllToAll:
      for (std::uint64_t r = 0; r < group.size(); ++r) {
        append(group.member(r), all.part(group.rank(), group.size()));
      }
      break;
    case CollectiveKind::kBroadcast: append(group.member(call.root), all); break;
    case CollectiveKind::kScatter: append(group.member(call.root), all.part(group.rank(), group.size())); break;
    case CollectiveKind::kGather:
      if (group.rank() != call.root) break;
      for (std::uint64_t r = 0; r < group.size(); ++r) append(group.member(r), all.part(r, group.size()));
      break;
    case CollectiveKind::kCollectivePermute: {
      const auto pair =
          std::find_if(call.pairs.begin(), call.pairs.end(), [&](const auto& each) { return each.second == chip; });
      if (pair == call.pairs.end()) {
        values.assign(call.elements, 0);
      } else {
        append(pair->first, all);
      }
      break;
    }
  }
  return values;
}

DataResult StepData::compare(const std::function<firmware::Buffer(ChipId)>& out) const {
  DataResult result;
  if (step_.program != nullptr && !step_.program->copies) return result;
  for (const auto& chip : pod_.chips()) {
    const firmware::Buffer buffer = out(chip->id());
    if (buffer.elements == 0) continue;
    std::vector<unsigned char> bytes(buffer.bytes());
    chip->read_memory(buffer.address, bytes);
    const std::vector<std::int32_t> wanted = expected(chip->id());
    std::vector<unsigned char> right(bytes.size());
    for (std::uint64_t i = 0; i < wanted.size(); ++i) store(right, i, buffer.type, wanted[i]);
    if (bytes == right) continue;
    for (std::uint64_t i = 0; i < buffer.elements; ++i) {
      if (same_element(bytes, right, i, buffer.type)) continue;
      if (result.wrong++ > 0) continue;
      result.explanation = fmt::format("wrong data: chip {} {}: element {} of the output is {}, not {}\n",
                                       podsim::index(chip->id()), pod_.torus().place(chip->id()), i,
                                       element_text(bytes, i, buffer.type), element_text(right, i, buffer.type));
    }
  }
  return result;
}

}  // namespace podsim::check
