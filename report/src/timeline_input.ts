// Mouse and touch on the timeline. The wheel zooms about the pointer, over the names it scrolls; dragging moves both
// time and lanes, with shift it marks a stretch of time, on the overview it moves the window.

import { kOverviewHeight } from "./frame.ts";
import type { Timeline } from "./timeline.ts";

const kDragStart = 4; // pixels before a press is a drag

type Drag = "none" | "press" | "move" | "mark" | "overview";

export function attachInput(timeline: Timeline, onHover: () => void): void {
  const { canvas } = timeline;
  let drag: Drag = "none";
  let last = { x: 0, y: 0 };
  let pressed = { x: 0, y: 0 };

  const place = (event: MouseEvent) => {
    const box = canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  const centreOn = (x: number) => {
    const frame = timeline.frame();
    const time = ((x - frame.left) / frame.plotWidth) * timeline.model.end;
    timeline.window.pan(time - (timeline.window.from + timeline.window.to) / 2);
    timeline.redraw();
  };

  canvas.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      const { x } = place(event);
      const frame = timeline.frame();
      const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
      const [dx, dy] = [event.deltaX * lines, event.deltaY * lines];
      if (x < frame.left && !event.ctrlKey) timeline.scrollBy(dy);
      else if (event.shiftKey) timeline.pan((dx || dy) / frame.plotWidth);
      else if (event.altKey) timeline.scrollBy(dy);
      else {
        if (Math.abs(dx) > Math.abs(dy)) timeline.pan(dx / frame.plotWidth);
        else timeline.zoom(2 ** (dy / 240), frame.time(Math.max(frame.left, x)));
      }
    },
    { passive: false },
  );

  canvas.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    canvas.setPointerCapture(event.pointerId);
    pressed = last = place(event);
    const frame = timeline.frame();
    if (last.y < kOverviewHeight && last.x >= frame.left) {
      drag = "overview";
      centreOn(last.x);
    } else if (event.shiftKey && last.x >= frame.left) {
      drag = "mark";
      timeline.mark = { from: frame.time(last.x), to: frame.time(last.x) };
    } else {
      drag = "press";
    }
  });

  canvas.addEventListener("pointermove", (event) => {
    const at = place(event);
    const frame = timeline.frame();
    timeline.pointer = at;
    if (drag === "press" && Math.hypot(at.x - pressed.x, at.y - pressed.y) > kDragStart) drag = "move";
    if (drag === "overview") centreOn(at.x);
    if (drag === "mark" && timeline.mark) timeline.mark.to = frame.time(Math.max(frame.left, at.x));
    if (drag === "move") {
      timeline.pan((last.x - at.x) / frame.plotWidth);
      timeline.scrollBy(last.y - at.y);
    }
    timeline.hover = drag === "none" || drag === "press" ? timeline.spanAt(at.x, at.y) : -1;
    canvas.classList.toggle("grabbing", drag === "move");
    last = at;
    onHover();
    timeline.redraw();
  });

  canvas.addEventListener("pointerup", (event) => {
    const at = place(event);
    if (drag === "press") click(timeline, at.x, at.y);
    if (drag === "mark" && timeline.mark) {
      const { from, to } = timeline.mark;
      timeline.mark = from === to ? undefined : { from: Math.min(from, to), to: Math.max(from, to) };
    }
    drag = "none";
    canvas.classList.remove("grabbing");
    timeline.redraw();
  });

  canvas.addEventListener("pointerleave", () => {
    timeline.pointer = undefined;
    timeline.hover = -1;
    onHover();
    timeline.redraw();
  });

  canvas.addEventListener("dblclick", (event) => {
    const at = place(event);
    if (timeline.spanAt(at.x, at.y) >= 0) timeline.zoomToChosen();
  });
}

function click(timeline: Timeline, x: number, y: number): void {
  timeline.mark = undefined;
  const strip = timeline.stripAt(y);
  const onName = x < timeline.frame().left;
  if (strip && (strip.kind === "heading" || (onName && strip.kind === "miniature"))) {
    timeline.toggleGroup(strip.group);
    return;
  }
  if (strip && onName) {
    timeline.toggleLane(strip.lane);
    return;
  }
  timeline.selection.select(timeline.spanAt(x, y));
  timeline.redraw();
}
