// The parts that a report has: those that there is data for.

import { breakdownSection } from "./breakdown.ts";
import { compareSection } from "./compare.ts";
import { criticalPathSection } from "./critical_path.ts";
import { append, h } from "./dom.ts";
import { failureOf, failureSection } from "./failure.ts";
import { hasHeatmap, Heatmap } from "./heatmap.ts";
import type { Model } from "./model.ts";
import { Plots } from "./plots.ts";
import { hasRoofline, rooflineSection } from "./roofline.ts";
import { tablesSection } from "./tables.ts";
import type { Part } from "./tabs.ts";
import type { Timeline } from "./timeline.ts";
import type { TimelinePart } from "./timeline_part.ts";

export interface Way {
  toSpan: (span: number) => void;
  toTimeline: () => void;
}

export function partsOfReport(model: Model, timeline: Timeline, timelinePart: TimelinePart, way: Way): Part[] {
  const parts: Part[] = [];
  if (failureOf(model)) {
    parts.push({
      id: "failure",
      title: "Failure",
      build: (into) => append(into, failureSection(model, timeline, way.toTimeline)),
    });
  }
  parts.push({
    id: "timeline",
    title: "Timeline",
    build: (into) => timelinePart.build(into),
    onShow: () => timeline.redraw(),
  });
  if (model.documents.length > 1)
    parts.push({ id: "compare", title: "Comparison", build: (into) => append(into, compareSection(model)) });
  if (model.paths.length > 0) {
    parts.push({
      id: "critical-path",
      title: "Critical path",
      build: (into) => append(into, criticalPathSection(model, way.toSpan)),
    });
  }
  if (model.documents.some(hasHeatmap))
    parts.push({ id: "links", title: "Links", build: (into) => append(into, heatmaps(model)) });
  if (model.documents.some((document) => (document.run.results?.length ?? 0) > 0)) {
    parts.push({
      id: "steps",
      title: "Steps",
      build: (into) => append(into, breakdownSection(model, timeline, way.toTimeline)),
    });
  }
  if (hasRoofline(model))
    parts.push({ id: "roofline", title: "Roofline", build: (into) => append(into, rooflineSection(model)) });
  parts.push(
    { id: "plots", title: "Plots", build: (into) => into.append(new Plots(model, timeline).element) },
    {
      id: "tables",
      title: "Tables",
      build: (into) => append(into, tablesSection(model, timeline.selection, way.toSpan)),
    },
  );
  return parts;
}

function heatmaps(model: Model): HTMLElement[] {
  return model.documents.flatMap((document, run) => {
    if (!hasHeatmap(document)) return [];
    const map = new Heatmap(document).element;
    return model.documents.length > 1 ? [h("h3", {}, `${"AB"[run]}: ${model.names[run]}`), map] : [map];
  });
}
