// Ring all-to-all: block r of each member goes to member r, which ends with one block from each, in the order of ranks.
//
// Along one axis a bundle of blocks travels from each chip round the ring; every chip takes out the block that is its
// own and passes the rest on, so links carry neighbour traffic only. With both directions a block takes the shorter
// way, and the one for the chip opposite goes half each way. Several axes follow one another: the first brings each
// block to the right coordinate on the first axis, and so on.
#pragma once

#include "firmware/collectives/group.h"
#include "firmware/device/device.h"

namespace podsim::firmware {

// `in`: one block for each member, parts by rank of in.elements. `out`: a block from each member, each as large as this
// chip's own block in `in`. Call on every member after a barrier among neighbours.
Task all_to_all(Device& chip, Group group, Directions directions, Buffer in, Buffer out);

}  // namespace podsim::firmware
