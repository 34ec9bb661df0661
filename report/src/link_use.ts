// How busy links are: over a slice of the run, over all of it, and taken together by direction.

import type { PodData, ReportDocument } from "./data.ts";

export class LinkUse {
  readonly slices: number;
  readonly width: number; // ps a slice
  readonly whole: Float64Array; // of each link, mean over the run
  private readonly use: number[][]; // by slice, then by link

  constructor(document: ReportDocument) {
    const given = document.links_use;
    const links = document.pod?.links.length ?? 0;
    this.slices = given?.slices ?? 0;
    this.width = given?.width ?? 0;
    this.use = given?.use ?? [];
    this.whole = new Float64Array(links);
    // The last slice may be cut short by the run's end.
    const weight = (slice: number) => Math.max(0, Math.min(this.width, document.end - slice * this.width));
    let weights = 0;
    for (let slice = 0; slice < this.slices; ++slice) weights += weight(slice);
    for (let link = 0; link < links; ++link) {
      let sum = 0;
      for (let slice = 0; slice < this.slices; ++slice) sum += (this.use[slice]?.[link] ?? 0) * weight(slice);
      this.whole[link] = weights > 0 ? sum / weights : 0;
    }
  }

  // `slice`: -1 for the whole run.
  at(link: number, slice: number): number {
    return slice < 0 ? this.whole[link] : (this.use[slice]?.[link] ?? 0);
  }
}

export interface Direction {
  name: string; // "x+"
  links: number[];
}

// Links that leave in the same direction; all in one of a pod that has no axes.
export function directionsOf(pod: PodData): Direction[] {
  const directions = new Map<string, number[]>();
  pod.links.forEach((link, index) => {
    const name = link.axis ? `${link.axis}${link.direction ?? ""}` : "all links";
    if (!directions.has(name)) directions.set(name, []);
    directions.get(name)!.push(index);
  });
  return [...directions].map(([name, links]) => ({ name, links })).sort((a, b) => (a.name < b.name ? -1 : 1));
}

export function meanUse(use: LinkUse, links: number[], slice: number): number {
  return links.reduce((sum, link) => sum + use.at(link, slice), 0) / Math.max(1, links.length);
}

export function mostUse(use: LinkUse, links: number[], slice: number): number {
  return links.reduce((most, link) => Math.max(most, use.at(link, slice)), 0);
}

export function placeText(pod: PodData, chip: number): string {
  const found = pod.chips[chip]?.id === chip ? pod.chips[chip] : pod.chips.find((each) => each.id === chip);
  return found && found.coordinates.length > 0 ? `${chip} (${found.coordinates.join(",")})` : String(chip);
}
