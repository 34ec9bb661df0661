#include "models/memory/dram/address_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace podsim::memory {

namespace {

constexpr std::size_t kFields = 7;

std::size_t place(HbmField field) { return static_cast<std::size_t>(field); }

// How many values each field has. Channels count those of all stacks where the mapping has no field for stacks.
std::array<std::uint64_t, kFields> counts(const HbmConfig& c) {
  const bool stacks = std::any_of(c.mapping.begin(), c.mapping.end(),
                                  [](const HbmMappingPart& part) { return part.field == HbmField::kStack; });
  std::array<std::uint64_t, kFields> count{};
  count[place(HbmField::kStack)] = stacks ? c.stacks : 1;
  count[place(HbmField::kChannel)] = std::uint64_t{c.channels_per_stack} * (stacks ? 1 : c.stacks);
  count[place(HbmField::kPseudoChannel)] = c.pseudo_channels_per_channel;
  count[place(HbmField::kBankGroup)] = c.bank_groups;
  count[place(HbmField::kBank)] = c.bank_groups > 0 ? c.banks_per_pseudo_channel / c.bank_groups : 0;
  count[place(HbmField::kColumn)] = c.access.bytes > 0 ? c.row.bytes / c.access.bytes : 0;
  Bytes one_row = c.access.bytes;
  for (std::size_t i = 0; i + 1 < kFields; ++i) one_row *= count[i];
  const std::uint64_t rows = one_row > 0 ? (c.capacity.bytes + one_row - 1) / one_row : 1;
  count[place(HbmField::kRow)] = std::bit_ceil(std::max<std::uint64_t>(rows, 1));
  return count;
}

}  // namespace

const char* mapping_fault(const HbmConfig& config) {
  std::array<std::uint64_t, kFields> left = counts(config);
  std::array<bool, kFields> named{};
  for (const HbmMappingPart& part : config.mapping) {
    std::uint64_t& rest = left[place(part.field)];
    if (named[place(part.field)] && rest == 1) return "names a field again of which nothing is left";
    named[place(part.field)] = true;
    if (part.bits == 0) {
      rest = 1;
    } else if (part.bits > 40 || rest % (std::uint64_t{1} << part.bits) != 0) {
      return "takes more bits of a field than it has";
    } else {
      rest >>= part.bits;
    }
  }
  if (left[place(HbmField::kRow)] != 1 || !named[place(HbmField::kRow)]) return "must have all of the row";
  for (const std::uint64_t rest : left) {
    if (rest != 1) return "must have all of channel, pseudo_channel, bank_group, bank, column and row";
  }
  return "";
}

AddressMap::AddressMap(const HbmConfig& config)
    : access_(config.access.bytes), channels_per_stack_(config.channels_per_stack) {
  if (const char* fault = mapping_fault(config); *fault != '\0') {
    throw std::invalid_argument(fmt::format("hbm: mapping {}", fault));
  }
  std::array<std::uint64_t, kFields> left = counts(config);
  std::array<std::uint64_t, kFields> weight;
  weight.fill(1);
  Bytes span = access_;
  for (std::size_t i = 0; i < config.mapping.size(); ++i) {
    const HbmMappingPart& part = config.mapping[i];
    const std::uint64_t radix = part.bits == 0 ? left[place(part.field)] : std::uint64_t{1} << part.bits;
    const bool last = i + 1 == config.mapping.size();
    if (part.field == HbmField::kRow && next_row_ == 0) next_row_ = span;
    if (part.field == HbmField::kBank && next_bank_ == 0 && radix > 1) next_bank_ = span;
    digits_.push_back({part.field, last && part.field == HbmField::kRow ? 0 : radix, weight[place(part.field)],
                       std::has_single_bit(radix) ? std::countr_zero(radix) : -1});
    weight[place(part.field)] *= radix;
    left[place(part.field)] /= radix;
    if (part.field != HbmField::kColumn && granule_ == 0) granule_ = span;
    span *= radix;
    if (part.field == HbmField::kColumn) row_span_ = span;
  }
  if (row_span_ == 0) row_span_ = access_;
  rows_in_span_ = std::max<std::uint64_t>(row_span_ / config.row.bytes, 1);
}

DramAddress AddressMap::operator()(Bytes offset) const {
  std::array<std::uint64_t, kFields> value{};
  std::uint64_t rest = offset / access_;
  for (const Digit& digit : digits_) {
    std::uint64_t here = rest;
    if (digit.radix == 0) {
      rest = 0;
    } else if (digit.shift >= 0) {
      here = rest & (digit.radix - 1);
      rest >>= digit.shift;
    } else {
      here = rest % digit.radix;
      rest /= digit.radix;
    }
    value[place(digit.field)] += here * digit.weight;
  }
  const auto small = [&](HbmField field) { return static_cast<std::uint32_t>(value[place(field)]); };
  return {small(HbmField::kStack) * channels_per_stack_ + small(HbmField::kChannel),
          small(HbmField::kPseudoChannel),
          small(HbmField::kBankGroup),
          small(HbmField::kBank),
          small(HbmField::kColumn),
          value[place(HbmField::kRow)]};
}

}  // namespace podsim::memory
