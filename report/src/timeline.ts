// The timeline: a canvas that shows a window of time and of lanes. This class holds what is shown and how one moves in
// it; the painting is in timeline_paint.ts, mouse and touch in timeline_input.ts.

import type { ArrowChoice } from "./arrows.ts";
import { h } from "./dom.ts";
import { Frame } from "./frame.ts";
import { LaneLayout, pairedOrder, type Strip } from "./lanes.ts";
import type { Model } from "./model.ts";
import type { Selection } from "./selection.ts";
import { isPrinting, onPrint } from "./printing.ts";
import { onTheme } from "./theme.ts";
import { paintTimeline } from "./timeline_paint.ts";
import { TimeWindow } from "./window.ts";

const kPrintScale = 2; // pixels of the canvas for one of the page's

export type ArrowMode = "all" | "chosen" | "none";

export class Timeline {
  readonly canvas = h("canvas", { class: "timeline-canvas", tabindex: 0, role: "img", "aria-label": "Timeline" });
  readonly window: TimeWindow;
  readonly layout: LaneLayout;
  scroll = 0;
  hover = -1; // span under the pointer
  pointer: { x: number; y: number } | undefined;
  mark: { from: number; to: number } | undefined; // a stretch of time, marked
  arrowMode: ArrowMode = "all";
  lit: boolean; // the critical path stands out
  lastArrows: ArrowChoice = { drawn: [], visible: 0 };
  afterDraw: () => void = () => {};

  private pending = 0;
  private arranged = false;

  constructor(
    readonly model: Model,
    readonly selection: Selection,
    private readonly firstGroups: number[],
  ) {
    this.window = new TimeWindow(model.end);
    this.layout = new LaneLayout(model.groups, model.lanes, pairedOrder(model.groups));
    this.lit = model.paths.some((path) => path.segments.length > 0);
    selection.onChange(() => this.redraw());
    onTheme(() => this.redraw());
    onPrint(() => this.resize());
    new ResizeObserver(() => this.resize()).observe(this.canvas);
  }

  frame(): Frame {
    return new Frame(
      this.canvas.clientWidth,
      this.canvas.clientHeight,
      this.window,
      this.scroll,
      this.model.paths.length,
    );
  }

  // Draws before the next picture, however often it is called until then.
  redraw(): void {
    if (this.pending) return;
    this.pending = requestAnimationFrame(() => this.drawNow());
  }

  drawNow(): void {
    cancelAnimationFrame(this.pending);
    this.pending = 0;
    if (this.canvas.clientWidth === 0) return;
    this.lastArrows = paintTimeline(this, this.frame());
    this.afterDraw();
  }

  zoom(factor: number, about = (this.window.from + this.window.to) / 2): void {
    this.window.zoom(factor, about);
    this.redraw();
  }

  pan(share: number): void {
    this.window.pan(share * this.window.width);
    this.redraw();
  }

  fit(): void {
    this.window.fit();
    this.redraw();
  }

  scrollBy(pixels: number): void {
    const most = Math.max(0, this.layout.height - this.frame().lanesHeight);
    this.scroll = Math.min(most, Math.max(0, this.scroll + pixels));
    this.redraw();
  }

  toggleGroup(group: number): void {
    this.layout.toggle(group);
    this.scrollBy(0);
  }

  toggleLane(lane: number): void {
    if (!this.layout.hasManyRows(lane)) return;
    this.layout.toggleLane(lane);
    this.scrollBy(0);
  }

  setAllCollapsed(collapsed: boolean): void {
    this.layout.setAll(collapsed);
    this.scrollBy(0);
  }

  toggleEmpty(): void {
    this.layout.showEmpty = !this.layout.showEmpty;
    this.layout.arrange();
    this.scrollBy(0);
  }

  // Opens the span's group, brings it on screen and, if it is too small to be seen or outside, the window to it.
  reveal(span: number): void {
    const lane = this.model.spans.lane[span];
    const group = this.model.lanes[lane].group;
    if (this.layout.collapsed[group]) this.layout.toggle(group);
    const box = this.layout.rowBox(lane, this.model.rowOf[span]);
    const room = this.frame().lanesHeight;
    if (box && (box.top < this.scroll || box.top + box.height > this.scroll + room)) {
      this.scroll = 0;
      this.scrollBy(box.top - room / 3);
    }
    const begin = this.model.spans.begin[span];
    const end = this.model.spans.end[span];
    const pixels = (end - begin) / this.frame().timePerPixel;
    if (pixels < 3 || begin > this.window.to || end < this.window.from) this.window.show(begin, end, 4);
    this.redraw();
  }

  // The window to what is marked or else selected.
  zoomToChosen(): void {
    const span = this.selection.span;
    if (this.mark) this.window.show(this.mark.from, this.mark.to, 0.02);
    else if (span >= 0) this.window.show(this.model.spans.begin[span], this.model.spans.end[span], 0.5);
    this.redraw();
  }

  // The span at a place on the canvas, or within a few pixels of it; -1 if there is none.
  spanAt(x: number, y: number): number {
    const frame = this.frame();
    if (x < frame.left) return -1;
    const time = frame.time(x);
    const slack = 3 * frame.timePerPixel;
    if (y >= frame.pathTop && y < frame.lanesTop) return this.pathSpanAt(time, y, frame);
    const strip = this.stripAt(y);
    if (!strip || strip.kind === "heading") return -1;
    const lanes = strip.kind === "lane" ? [strip.lane] : this.model.groups[strip.group].lanes;
    let best = -1;
    let distance = Infinity;
    for (const lane of lanes) {
      this.model.lanes[lane].rows.forEach((row, place) => {
        const box = this.layout.rowBox(lane, place);
        if (!box) return;
        const middle = frame.y(box.top) + box.height / 2;
        const off = Math.abs(y - middle);
        if (off > box.height / 2 + 2 || off >= distance) return;
        const found = row.at(time, slack);
        if (found >= 0) [best, distance] = [row.spans[found], off];
      });
    }
    return best;
  }

  stripAt(y: number): Strip | undefined {
    const frame = this.frame();
    return y < frame.lanesTop ? undefined : this.layout.stripAt(y - frame.lanesTop + this.scroll);
  }

  // Where a span is on the canvas; undefined if its lane is not shown.
  rectangle(span: number): { x: number; y: number; width: number; height: number } | undefined {
    const frame = this.frame();
    const box = this.layout.rowBox(this.model.spans.lane[span], this.model.rowOf[span]);
    if (!box) return undefined;
    const x = frame.x(this.model.spans.begin[span]);
    return { x, y: frame.y(box.top), width: frame.x(this.model.spans.end[span]) - x, height: box.height };
  }

  // The neighbour in the same row: the next if `by` is 1, the one before if it is -1.
  neighbour(span: number, by: number): number {
    const row = this.model.laneOf(span).rows[this.model.rowOf[span]];
    const place = row.spans.indexOf(span) + by;
    return place >= 0 && place < row.length ? row.spans[place] : -1;
  }

  private pathSpanAt(time: number, y: number, frame: Frame): number {
    const path =
      this.model.paths[Math.floor(((y - frame.pathTop) / (frame.lanesTop - frame.pathTop)) * this.model.paths.length)];
    return path?.segments.find((each) => each.begin <= time && time < each.end)?.span ?? -1;
  }

  private resize(): void {
    const scale = isPrinting() ? kPrintScale : devicePixelRatio || 1;
    const { clientWidth, clientHeight } = this.canvas;
    if (clientWidth === 0) return;
    this.canvas.width = Math.round(clientWidth * scale);
    this.canvas.height = Math.round(clientHeight * scale);
    if (!this.arranged) {
      this.arranged = true;
      this.layout.openWhatFits(this.frame().lanesHeight, this.firstGroups, this.model.documents.length);
    }
    this.scrollBy(0);
    this.drawNow();
  }
}
