// The torus heat map: how busy each link is, in the whole run or a slice of it.

import type { PodData, ReportDocument } from "./data.ts";
import { h, replace, svg } from "./dom.ts";
import {
  axisName,
  isTorus,
  layoutHeatmap,
  planeCount,
  type HeatmapLayout,
  type PlaneChoice,
} from "./heatmap_layout.ts";
import { directionsOf, LinkUse, meanUse, mostUse, placeText, type Direction } from "./link_use.ts";
import { amountColour } from "./palette.ts";
import { onPrint } from "./printing.ts";
import { sortedTable } from "./table.ts";
import { isDark, onTheme } from "./theme.ts";
import { UseStrip } from "./use_strip.ts";
import { bytesText, countText, percentText, rateText, timeText } from "./units.ts";

const kMostChips = 1024; // drawn at once
const kNodeWithText = 15; // pixels
const kPlayStep = 120; // ms

export class Heatmap {
  readonly element = h("div", { class: "heatmap" });
  slice = -1; // the whole run

  private readonly pod: PodData;
  private readonly use: LinkUse;
  private readonly directions: Direction[];
  private readonly map = h("div", { class: "map" });
  private readonly table = h("div", { class: "directions" });
  private readonly caption = h("p", { class: "caption", "aria-live": "polite" });
  private readonly when = h("output", { class: "when" });
  private readonly playButton = h("button", { title: "Play", onclick: () => this.play() }, "▶ play");
  private readonly strip: UseStrip;
  private readonly wholeButton = h("button", { onclick: () => this.show(-1) }, "whole run");
  private choice: PlaneChoice;
  private layout: HeatmapLayout | undefined;
  private readonly paths = new Map<number, SVGPathElement>();
  private playing = 0;

  constructor(private readonly document: ReportDocument) {
    this.pod = document.pod!;
    this.use = new LinkUse(document);
    this.directions = directionsOf(this.pod);
    const axes: [number, number] = [0, 1];
    const perPlane = (this.pod.shape[0] ?? 1) * (this.pod.shape[1] ?? 1);
    this.choice = {
      axes,
      first: 0,
      count: Math.max(1, Math.min(planeCount(this.pod, axes), Math.floor(kMostChips / perPlane))),
    };
    this.strip = new UseStrip(this.use, this.directions, (slice) => this.show(slice));
    this.element.append(
      h("div", { class: "toolbar" }, this.wholeButton, this.playButton, this.when, ...this.planeControls()),
      this.strip.element,
      h("div", { class: "columns" }, h("div", {}, this.map, this.caption), h("div", {}, scaleLegend(), this.table)),
    );
    onTheme(() => this.recolour());
    onPrint(() => this.fitToWidth());
    new ResizeObserver(() => this.fitToWidth()).observe(this.element);
  }

  // A slice's number, or -1 for the whole run.
  show(slice: number): void {
    this.slice = Math.min(this.use.slices - 1, Math.max(-1, slice));
    this.recolour();
  }

  private fitToWidth(): void {
    if (this.element.clientWidth === 0) return;
    const room = Math.max(320, this.element.clientWidth - 330);
    if (this.layout && Math.abs(this.room - room) < 40) return;
    this.room = room;
    this.draw();
  }
  private room = 0;

  private planeControls(): HTMLElement[] {
    const { shape } = this.pod;
    if (!isTorus(this.pod) || shape.length < 3) return [];
    const pairs: [number, number][] = [];
    for (let a = 0; a < shape.length; ++a) for (let b = a + 1; b < shape.length; ++b) pairs.push([a, b]);
    const axes = h(
      "select",
      { "aria-label": "Axes of a plane", onchange: () => this.choosePlanes(pairs[Number(axes.value)], 0) },
      ...pairs.map(([a, b], index) =>
        h("option", { value: index }, `planes ${axisName(this.pod, a)}-${axisName(this.pod, b)}`),
      ),
    );
    const first = h("input", {
      type: "number",
      min: 0,
      value: 0,
      step: 1,
      "aria-label": "First plane shown",
      onchange: () => this.choosePlanes(this.choice.axes, Number(first.value)),
    });
    const label = h("label", { class: "faint" }, "from plane ", first);
    this.firstPlane = first;
    this.showFirstPlane();
    return [axes, label];
  }
  private firstPlane: HTMLInputElement | undefined;

  private choosePlanes(axes: [number, number], first: number): void {
    const planes = planeCount(this.pod, axes);
    const perPlane = this.pod.shape[axes[0]] * this.pod.shape[axes[1]];
    const count = Math.max(1, Math.min(planes, Math.floor(kMostChips / perPlane)));
    this.choice = { axes, first: Math.max(0, Math.min(first || 0, planes - count)), count };
    this.showFirstPlane();
    this.draw();
  }

  private showFirstPlane(): void {
    if (!this.firstPlane) return;
    const last = planeCount(this.pod, this.choice.axes) - this.choice.count;
    this.firstPlane.max = String(last);
    this.firstPlane.value = String(this.choice.first);
    this.firstPlane.parentElement?.toggleAttribute("hidden", last === 0);
  }

  private draw(): void {
    const layout = layoutHeatmap(this.pod, this.choice, this.room);
    this.layout = layout;
    this.paths.clear();
    const picture = svg("svg", {
      width: layout.width,
      height: layout.height,
      viewBox: `0 0 ${layout.width} ${layout.height}`,
      role: "img",
      "aria-label": `Links of ${this.pod.name} by how busy they are`,
    });
    const links = svg("g", { class: "links" });
    const twists = svg("g", { class: "twists" });
    for (const placed of layout.links) {
      const path = svg("path", { d: placed.path, "data-link": placed.link });
      this.paths.set(placed.link, path);
      links.append(path);
      if (placed.twist) {
        const { from, to } = placed.twist;
        if (layout.node >= kNodeWithText)
          picture.append(
            svg(
              "text",
              { class: "far", x: placed.twist.label.x, y: placed.twist.label.y + 3 },
              String(this.pod.links[placed.link].to),
            ),
          );
        twists.append(svg("path", { d: `M${from.x} ${from.y}L${to.x} ${to.y}`, "data-twist": placed.link }));
      }
    }
    const chips = svg("g", { class: "chips" });
    const { node } = layout;
    for (const { chip, x, y } of layout.chips) {
      chips.append(
        svg("rect", { x: x - node / 2, y: y - node / 2, width: node, height: node, rx: 2, "data-chip": chip }),
      );
      if (node >= kNodeWithText) chips.append(svg("text", { x, y: y + 3.5 }, String(chip)));
    }
    const titles = layout.planes
      .filter((plane) => plane.title !== "")
      .map((plane) => svg("text", { class: "plane", x: plane.left + 6, y: plane.top }, plane.title));
    picture.append(twists, links, chips, ...titles);
    picture.addEventListener("pointermove", (event) => this.describe(event.target as Element));
    picture.addEventListener("pointerleave", () => this.describe(undefined));
    this.caption.style.width = `${Math.max(360, layout.width)}px`;
    replace(this.map, picture);
    this.recolour();
    this.describe(undefined);
  }

  private recolour(): void {
    const dark = isDark();
    for (const [link, path] of this.paths) {
      const share = this.use.at(link, this.slice);
      path.style.stroke = amountColour(share, dark);
      path.style.strokeWidth = String(1.2 + 2.6 * share);
    }
    const { slice, use } = this;
    this.wholeButton.setAttribute("aria-pressed", String(slice < 0));
    this.when.textContent =
      slice < 0
        ? `whole run, ${timeText(this.document.end)}`
        : `${timeText(slice * use.width)} to ${timeText(Math.min(this.document.end, (slice + 1) * use.width))}`;
    this.strip.show(slice);
    this.drawTable();
  }

  private drawTable(): void {
    replace(
      this.table,
      sortedTable(this.directions, [
        { title: "direction", value: (each) => each.name },
        { title: "links", value: (each) => each.links.length },
        {
          title: "mean",
          value: (each) => meanUse(this.use, each.links, this.slice),
          show: (each) => percentText(meanUse(this.use, each.links, this.slice)),
        },
        {
          title: "busiest",
          value: (each) => mostUse(this.use, each.links, this.slice),
          show: (each) => percentText(mostUse(this.use, each.links, this.slice)),
        },
      ]),
    );
  }

  private describe(target: Element | undefined): void {
    const { pod } = this;
    this.map.querySelectorAll(".pointed").forEach((each) => each.classList.remove("pointed"));
    const link = target?.getAttribute("data-link");
    const chip = target?.getAttribute("data-chip");
    if (link !== null && link !== undefined) {
      const index = Number(link);
      const { from, to, axis, direction, bandwidth } = pod.links[index];
      target!.classList.add("pointed");
      this.map.querySelector(`[data-twist="${link}"]`)?.classList.add("pointed");
      const bytes = this.bytesOver(from, to);
      this.caption.textContent = [
        `${axis ?? ""}${direction ?? ""} chip ${placeText(pod, from)} to ${placeText(pod, to)}`,
        `busy ${percentText(this.use.at(index, this.slice))}${this.slice >= 0 ? `, ${percentText(this.use.at(index, -1))} of the whole run` : ""}`,
        bytes > 0 ? bytesText(bytes) : "",
        bandwidth ? `of ${rateText(bandwidth)}` : "",
      ]
        .filter((each) => each !== "")
        .join(" · ");
    } else if (chip !== null && chip !== undefined) {
      const id = Number(chip);
      const leaving = pod.links.map((_, index) => index).filter((index) => pod.links[index].from === id);
      for (const index of leaving) this.paths.get(index)?.classList.add("pointed");
      this.caption.textContent = `chip ${placeText(pod, id)}, its links out: ${leaving
        .map(
          (index) =>
            `${pod.links[index].axis || `to ${pod.links[index].to} `}${pod.links[index].direction ?? ""} ${percentText(this.use.at(index, this.slice))}`,
        )
        .join(", ")}`;
    } else {
      const twisted = this.layout?.links.some((each) => each.twist)
        ? " The wrap-around links are twisted: a number at the edge is the chip that the link leads to; point at it for where it comes in."
        : "";
      const hidden = pod.chips.length - (this.layout?.chips.length ?? 0);
      this.caption.textContent =
        `The directions of a link lie to the right of their heading; thick and strong is busy.${twisted}` +
        (hidden > 0 ? ` ${countText(hidden)} chips are on other planes.` : "");
    }
  }

  private bytesOver(from: number, to: number): number {
    let bytes = 0;
    for (const step of this.document.run.results ?? []) {
      for (const link of step.links ?? []) if (link.from === from && link.to === to) bytes += link.bytes;
    }
    return bytes;
  }

  private play(): void {
    if (this.playing) {
      clearInterval(this.playing);
      this.playing = 0;
      this.playButton.textContent = "▶ play";
      return;
    }
    if (this.slice >= this.use.slices - 1) this.show(0);
    this.playButton.textContent = "■ stop";
    this.playing = window.setInterval(() => {
      if (this.slice >= this.use.slices - 1) this.play();
      else this.show(this.slice + 1);
    }, kPlayStep);
  }
}

function scaleLegend(): HTMLElement {
  const bar = h("div", { class: "scale" });
  const paint = () =>
    replace(
      bar,
      ...Array.from({ length: 20 }, (_, i) => {
        const cell = h("span");
        cell.style.background = amountColour((i + 0.5) / 20, isDark());
        return cell;
      }),
    );
  onTheme(paint);
  paint();
  return h("div", { class: "scale-box" }, h("span", {}, "idle"), bar, h("span", {}, "always busy"));
}

export function hasHeatmap(document: ReportDocument): boolean {
  return Boolean(document.pod && document.pod.links.length > 0 && document.links_use && document.links_use.slices > 0);
}
