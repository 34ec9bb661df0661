#include "models/kernel/address_map.h"

#include <gtest/gtest.h>

namespace podsim {
namespace {

TEST(AddressMap, TakesApartWhatItPutTogether) {
  for (const std::uint32_t chip : {0u, 1u, 9'215u, kMaxChips - 1}) {
    for (unsigned region = 0; region < kRegionCount; ++region) {
      for (const Bytes offset : {Bytes{0}, Bytes{12'345}, kOffsetMask}) {
        const Address address = make_address(ChipId{chip}, static_cast<Region>(region), offset);
        EXPECT_EQ(index(chip_of(address)), chip);
        EXPECT_EQ(static_cast<unsigned>(region_of(address)), region);
        EXPECT_EQ(offset_of(address), offset);
      }
    }
  }
}

TEST(AddressMap, TheSamePlaceOnAnotherChip) {
  const Address here = make_address(ChipId{3}, Region::kSemaphores, 72);
  EXPECT_EQ(on_chip(here, ChipId{40'000}), make_address(ChipId{40'000}, Region::kSemaphores, 72));
}

TEST(AddressMap, UnitWindowsAreApart) {
  const Address window = unit_window(ChipId{5}, Region::kDma, 3);
  EXPECT_EQ(unit_of(window + 0xffff), 3u);
  EXPECT_EQ(unit_register(window + 0x18), 0x18u);
  EXPECT_EQ(unit_window(ChipId{5}, Region::kDma, 4) - window, 0x10000u);
}

}  // namespace
}  // namespace podsim
