// Text on the canvas, and the part of it that may be painted.

import { inkOn } from "./palette.ts";

export const kFont = "11px system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif";
export const kBoldFont = `600 ${kFont}`;

export function clip(context: CanvasRenderingContext2D, x: number, y: number, width: number, height: number): void {
  context.save();
  context.beginPath();
  context.rect(x, y, width, height);
  context.clip();
}

// A name inside a span, as much of it as there is room for.
export function paintLabel(
  context: CanvasRenderingContext2D,
  text: string,
  x: number,
  width: number,
  y: number,
  colour: string,
): void {
  const room = Math.floor((width - 6) / characterWidth(context));
  if (room < 2 || text === "") return;
  context.fillStyle = inkOn(colour);
  context.textAlign = "left";
  context.fillText(text.length > room ? `${text.slice(0, room - 1)}…` : text, x + 3, y);
}

const kNameCharacter = 6.4; // pixels, about

let knownWidth = 0;

// On average, a little generous.
function characterWidth(context: CanvasRenderingContext2D): number {
  if (knownWidth === 0) knownWidth = (context.measureText("semaphore wait all_gather DMA 0123").width / 34) * 1.04;
  return knownWidth;
}

// As much of a name as there is room for on the left.
export function fitting(text: string, width: number): string {
  const room = Math.floor(width / kNameCharacter);
  return text.length > room ? `${text.slice(0, Math.max(1, room - 1))}…` : text;
}
