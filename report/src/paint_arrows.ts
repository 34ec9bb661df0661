// Arrows between spans: plain ones the paler the more there are, those of the critical path while it is lit, those of
// the span that is selected or under the pointer.

import { chooseArrows, type ArrowChoice, type ArrowPlace } from "./arrows.ts";
import type { Frame } from "./frame.ts";
import type { Inks } from "./theme.ts";
import type { Timeline } from "./timeline.ts";

const kMostLit = 60; // arrows that can be told apart

export function paintArrows(
  context: CanvasRenderingContext2D,
  timeline: Timeline,
  frame: Frame,
  inks: Inks,
): ArrowChoice {
  const { model, selection, layout } = timeline;
  if (timeline.arrowMode === "none" || model.arrowCount === 0) return { drawn: [], visible: 0 };
  const chosen = (arrow: number) => {
    const { from, to } = model.arrows;
    return [selection.span, timeline.hover].some((span) => span >= 0 && (from[arrow] === span || to[arrow] === span));
  };
  const onPath = (arrow: number) =>
    timeline.lit && model.onPath[model.arrows.from[arrow]] && model.onPath[model.arrows.to[arrow]];
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
    const alpha =
      Math.min(0.55, Math.max(0.1, 25 / Math.sqrt(plain.length + 1) / 10)) *
      (timeline.lit || selection.isFound ? 0.7 : 1);
    strokeArrows(context, plain, inks.text, 1, alpha, plain.length < 400);
  }
  const crowded = lit.length > kMostLit;
  strokeArrows(context, lit, inks.text, crowded ? 0.8 : 1.6, crowded ? 0.3 : 0.9, !crowded);
  strokeArrows(context, strong, inks.accent, 2, 1, true);
  return timeline.arrowMode === "all" ? choice : { drawn: [...lit, ...strong], visible: choice.visible };
}

function strokeArrows(
  context: CanvasRenderingContext2D,
  places: ArrowPlace[],
  colour: string,
  width: number,
  alpha: number,
  heads: boolean,
): void {
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
