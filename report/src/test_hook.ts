// For tests of the page, and for whoever wants to script it in the browser's console: where things are drawn and how
// long it takes.

import type { Model } from "./model.ts";
import type { Timeline } from "./timeline.ts";

export interface TestHook {
  loadTime: number; // ms from the script's start to a page that can be used
  model: Model;
  timeline: Timeline;
  // In pixels of the browser's window.
  spanBox(span: number): { x: number; y: number; width: number; height: number } | undefined;
  // Draws one picture and waits until it really is drawn; ms.
  frameTime(): number;
}

export function offerTestHook(model: Model, timeline: Timeline, loadTime: number): void {
  const reader = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true })!;
  const hook: TestHook = {
    loadTime,
    model,
    timeline,
    spanBox(span) {
      const box = timeline.rectangle(span);
      const canvas = timeline.canvas.getBoundingClientRect();
      return box && { ...box, x: box.x + canvas.left, y: box.y + canvas.top };
    },
    frameTime() {
      const began = performance.now();
      timeline.drawNow();
      // A pixel that depends on the picture can't be read before that is drawn.
      reader.drawImage(timeline.canvas, 0, 0, 1, 1);
      reader.getImageData(0, 0, 1, 1);
      return performance.now() - began;
    },
  };
  (window as unknown as { podsimReport: TestHook }).podsimReport = hook;
}
