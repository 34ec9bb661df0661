// Where in the DRAM an address lies: HbmConfig::mapping worked out. Fields are digits of a mixed-radix number, from the
// least significant up, so that three or six stacks do as well as four.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/memory/hbm_config.h"

namespace podsim::memory {

struct DramAddress {
  std::uint32_t channel = 0;  // of all stacks
  std::uint32_t pseudo_channel = 0;
  std::uint32_t bank_group = 0;
  std::uint32_t bank = 0;  // of the group
  std::uint32_t column = 0;
  std::uint64_t row = 0;
  bool operator==(const DramAddress&) const = default;

  // The same bank, whatever the row.
  [[nodiscard]] bool same_bank(const DramAddress& other) const {
    return channel == other.channel && pseudo_channel == other.pseudo_channel && bank_group == other.bank_group &&
           bank == other.bank;
  }
};

class AddressMap {
 public:
  // Throws std::invalid_argument, naming the key, when the mapping or the organisation makes no sense.
  explicit AddressMap(const HbmConfig& config);

  [[nodiscard]] DramAddress operator()(Bytes offset) const;

  // Bytes from the start of the address range after which two addresses first lie in one bank but in different rows.
  [[nodiscard]] Bytes next_row_of_bank() const { return next_row_; }
  // The same for another bank of the same bank group, or 0 if there is none.
  [[nodiscard]] Bytes next_bank_of_group() const { return next_bank_; }

  // Consecutive bytes that lie in one row.
  [[nodiscard]] Bytes granule() const { return granule_; }
  // Consecutive bytes that make whole rows, and how many.
  [[nodiscard]] Bytes row_span() const { return row_span_; }
  [[nodiscard]] std::uint64_t rows_in_span() const { return rows_in_span_; }

 private:
  struct Digit {
    HbmField field;
    std::uint64_t radix;   // 0: whatever is left
    std::uint64_t weight;  // of the digit in its field
    int shift;             // of a radix that is a power of two, else -1
  };

  std::vector<Digit> digits_;
  Bytes access_;
  std::uint32_t channels_per_stack_;
  Bytes next_row_ = 0;
  Bytes next_bank_ = 0;
  Bytes granule_ = 0;
  Bytes row_span_ = 0;
  std::uint64_t rows_in_span_ = 1;
};

// What is wrong with the mapping, or an empty text.
[[nodiscard]] const char* mapping_fault(const HbmConfig& config);

}  // namespace podsim::memory
