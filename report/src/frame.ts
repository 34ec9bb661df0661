// Where things are on the timeline's canvas: names on the left, the overview on top, then the axis, the critical path,
// the lanes.

import type { TimeWindow } from "./window.ts";

export const kOverviewHeight = 44;
export const kAxisHeight = 22;
export const kPathHeight = 18;

export class Frame {
  readonly left: number; // of the time axis; names stand before it
  readonly axisTop = kOverviewHeight;
  readonly pathTop = kOverviewHeight + kAxisHeight;
  readonly lanesTop: number;

  constructor(
    readonly width: number,
    readonly height: number,
    readonly window: TimeWindow,
    readonly scroll: number, // pixels of lanes above the top
    paths: number,
  ) {
    this.left = Math.min(190, Math.floor(width * 0.3));
    this.lanesTop = this.pathTop + paths * kPathHeight;
  }

  get plotWidth(): number {
    return Math.max(1, this.width - this.left);
  }

  get lanesHeight(): number {
    return Math.max(0, this.height - this.lanesTop);
  }

  x(time: number): number {
    return this.left + ((time - this.window.from) / this.window.width) * this.plotWidth;
  }

  time(x: number): number {
    return this.window.from + ((x - this.left) / this.plotWidth) * this.window.width;
  }

  // Of a height within the lanes, as LaneLayout counts.
  y(top: number): number {
    return this.lanesTop + top - this.scroll;
  }

  get timePerPixel(): number {
    return this.window.width / this.plotWidth;
  }
}
