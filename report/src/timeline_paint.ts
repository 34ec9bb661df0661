// One picture of the timeline.

import { type ArrowChoice } from "./arrows.ts";
import { clip, kBoldFont, kFont, paintLabel } from "./canvas_text.ts";
import { kAxisHeight, kOverviewHeight, kPathHeight, type Frame } from "./frame.ts";
import { overviewPicture } from "./overview_picture.ts";
import { paintArrows } from "./paint_arrows.ts";
import { paintLanes } from "./paint_lanes.ts";
import { causeColour } from "./palette.ts";
import { currentInks, type Inks } from "./theme.ts";
import type { Timeline } from "./timeline.ts";
import { timeText, timeTicks } from "./units.ts";

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
  context.drawImage(
    overviewPicture(timeline.model, frame, timeline.canvas.width / frame.width, inks),
    0,
    0,
    frame.width,
    kOverviewHeight,
  );
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
