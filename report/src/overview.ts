// The whole run in a strip: how busy each kind of lane is over time, all chips together. A kind's strength is relative
// to its own busiest moment, as a few links of thousands would not be seen otherwise.

import type { LaneKind } from "./data.ts";
import type { Lane, Spans } from "./model.ts";

export const kOverviewKinds: LaneKind[] = ["mxu", "vpu", "dma", "ici", "pcie", "wait"];

export interface Overview {
  kinds: LaneKind[]; // those that occur
  shares: Float64Array[]; // for each, from 0 to 1, in equal slices of the run
}

export function overviewOf(model: { spans: Spans; lanes: Lane[]; end: number }, slices: number): Overview {
  const sums = new Map<LaneKind, Float64Array>(kOverviewKinds.map((kind) => [kind, new Float64Array(slices)]));
  // Whole slices are marked by their first and last, and added up at the end.
  const steps = new Map<LaneKind, Float64Array>(kOverviewKinds.map((kind) => [kind, new Float64Array(slices + 1)]));
  const { lane, begin, end } = model.spans;
  const perTime = slices / model.end;
  for (let span = 0; span < lane.length; ++span) {
    const kind = model.lanes[lane[span]].kind;
    const sum = sums.get(kind);
    if (!sum) continue;
    const from = Math.max(0, begin[span] * perTime);
    const to = Math.min(slices, end[span] * perTime);
    const first = Math.min(slices - 1, Math.floor(from));
    const last = Math.min(slices - 1, Math.floor(to));
    if (first === last) {
      sum[first] += Math.max(0, to - from);
      continue;
    }
    sum[first] += first + 1 - from;
    sum[last] += to - last;
    const step = steps.get(kind)!;
    ++step[first + 1];
    --step[last];
  }
  const kinds: LaneKind[] = [];
  const shares: Float64Array[] = [];
  for (const kind of kOverviewKinds) {
    const sum = sums.get(kind)!;
    const step = steps.get(kind)!;
    let open = 0;
    let most = 0;
    for (let slice = 0; slice < slices; ++slice) {
      open += step[slice];
      sum[slice] += open;
      most = Math.max(most, sum[slice]);
    }
    if (most === 0) continue;
    kinds.push(kind);
    shares.push(sum.map((each) => each / most));
  }
  return { kinds, shares };
}
