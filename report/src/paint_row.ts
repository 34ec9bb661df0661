// A row of spans as one line of pixels. What is narrower than a pixel is merged with its neighbours into one as strong
// as that pixel is busy: a frame costs as much as there are pixels, however many spans there are.

import type { Frame } from "./frame.ts";
import type { Row } from "./rows.ts";

export interface RowStyle {
  colour(span: number): number; // 0xbbggrr
  // 0: stands back; 1: as ever. Undefined where all spans are alike.
  strength?: (span: number) => number;
}

// A span wide enough to have a name inside.
export interface WideSpan {
  span: number;
  x: number;
  width: number;
}

export const kLabelWidth = 26;

const kStandBack = 0.28;
const kLeast = 0.5; // of a pixel in which something, however little, happens
const kGap = 0.6; // between spans that touch, where there is room for it
const kFewSpans = 12;

// Writes into `pixels`, `scale` of them to a pixel of the page, the first of them at the frame's left. `wide`, if
// given, receives the spans that have room for a name.
export function paintRow(
  pixels: Uint32Array,
  row: Row,
  frame: Frame,
  scale: number,
  style: RowStyle,
  wide?: WideSpan[],
): void {
  const { begins, ends, spans } = row;
  const { from, to } = frame.window;
  const perTime = (frame.plotWidth * scale) / frame.window.width;
  const count = pixels.length;
  const strengthOf = (span: number) => (style.strength ? kStandBack + (1 - kStandBack) * style.strength(span) : 1);
  let place = row.firstEndingAfter(from);
  while (place < row.length && begins[place] < to) {
    const span = spans[place];
    const x1 = (begins[place] - from) * perTime;
    const x2 = (ends[place] - from) * perTime;
    if (x2 - x1 >= 1) {
      fill(
        pixels,
        Math.max(0, x1),
        Math.min(count, x2 - x1 > 3 ? x2 - kGap * scale : x2),
        style.colour(span),
        strengthOf(span),
      );
      if (wide && x2 - x1 >= kLabelWidth * scale) {
        const shown = Math.max(0, x1);
        wide.push({ span, x: frame.left + shown / scale, width: (Math.min(count, x2) - shown) / scale });
      }
      ++place;
      continue;
    }
    const pixel = Math.max(0, Math.floor(x1));
    const begin = from + pixel / perTime;
    const end = from + (pixel + 1) / perTime;
    // The spans of this pixel, and how much of it they take: one by one if they are few.
    let busy = 0;
    let next = place;
    while (next < row.length && ends[next] <= end && next - place < kFewSpans) {
      busy += ends[next] - Math.max(begin, begins[next]);
      ++next;
    }
    if (next - place === kFewSpans) {
      next = row.firstEndingAfter(end, next);
      busy = row.busy(begin, end);
    }
    next = Math.max(place + 1, next);
    let strongest = span;
    let strength = strengthOf(span);
    if (style.strength) {
      for (let i = place + 1; i < next; ++i) {
        const other = strengthOf(spans[i]);
        if (other > strength) [strongest, strength] = [spans[i], other];
      }
    }
    if (pixel < count)
      add(
        pixels,
        pixel,
        style.colour(strongest),
        strength * (kLeast + (1 - kLeast) * Math.min(1, busy / (end - begin))),
      );
    place = next;
  }
}

function fill(pixels: Uint32Array, x1: number, x2: number, colour: number, strength: number): void {
  const first = Math.floor(x1);
  const last = Math.floor(x2);
  if (first === last) {
    add(pixels, first, colour, strength * (x2 - x1));
    return;
  }
  add(pixels, first, colour, strength * (first + 1 - x1));
  const whole = pack(colour, strength);
  for (let pixel = first + 1; pixel < last; ++pixel) pixels[pixel] = whole;
  add(pixels, last, colour, strength * (x2 - last));
}

// Two that share a pixel: the colour of the stronger, and as strong as both.
function add(pixels: Uint32Array, pixel: number, colour: number, strength: number): void {
  if (pixel >= pixels.length) return;
  const before = (pixels[pixel] >>> 24) / 255;
  pixels[pixel] = pack(before > strength ? pixels[pixel] & 0xffffff : colour, Math.min(1, before + strength));
}

function pack(colour: number, strength: number): number {
  return ((Math.round(strength * 255) << 24) | colour) >>> 0;
}

// "#rrggbb" as 0xbbggrr: bytes lie in memory in the order red, green, blue, strength.
export function packedColour(colour: string): number {
  const value = parseInt(colour.slice(1), 16);
  return ((value & 0xff) << 16) | (value & 0xff00) | (value >> 16);
}
