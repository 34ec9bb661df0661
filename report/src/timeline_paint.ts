// One picture of the timeline.

import { chooseArrows, type ArrowChoice, type ArrowPlace } from "./arrows.ts";
import { kAxisHeight, kOverviewHeight, kPathHeight, type Frame } from "./frame.ts";
import type { Strip } from "./lanes.ts";
import { overviewPicture } from "./overview_picture.ts";
import { causeColour, inkOn, laneColour } from "./palette.ts";
import { packedColour, paintRow, type RowStyle, type WideSpan } from "./paint_row.ts";
import { RowPictures } from "./row_pictures.ts";
import { currentInks, type Inks } from "./theme.ts";
import type { Timeline } from "./timeline.ts";
import { timeText, timeTicks } from "./units.ts";

const kFont = "11px system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif";
const kBoldFont = `600 ${kFont}`;
const kMostLit = 150; // arrows that can be told apart
const kOffPath = 0.6; // strength of what is not on the critical path while that is lit

// Steps and collectives differ in lightness only, so that the colours of hardware keep their meaning.
const kProgramColours = ["#8b93a1", "#aab1bd", "#6e7684", "#c3c8d1", "#59606c"];

export function paintTimeline(timeline: Timeline, frame: Frame): ArrowChoice {
  const context = timeline.canvas.getContext("2d")!;
  const scale = timeline.canvas.width / frame.width;
  const inks = currentInks();
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.fillStyle = inks.ground;
  context.fillRect(0, 0, frame.width, frame.height);
  context.font = kFont;
  context.textBaseline = "middle";

  paintGrid(context, frame, inks);
  clip(context, 0, frame.lanesTop, frame.width, frame.lanesHeight);
  paintLanes(context, timeline, frame, inks);
  context.restore();
  clip(context, frame.left, frame.lanesTop, frame.plotWidth, frame.lanesHeight);
  const arrows = paintArrows(context, timeline, frame, inks);
  context.restore();
  paintPaths(context, timeline, frame, inks);
  paintAxis(context, frame, inks);
  paintOverview(context, timeline, frame, inks);
  paintMarks(context, timeline, frame, inks);
  return arrows;
}

function clip(context: CanvasRenderingContext2D, x: number, y: number, width: number, height: number): void {
  context.save();
  context.beginPath();
  context.rect(x, y, width, height);
  context.clip();
}

function ticksOf(frame: Frame) {
  return timeTicks(frame.window.from, frame.window.to, Math.max(2, frame.plotWidth / 110));
}

function paintGrid(context: CanvasRenderingContext2D, frame: Frame, inks: Inks): void {
  context.fillStyle = inks.line;
  for (const tick of ticksOf(frame)) context.fillRect(Math.round(frame.x(tick.time)), frame.axisTop, 1, frame.height);
  // Nothing is before the run's begin and after its end.
  context.fillStyle = inks.band;
  const begin = frame.x(0);
  const end = frame.x(frame.window.end);
  if (begin > frame.left) context.fillRect(frame.left, frame.axisTop, begin - frame.left, frame.height);
  if (end < frame.width) context.fillRect(end, frame.axisTop, frame.width - end, frame.height);
}

function paintAxis(context: CanvasRenderingContext2D, frame: Frame, inks: Inks): void {
  context.font = kFont;
  context.fillStyle = inks.faint;
  context.textAlign = "left";
  context.fillText(`${timeText(frame.window.width)} wide`, 8, frame.axisTop + kAxisHeight / 2);
  context.fillStyle = inks.text;
  for (const tick of ticksOf(frame)) {
    const x = frame.x(tick.time);
    if (x + 60 < frame.width) context.fillText(tick.text, x + 4, frame.axisTop + kAxisHeight / 2);
  }
  context.fillStyle = inks.line;
  context.fillRect(0, frame.axisTop + kAxisHeight - 1, frame.width, 1);
  context.fillRect(0, frame.lanesTop - 1, frame.width, 1);
}

function paintOverview(context: CanvasRenderingContext2D, timeline: Timeline, frame: Frame, inks: Inks): void {
  context.drawImage(overviewPicture(timeline.model, frame, timeline.canvas.width / frame.width, inks), 0, 0, frame.width, kOverviewHeight);
  const x = (time: number) => frame.left + Math.min(1, Math.max(0, time / timeline.model.end)) * frame.plotWidth;
  const x1 = x(frame.window.from);
  const x2 = Math.max(x1 + 2, x(frame.window.to));
  context.globalAlpha = 0.72;
  context.fillStyle = inks.ground;
  context.fillRect(frame.left, 0, x1 - frame.left, kOverviewHeight - 3);
  context.fillRect(x2, 0, frame.width - x2, kOverviewHeight - 3);
  context.globalAlpha = 1;
  context.strokeStyle = inks.faint;
  context.lineWidth = 1;
  context.strokeRect(x1 + 0.5, 0.5, Math.max(1, x2 - x1 - 1), kOverviewHeight - 4);
  context.fillStyle = inks.line;
  context.fillRect(0, kOverviewHeight - 1, frame.width, 1);
}

function paintPaths(context: CanvasRenderingContext2D, timeline: Timeline, frame: Frame, inks: Inks): void {
  const several = timeline.model.documents.length > 1;
  timeline.model.paths.forEach((path, index) => {
    const top = frame.pathTop + index * kPathHeight;
    context.fillStyle = inks.ground;
    context.fillRect(0, top, frame.width, kPathHeight);
    context.font = kBoldFont;
    context.fillStyle = inks.text;
    context.textAlign = "left";
    context.fillText(several ? `${"AB"[path.run]} · critical path` : "critical path", 8, top + kPathHeight / 2);
    context.font = kFont;
    clip(context, frame.left, top, frame.plotWidth, kPathHeight);
    let drawnTo = -Infinity;
    for (const segment of path.segments) {
      if (segment.end < frame.window.from || segment.begin > frame.window.to) continue;
      const x1 = Math.max(frame.left, frame.x(segment.begin));
      const x2 = Math.min(frame.width, frame.x(segment.end));
      if (x2 - drawnTo < 0.5) continue; // of many in one pixel the first stands for all
      drawnTo = x2;
      const colour = causeColour(segment.cause);
      context.fillStyle = colour;
      context.fillRect(x1, top + 2, Math.max(0.5, x2 - x1), kPathHeight - 4);
      if (x2 - x1 > 30) paintLabel(context, segment.cause, x1, x2 - x1, top + kPathHeight / 2, colour);
    }
    context.restore();
  });
}

function paintLabel(context: CanvasRenderingContext2D, text: string, x: number, width: number, y: number, colour: string): void {
  const room = Math.floor((width - 6) / characterWidth(context));
  if (room < 2 || text === "") return;
  context.fillStyle = inkOn(colour);
  context.textAlign = "left";
  context.fillText(text.length > room ? `${text.slice(0, room - 1)}…` : text, x + 3, y);
}

let knownWidth = 0;

// On average, a little generous.
function characterWidth(context: CanvasRenderingContext2D): number {
  if (knownWidth === 0) knownWidth = (context.measureText("semaphore wait all_gather DMA 0123").width / 34) * 1.04;
  return knownWidth;
}

function paintLanes(context: CanvasRenderingContext2D, timeline: Timeline, frame: Frame, inks: Inks): void {
  const { layout } = timeline;
  const scale = timeline.canvas.width / frame.width;
  const bottom = timeline.scroll + frame.lanesHeight;
  const labels: Label[] = [];
  pictures.begin(Math.round(frame.plotWidth * scale));
  for (let i = layout.firstBelow(timeline.scroll); i < layout.strips.length && layout.strips[i].top < bottom; ++i) {
    const strip = layout.strips[i];
    if (strip.kind === "lane") paintLane(context, timeline, frame, strip, inks, scale, labels);
    else paintGroup(context, timeline, frame, strip, inks, scale);
  }
  pictures.paint(context, frame.left, frame.plotWidth);
  for (const { text, x, width, y, colour } of labels) paintLabel(context, text, x, width, y, colour);
}

interface Label {
  text: string;
  x: number;
  width: number;
  y: number;
  colour: string;
}

const pictures = new RowPictures();

function paintGroup(context: CanvasRenderingContext2D, timeline: Timeline, frame: Frame, strip: Strip, inks: Inks, scale: number): void {
  const { model, layout } = timeline;
  const group = model.groups[strip.group];
  const top = frame.y(strip.top);
  const run = model.documents.length > 1 ? `${"AB"[group.run]} · ` : "";
  context.fillStyle = inks.band;
  context.fillRect(0, top, strip.kind === "heading" ? frame.width : frame.left, strip.height - 1);
  context.fillStyle = inks.text;
  context.font = kBoldFont;
  context.textAlign = "left";
  const open = strip.kind === "heading";
  context.fillText(`${open ? "▾" : "▸"} ${fitting(run + group.name, frame.left - 24)}`, 8, top + strip.height / 2);
  context.font = kFont;
  if (open) return;
  context.fillStyle = inks.line;
  context.fillRect(frame.left, top + strip.height - 1, frame.plotWidth, 1);
  for (const lane of group.lanes) {
    const { rows } = model.lanes[lane];
    // In a miniature a lane is a line: that of its first row, the others are inside its spans.
    if (rows.length === 0) continue;
    const box = layout.rowBox(lane, 0)!;
    paintRow(pictures.line(frame.y(box.top), box.height), rows[0], frame, scale, styleOf(timeline, lane));
  }
}

function paintLane(
  context: CanvasRenderingContext2D, timeline: Timeline, frame: Frame, strip: Strip, inks: Inks, scale: number, labels: Label[],
): void {
  const { model, layout } = timeline;
  const lane = model.lanes[strip.lane];
  const top = frame.y(strip.top);
  context.fillStyle = inks.faint;
  context.textAlign = "left";
  context.fillText(fitting(lane.name, frame.left - 30), 24, top + strip.height / 2);
  context.fillStyle = laneColour(lane.kind);
  context.fillRect(frame.left - 4, top + 2, 3, strip.height - 4);
  const style = styleOf(timeline, strip.lane);
  const ink = packedColour(inks.text);
  const underline: RowStyle = { colour: () => ink };
  lane.rows.forEach((row, place) => {
    const box = layout.rowBox(strip.lane, place)!;
    const y = frame.y(box.top);
    if (y > frame.height || y + box.height < frame.lanesTop) return;
    const wide: WideSpan[] = [];
    paintRow(pictures.line(y, box.height), row, frame, scale, style, wide);
    if (timeline.lit && row.pathSpans) paintRow(pictures.line(y + box.height - 2, 2), row.pathSpans, frame, scale, underline);
    for (const { span, x, width } of wide) {
      const colour = lane.kind === "program" ? programColour(model.spans.name[span]) : laneColour(lane.kind);
      labels.push({ text: model.spanName(span), x, width, y: y + box.height / 2 + 0.5, colour });
    }
  });
}

function programColour(name: number): string {
  return kProgramColours[Math.max(0, name) % kProgramColours.length];
}

function styleOf(timeline: Timeline, lane: number): RowStyle {
  const { model, selection } = timeline;
  const fixed = packedColour(laneColour(model.lanes[lane].kind));
  const colour = model.lanes[lane].kind === "program" ? (span: number) => packedColour(programColour(model.spans.name[span])) : () => fixed;
  const found = selection.isFound;
  if (found) return { colour, strength: (span) => found[span] };
  if (timeline.lit) return { colour, strength: (span) => (model.onPath[span] ? 1 : kOffPath) };
  return { colour };
}

function paintArrows(context: CanvasRenderingContext2D, timeline: Timeline, frame: Frame, inks: Inks): ArrowChoice {
  const { model, selection, layout } = timeline;
  if (timeline.arrowMode === "none" || model.arrowCount === 0) return { drawn: [], visible: 0 };
  const chosen = (arrow: number) => {
    const { from, to } = model.arrows;
    return [selection.span, timeline.hover].some((span) => span >= 0 && (from[arrow] === span || to[arrow] === span));
  };
  const onPath = (arrow: number) => timeline.lit && model.onPath[model.arrows.from[arrow]] && model.onPath[model.arrows.to[arrow]];
  const choice = chooseArrows(
    model.spans,
    model.arrows,
    {
      from: frame.window.from,
      to: frame.window.to,
      x: (time) => frame.x(time),
      y: (span) => frame.y(layout.rowMiddle(model.spans.lane[span], model.rowOf[span])),
      top: frame.lanesTop,
      bottom: frame.height,
    },
    chosen,
  );
  const strong = choice.drawn.filter((place) => chosen(place.arrow));
  const lit = choice.drawn.filter((place) => !chosen(place.arrow) && onPath(place.arrow));
  if (timeline.arrowMode === "all") {
    const plain = choice.drawn.filter((place) => !chosen(place.arrow) && !onPath(place.arrow));
    const alpha = Math.min(0.55, Math.max(0.1, 25 / Math.sqrt(plain.length + 1) / 10)) * (timeline.lit || selection.isFound ? 0.7 : 1);
    strokeArrows(context, plain, inks.text, 1, alpha, plain.length < 400);
  }
  const crowded = lit.length > kMostLit;
  strokeArrows(context, lit, inks.text, crowded ? 0.8 : 1.6, crowded ? 0.3 : 0.9, !crowded);
  strokeArrows(context, strong, inks.accent, 2, 1, true);
  return timeline.arrowMode === "all" ? choice : { drawn: [...lit, ...strong], visible: choice.visible };
}

function strokeArrows(context: CanvasRenderingContext2D, places: ArrowPlace[], colour: string, width: number, alpha: number, heads: boolean): void {
  if (places.length === 0) return;
  context.globalAlpha = alpha;
  context.strokeStyle = colour;
  context.fillStyle = colour;
  context.lineWidth = width;
  context.beginPath();
  for (const { x1, y1, x2, y2 } of places) {
    context.moveTo(x1, y1);
    context.lineTo(x2, y2);
  }
  context.stroke();
  if (heads) for (const place of places) paintHead(context, place);
  context.globalAlpha = 1;
}

function paintHead(context: CanvasRenderingContext2D, { x1, y1, x2, y2 }: ArrowPlace): void {
  const length = Math.hypot(x2 - x1, y2 - y1);
  if (length < 8) return;
  const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
  context.beginPath();
  context.moveTo(x2, y2);
  context.lineTo(x2 - 6 * dx + 3 * dy, y2 - 6 * dy - 3 * dx);
  context.lineTo(x2 - 6 * dx - 3 * dy, y2 - 6 * dy + 3 * dx);
  context.fill();
}

function paintMarks(context: CanvasRenderingContext2D, timeline: Timeline, frame: Frame, inks: Inks): void {
  const { mark, pointer, selection, hover } = timeline;
  clip(context, frame.left, frame.axisTop, frame.plotWidth, frame.height);
  if (mark) {
    const x1 = frame.x(Math.min(mark.from, mark.to));
    const x2 = frame.x(Math.max(mark.from, mark.to));
    context.globalAlpha = 0.16;
    context.fillStyle = inks.accent;
    context.fillRect(x1, frame.axisTop, x2 - x1, frame.height);
    context.globalAlpha = 1;
    context.font = kBoldFont;
    context.textAlign = "center";
    context.fillText(timeText(Math.abs(mark.to - mark.from)), (x1 + x2) / 2, frame.height - 12);
  }
  if (pointer && pointer.x > frame.left) {
    context.fillStyle = inks.faint;
    context.fillRect(Math.round(pointer.x), frame.axisTop, 1, frame.height);
  }
  context.restore();
  clip(context, frame.left, frame.lanesTop, frame.plotWidth, frame.lanesHeight);
  for (const span of [hover, selection.span]) {
    const box = span >= 0 ? timeline.rectangle(span) : undefined;
    if (!box) continue;
    context.strokeStyle = span === selection.span ? inks.accent : inks.text;
    context.lineWidth = span === selection.span ? 2.5 : 1;
    context.strokeRect(box.x - 0.5, box.y - 0.5, Math.max(2, box.width), box.height + 1);
  }
  context.restore();
}

function fitting(text: string, width: number): string {
  const room = Math.floor(width / 6.4);
  return text.length > room ? `${text.slice(0, Math.max(1, room - 1))}…` : text;
}
