// Which arrows are drawn. A screen has room for some thousand: of those that would lie on top of each other the longest
// stays.

import type { Arrows, Spans } from "./model.ts";

export const kMostArrows = 3000;

const kMostCells = 1 << 14; // of a screen's side

export interface ArrowPlace {
  arrow: number;
  x1: number;
  y1: number;
  x2: number;
  y2: number;
}

export interface ArrowChoice {
  drawn: ArrowPlace[];
  visible: number; // arrows that cross the window
}

export interface ArrowFrame {
  from: number; // the window's times
  to: number;
  x(time: number): number;
  // The middle of where a span is drawn, in pixels; NaN where it is not shown.
  y(span: number): number;
  top: number; // of what is on screen, in pixels
  bottom: number;
}

// An arrow leads from its source's end to its target's begin. `always`: arrows kept whatever else is there.
export function chooseArrows(
  spans: Spans,
  arrows: Arrows,
  frame: ArrowFrame,
  always: (arrow: number) => boolean = () => false,
  most = kMostArrows,
): ArrowChoice {
  const places: ArrowPlace[] = [];
  for (let arrow = 0; arrow < arrows.from.length; ++arrow) {
    const source = arrows.from[arrow];
    const target = arrows.to[arrow];
    const begin = spans.end[source];
    const end = spans.begin[target];
    if (Math.max(begin, end) < frame.from || Math.min(begin, end) > frame.to) continue;
    const y1 = frame.y(source);
    const y2 = frame.y(target);
    if (Number.isNaN(y1) || Number.isNaN(y2)) continue;
    if (Math.max(y1, y2) < frame.top || Math.min(y1, y2) > frame.bottom) continue;
    places.push({ arrow, x1: frame.x(begin), y1, x2: frame.x(end), y2 });
  }
  return { drawn: thin(places, always, most), visible: places.length };
}

function thin(places: ArrowPlace[], always: (arrow: number) => boolean, most: number): ArrowPlace[] {
  let kept = places;
  for (let cell = 4; kept.length > most && cell <= 4096; cell *= 2) kept = longestPerCell(kept, always, cell);
  return kept;
}

// Of the arrows that begin and end in the same cells of the screen, the longest; in the order they came in.
function longestPerCell(places: ArrowPlace[], always: (arrow: number) => boolean, cell: number): ArrowPlace[] {
  const best = new Map<number, number>();
  const keep = new Uint8Array(places.length);
  const length = (place: ArrowPlace) => Math.abs(place.x2 - place.x1);
  // Cells on screen, and one beyond on either side.
  const at = (pixels: number) => Math.min(kMostCells - 1, Math.max(0, Math.floor(pixels / cell) + 1));
  places.forEach((place, index) => {
    if (always(place.arrow)) {
      keep[index] = 1;
      return;
    }
    const key = (at(place.x1) * kMostCells + at(place.y1)) * kMostCells + at(place.y2);
    const other = best.get(key);
    if (other === undefined || length(places[other]) < length(place)) best.set(key, index);
  });
  for (const index of best.values()) keep[index] = 1;
  return places.filter((_, index) => keep[index] === 1);
}
