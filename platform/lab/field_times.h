// What the field's formulas say of a collective on one ring (docs/collectives.md), and the grade that a time earns.
#pragma once

#include "firmware/collectives/call.h"
#include "firmware/device/allocator.h"
#include "platform/lab/lab.h"

namespace podsim::lab {

// k chips, S bytes, b bytes/s on a link one way, a what a step costs beside its bytes:
//   all-gather, reduce-scatter   (k-1)(a + S/(w k b)), w ways round (Thakur, Rabenseifner and Gropp 2005)
//   all-reduce                   twice that
//   permute to the neighbour     a + S/b
[[nodiscard]] Picoseconds field_time(const firmware::CollectiveCall& call, std::uint64_t chips,
                                     const firmware::Figures& figures, firmware::Directions ways);

// How much longer than the reference, or than the formula, still counts as the same. The formula leaves out what the
// chip does besides: a barrier, the own shard's copy, the last addition.
inline constexpr double kReferenceTolerance = 0.1;
inline constexpr double kFormulaTolerance = 0.15;

// Of a program that works.
[[nodiscard]] Grade grade_of(Picoseconds time, Picoseconds reference, Picoseconds one_way);

}  // namespace podsim::lab
