// The parts that a report has: those that there is data for.

import { criticalPathSection } from "./critical_path.ts";
import { append } from "./dom.ts";
import type { Model } from "./model.ts";
import type { Part } from "./tabs.ts";
import type { Timeline } from "./timeline.ts";
import type { TimelinePart } from "./timeline_part.ts";

export function partsOfReport(model: Model, timeline: Timeline, timelinePart: TimelinePart, go: (span: number) => void): Part[] {
  const parts: Part[] = [
    { id: "timeline", title: "Timeline", build: (into) => timelinePart.build(into), onShow: () => timeline.redraw() },
  ];
  if (model.paths.length > 0) {
    parts.push({ id: "critical-path", title: "Critical path", build: (into) => append(into, criticalPathSection(model, go)) });
  }
  return parts;
}
