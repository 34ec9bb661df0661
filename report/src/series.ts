// All that can be plotted over time: the series that were recorded, the use of links by direction, and how many lanes
// of each kind are busy.

import type { ReportDocument } from "./data.ts";
import { directionsOf, LinkUse, meanUse } from "./link_use.ts";
import { kLaneKindNames } from "./palette.ts";
import type { Model } from "./model.ts";

export interface PlotSeries {
  name: string;
  unit: string;
  times: number[]; // ps; a value holds until the next
  values: number[];
}

export function seriesOf(model: Model): PlotSeries[] {
  const all: PlotSeries[] = [];
  model.documents.forEach((document, run) => {
    const prefix = model.documents.length > 1 ? `${"AB"[run]} · ` : "";
    all.push(...linkSeries(document, prefix));
    for (const each of document.series ?? []) {
      const group = typeof each.group === "number" ? document.groups[each.group]?.name : each.group;
      all.push({
        name: `${prefix}${group ? `${group} · ` : ""}${each.name}`,
        unit: each.unit,
        times: each.t,
        values: each.v,
      });
    }
  });
  all.push(...activitySeries(model));
  return all;
}

function linkSeries(document: ReportDocument, prefix: string): PlotSeries[] {
  if (!document.pod || !document.links_use) return [];
  const use = new LinkUse(document);
  const times = Array.from({ length: use.slices }, (_, slice) => slice * use.width);
  return directionsOf(document.pod).map(({ name, links }) => ({
    name: `${prefix}links ${name}, mean use`,
    unit: "%",
    times,
    values: times.map((_, slice) => 100 * meanUse(use, links, slice)),
  }));
}

function activitySeries(model: Model): PlotSeries[] {
  const { kinds, shares } = model.overview;
  const slices = shares[0]?.length ?? 0;
  const times = Array.from({ length: slices }, (_, slice) => (slice * model.end) / slices);
  return kinds.map((kind, index) => ({
    name: `${kLaneKindNames[kind]} lanes busy, all chips`,
    unit: "% of its busiest moment",
    times,
    values: Array.from(shares[index], (share) => 100 * share),
  }));
}
