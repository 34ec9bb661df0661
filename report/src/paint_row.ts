// Draws a row of spans. What is narrower than a pixel is merged with its neighbours into a column as strong as that pixel is busy, so
// that a frame costs as much as there are pixels, however many spans there are.

import type { Frame } from "./frame.ts";
import type { Row } from "./rows.ts";

export interface RowStyle {
  colour(span: number): string;
  // 0: stands back; 1: as ever. Undefined where all spans are alike.
  strength?: (span: number) => number;
  // Called for spans wide enough to have a name inside.
  label?: (span: number, x: number, width: number, colour: string) => void;
  // Called for each span drawn by itself.
  outline?: (span: number, x: number, width: number) => void;
}

const kStandBack = 0.28;
const kLabelWidth = 26;

export function paintRow(context: CanvasRenderingContext2D, row: Row, frame: Frame, top: number, height: number, style: RowStyle): void {
  const { from, to } = frame.window;
  const { begins, ends, spans } = row;
  const strengthOf = (span: number) => (style.strength ? kStandBack + (1 - kStandBack) * style.strength(span) : 1);
  let place = row.firstEndingAfter(from);
  while (place < row.length && begins[place] < to) {
    const x1 = Math.max(frame.left, frame.x(begins[place]));
    const x2 = Math.min(frame.width, frame.x(ends[place]));
    if (x2 - x1 >= 1) {
      const span = spans[place];
      const colour = style.colour(span);
      context.globalAlpha = strengthOf(span);
      context.fillStyle = colour;
      // A gap between spans that touch, where there is room for it.
      const width = x2 - x1 > 3 ? x2 - x1 - 0.6 : x2 - x1;
      context.fillRect(x1, top, width, height);
      if (style.label && x2 - x1 >= kLabelWidth) style.label(span, x1, x2 - x1, colour);
      if (style.outline) style.outline(span, x1, width);
      ++place;
      continue;
    }
    const pixel = Math.floor(x1);
    const begin = frame.time(pixel);
    const end = frame.time(pixel + 1);
    const next = Math.max(place + 1, row.firstEndingAfter(end, place));
    let strongest = spans[place];
    let strength = strengthOf(strongest);
    if (style.strength) {
      for (let i = place + 1; i < next; ++i) {
        const other = strengthOf(spans[i]);
        if (other > strength) [strongest, strength] = [spans[i], other];
      }
    }
    context.globalAlpha = strength * (0.35 + 0.65 * Math.min(1, row.busy(begin, end) / (end - begin)));
    context.fillStyle = style.colour(strongest);
    context.fillRect(pixel, top, 1, height);
    if (style.outline && strength === 1) style.outline(strongest, pixel, 1);
    place = next;
  }
  context.globalAlpha = 1;
}
