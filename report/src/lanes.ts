// Where each group and lane stands on the page, from top to bottom: a heading for each group, below it its lanes, or if
// it is collapsed a miniature of them. Lanes on which nothing happened are left out unless they are asked for.

import type { Group, Lane } from "./model.ts";

const kRowHeight = 15;
const kLowRowHeight = 7; // of a lane with many rows, until it is opened
const kFewRows = 2;
const kLanePad = 3;
const kHeadingHeight = 20;
const kLeastMiniature = 16;
const kMostMiniature = 36;
const kMiniatureLane = 3;

export type StripKind = "heading" | "miniature" | "lane";

export interface Strip {
  kind: StripKind;
  group: number;
  lane: number; // -1 unless it is one
  top: number;
  height: number;
}

export class LaneLayout {
  readonly collapsed: boolean[];
  private readonly high = new Set<number>(); // lanes with many rows whose rows are as high as others'
  showEmpty = false;
  strips: Strip[] = [];
  height = 0;
  // Of each lane: its own strip, or the miniature of its group.
  stripOfLane: Int32Array;
  // Of each lane in a miniature: its place among those with something on them.
  private placeInGroup: Int32Array;
  private readonly used: number[]; // lanes with something on them, of each group

  constructor(
    private readonly groups: Group[],
    private readonly lanes: Lane[],
    private readonly order: number[] = groups.map((_, index) => index),
  ) {
    this.collapsed = groups.map(() => false);
    this.stripOfLane = new Int32Array(lanes.length).fill(-1);
    this.placeInGroup = new Int32Array(lanes.length);
    this.used = groups.map((group) => {
      let place = 0;
      for (const lane of group.lanes) this.placeInGroup[lane] = lanes[lane].rows.length > 0 ? place++ : place;
      return place;
    });
    this.arrange();
  }

  get emptyLanes(): number {
    return this.lanes.reduce((sum, lane) => sum + (lane.rows.length === 0 ? 1 : 0), 0);
  }

  // Opens groups as long as everything still fits into `height`: those of `first`, then the others in their order. The
  // first `least` of them are opened even if they don't fit.
  openWhatFits(height: number, first: number[], least: number): void {
    this.collapsed.fill(true);
    this.arrange();
    let opened = 0;
    for (const group of [...first, ...this.order]) {
      if (!this.collapsed[group] || this.used[group] === 0) continue;
      const more = this.openHeight(group) - this.miniatureHeight(group);
      if (this.height + more > height && opened >= least) break;
      ++opened;
      this.collapsed[group] = false;
      this.height += more;
    }
    this.arrange();
  }

  toggle(group: number): void {
    this.collapsed[group] = !this.collapsed[group];
    this.arrange();
  }

  // Makes the rows of a lane with many of them high enough for names, or low again.
  toggleLane(lane: number): void {
    if (!this.high.delete(lane)) this.high.add(lane);
    this.arrange();
  }

  hasManyRows(lane: number): boolean {
    return this.lanes[lane].rows.length > kFewRows;
  }

  isHigh(lane: number): boolean {
    return this.high.has(lane);
  }

  setAll(collapsed: boolean): void {
    this.collapsed.fill(collapsed);
    this.arrange();
  }

  arrange(): void {
    this.strips = [];
    let top = 0;
    const add = (kind: StripKind, group: number, lane: number, height: number) => {
      this.strips.push({ kind, group, lane, top, height });
      top += height;
      return this.strips.length - 1;
    };
    for (const group of this.order) {
      if (this.used[group] === 0 && !this.showEmpty) continue;
      if (this.collapsed[group]) {
        const strip = add("miniature", group, -1, this.miniatureHeight(group));
        for (const lane of this.groups[group].lanes) this.stripOfLane[lane] = strip;
        continue;
      }
      const heading = add("heading", group, -1, kHeadingHeight);
      for (const lane of this.groups[group].lanes) {
        const rows = this.lanes[lane].rows.length;
        const shown = rows > 0 || this.showEmpty;
        this.stripOfLane[lane] = shown ? add("lane", group, lane, this.laneHeight(lane)) : heading;
      }
    }
    this.height = top;
  }

  // The first strip that reaches below `y`; the number of strips if none does.
  firstBelow(y: number): number {
    let low = 0;
    let high = this.strips.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.strips[middle].top + this.strips[middle].height > y) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  stripAt(y: number): Strip | undefined {
    const strip = this.strips[this.firstBelow(y)];
    return strip && strip.top <= y ? strip : undefined;
  }

  // Top and height of a lane's row as drawn, in its miniature too. Undefined if it is nowhere.
  rowBox(lane: number, row: number): { top: number; height: number } | undefined {
    const strip = this.strips[this.stripOfLane[lane]];
    if (!strip) return undefined;
    if (strip.kind === "lane")
      return { top: strip.top + 1 + row * this.rowHeight(lane), height: this.rowHeight(lane) - 1 };
    if (strip.kind === "heading") return { top: strip.top + strip.height / 2, height: 1 };
    const share = (strip.height - 4) / Math.max(1, this.used[strip.group]);
    return { top: strip.top + 2 + this.placeInGroup[lane] * share, height: Math.max(1, share - 0.5) };
  }

  // The middle of that row, without a box; NaN if it is nowhere. For arrows, of which there are many.
  rowMiddle(lane: number, row: number): number {
    const strip = this.strips[this.stripOfLane[lane]];
    if (!strip) return NaN;
    if (strip.kind === "lane") return strip.top + 1 + (row + 0.5) * this.rowHeight(lane) - 0.5;
    if (strip.kind === "heading") return strip.top + strip.height / 2;
    return strip.top + 2 + ((this.placeInGroup[lane] + 0.5) * (strip.height - 4)) / Math.max(1, this.used[strip.group]);
  }

  private rowHeight(lane: number): number {
    return this.hasManyRows(lane) && !this.high.has(lane) ? kLowRowHeight : kRowHeight;
  }

  private laneHeight(lane: number): number {
    const rows = Math.max(1, this.lanes[lane].rows.length);
    return Math.max(kRowHeight, rows * this.rowHeight(lane)) + kLanePad;
  }

  private miniatureHeight(group: number): number {
    return Math.min(kMostMiniature, Math.max(kLeastMiniature, 4 + this.used[group] * kMiniatureLane));
  }

  private openHeight(group: number): number {
    let height = kHeadingHeight;
    for (const lane of this.groups[group].lanes) {
      if (this.lanes[lane].rows.length > 0) height += this.laneHeight(lane);
    }
    return height;
  }
}

// Of a comparison, each group beside its like of the other run.
export function pairedOrder(groups: Group[]): number[] {
  const like = new Map<string, number>();
  groups.forEach((group) => {
    if (!like.has(group.name)) like.set(group.name, like.size);
  });
  return groups
    .map((_, index) => index)
    .sort((a, b) => like.get(groups[a].name)! - like.get(groups[b].name)! || groups[a].run - groups[b].run || a - b);
}
