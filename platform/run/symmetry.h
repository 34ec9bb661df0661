// Symmetry of a step: whether one chip may stand for all of a pod (pod::Extent::kOneForAll).
//
// On a torus of rings with equal links no place differs from another. A program in which each chip does the same to its
// own neighbours, with as many bytes, as every other chip then does the same at the same times on all of them, however
// many there are: to shift the pod by one chip changes nothing. So what a chip gets over one of its links at some time
// is what it sends over the link across at that time less the hop, and one chip with its links led back to itself tells
// the whole pod's times, for the price of one chip.
//
// What is left of a difference is the memory: where in HBM a chip's shards lie depends on its rank, and with it which
// accesses meet in a bank or go on where others ended. The whole pod ends with its unluckiest chip; the one that stands
// for all is chip 0. Measured, 1 GiB a chip: 3e-6 of the time on 8x8x8, 1.4e-4 on 16x16x16; in tests on small pods with
// little VMEM up to 1 %, and 2.5e-5 with memory that does not care (tests/system/symmetry_test.cpp).
#pragma once

#include <string>
#include <vector>

#include "platform/pod/pod.h"
#include "platform/run/run_options.h"
#include "platform/run/step.h"

namespace podsim::run {

// Why one chip can't stand for all in these steps, under these options: "the chips at the edges of a mesh are not like
// the others"; empty if it can.
[[nodiscard]] std::string why_not_symmetric(const std::vector<Step>& steps, const pod::PodConfig& config,
                                            const ici::TorusShape& torus, const RunOptions& options, bool with_data);

// Whether it shall: the options' `symmetry`. Throws std::invalid_argument where it must and can't.
[[nodiscard]] pod::Extent chosen_extent(const std::vector<Step>& steps, const pod::PodConfig& config,
                                        const ici::TorusShape& torus, const RunOptions& options, bool with_data);

}  // namespace podsim::run
