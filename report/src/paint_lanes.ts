// The lanes that are on screen: headings of groups, miniatures of collapsed ones, rows of spans with their names.

import { fitting, kBoldFont, kFont, paintLabel } from "./canvas_text.ts";
import type { Frame } from "./frame.ts";
import type { Strip } from "./lanes.ts";
import { laneColour } from "./palette.ts";
import { packedColour, paintRow, type RowStyle, type WideSpan } from "./paint_row.ts";
import { RowPictures } from "./row_pictures.ts";
import type { Inks } from "./theme.ts";
import type { Timeline } from "./timeline.ts";

const kMiniatureRows = 3;
const kLeastForName = 12; // pixels of a row
const kOffPath = 0.6; // strength of what is not on the critical path while that is lit

// Steps and collectives differ in lightness only, so that the colours of hardware keep their meaning.
const kProgramColours = ["#8b93a1", "#aab1bd", "#6e7684", "#c3c8d1", "#59606c"];

export function paintLanes(context: CanvasRenderingContext2D, timeline: Timeline, frame: Frame, inks: Inks): void {
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

function paintGroup(
  context: CanvasRenderingContext2D,
  timeline: Timeline,
  frame: Frame,
  strip: Strip,
  inks: Inks,
  scale: number,
): void {
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
    // In a miniature a lane is a line, its first row above the others.
    if (rows.length === 0) continue;
    const box = layout.rowBox(lane, 0)!;
    const line = pictures.line(frame.y(box.top), box.height);
    const style = styleOf(timeline, lane);
    for (const row of rows.slice(0, kMiniatureRows).reverse()) paintRow(line, row, frame, scale, style);
  }
}

function paintLane(
  context: CanvasRenderingContext2D,
  timeline: Timeline,
  frame: Frame,
  strip: Strip,
  inks: Inks,
  scale: number,
  labels: Label[],
): void {
  const { model, layout } = timeline;
  const lane = model.lanes[strip.lane];
  const top = frame.y(strip.top);
  context.fillStyle = inks.faint;
  context.textAlign = "left";
  context.fillText(fitting(lane.name, frame.left - 30), 24, top + strip.height / 2);
  if (layout.hasManyRows(strip.lane))
    context.fillText(layout.isHigh(strip.lane) ? "▾" : "▸", 13, top + strip.height / 2);
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
    const underlined = box.height < kLeastForName ? 1.5 : 2;
    paintRow(pictures.line(y, box.height), row, frame, scale, style, wide);
    if (timeline.lit && row.pathSpans)
      paintRow(pictures.line(y + box.height - underlined, underlined), row.pathSpans, frame, scale, underline);
    if (box.height < kLeastForName) return;
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
  const colour =
    model.lanes[lane].kind === "program"
      ? (span: number) => packedColour(programColour(model.spans.name[span]))
      : () => fixed;
  const found = selection.isFound;
  if (found) return { colour, strength: (span) => found[span] };
  if (timeline.lit) return { colour, strength: (span) => (model.onPath[span] ? 1 : kOffPath) };
  return { colour };
}
