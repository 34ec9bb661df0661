// Plots of any series over time, with uPlot. Series of one unit share a plot; all plots share the time axis, which is
// zoomed by dragging and follows the timeline's when asked to.

import uPlot from "uplot";
import { h, replace } from "./dom.ts";
import type { Model } from "./model.ts";
import { kPlotColours } from "./palette.ts";
import { onPrint } from "./printing.ts";
import { seriesOf, type PlotSeries } from "./series.ts";
import { currentInks, onTheme } from "./theme.ts";
import type { Timeline } from "./timeline.ts";
import { digits, timeText, timeTicks } from "./units.ts";

const kPlotHeight = 220;
const kFirstShares = 6;
const kMostListed = 400;

export class Plots {
  readonly element = h("div", { class: "plots" });
  private readonly all: PlotSeries[];
  private readonly shown = new Set<PlotSeries>();
  private readonly list = h("ul", { class: "plain series" });
  private readonly area = h("div", { class: "plot-area" });
  private readonly filter = h("input", {
    type: "search",
    placeholder: "filter series",
    "aria-label": "Filter series",
    oninput: () => this.fillList(),
  });
  private plots: uPlot[] = [];

  constructor(
    model: Model,
    private readonly timeline: Timeline,
  ) {
    this.all = seriesOf(model);
    for (const each of this.firstShown()) this.shown.add(each);
    this.element.append(
      h(
        "div",
        { class: "toolbar" },
        h("button", { onclick: () => this.setRange(0, timeline.model.end) }, "whole run"),
        h("button", { onclick: () => this.setRange(timeline.window.from, timeline.window.to) }, "as the timeline"),
        h("span", { class: "faint" }, "drag to zoom, double click for the whole run"),
      ),
      h("div", { class: "plots-body" }, h("div", { class: "series-box" }, this.filter, this.list), this.area),
    );
    this.fillList();
    onTheme(() => this.draw());
    onPrint(() => this.draw());
    new ResizeObserver(() => this.draw()).observe(this.area);
  }

  // The first of each unit; of the shares, which are few and belong together, some more.
  private firstShown(): PlotSeries[] {
    const counts = new Map<string, number>();
    return this.all.filter(({ unit }) => {
      counts.set(unit, (counts.get(unit) ?? 0) + 1);
      return counts.get(unit)! <= (unit === "%" ? kFirstShares : 1);
    });
  }

  private fillList(): void {
    const wanted = this.filter.value.trim().toLowerCase();
    const fitting = this.all.filter((each) => each.name.toLowerCase().includes(wanted));
    replace(
      this.list,
      ...fitting.slice(0, kMostListed).map((each) => {
        const box = h("input", { type: "checkbox", checked: this.shown.has(each), onchange: () => this.toggle(each) });
        return h("li", {}, h("label", {}, box, ` ${each.name} `, h("span", { class: "faint" }, each.unit)));
      }),
      fitting.length > kMostListed
        ? h("li", { class: "faint" }, `${fitting.length - kMostListed} more: filter for them`)
        : null,
    );
  }

  private toggle(series: PlotSeries): void {
    if (!this.shown.delete(series)) this.shown.add(series);
    this.draw();
  }

  private setRange(from: number, to: number): void {
    for (const plot of this.plots) plot.setScale("x", { min: Math.max(0, from), max: to });
  }

  private draw(): void {
    for (const plot of this.plots) plot.destroy();
    this.plots = [];
    this.area.replaceChildren();
    const width = this.area.clientWidth;
    if (width === 0) return;
    const units = [...new Set([...this.shown].map((each) => each.unit))];
    if (units.length === 0)
      this.area.append(
        h("p", { class: "faint" }, this.all.length === 0 ? "No series was recorded." : "Choose a series on the left."),
      );
    for (const unit of units)
      this.plots.push(
        this.plot(
          [...this.shown].filter((each) => each.unit === unit),
          unit,
          width,
        ),
      );
  }

  private plot(series: PlotSeries[], unit: string, width: number): uPlot {
    const inks = currentInks();
    const stepped = uPlot.paths.stepped!({ align: 1 });
    const axis = { stroke: inks.text, grid: { stroke: inks.line, width: 1 }, ticks: { stroke: inks.line, width: 1 } };
    return new uPlot(
      {
        width,
        height: kPlotHeight,
        cursor: { sync: { key: "podsim" } },
        scales: {
          x: { time: false, range: (_, min, max) => [min, max] },
          y: { range: (_, min, max) => yRange(min, max) },
        },
        axes: [
          {
            ...axis,
            splits: (_, __, from, to) => timeTicks(from, to, width / 110).map((tick) => tick.time),
            values: (plot, splits) =>
              splits.map(
                (time) =>
                  timeTicks(plot.scales.x.min!, plot.scales.x.max!, width / 110).find((tick) => tick.time === time)
                    ?.text ?? "",
              ),
          },
          {
            ...axis,
            label: unit,
            labelSize: 20,
            size: 60,
            values: (_, splits) => splits.map((value) => digits(value)),
          },
        ],
        series: [
          { label: "time", value: (_, time) => (time === null || time === undefined ? "" : timeText(time)) },
          ...series.map((each, index) => ({
            label: each.name,
            stroke: kPlotColours[index % kPlotColours.length],
            dash: index >= kPlotColours.length ? [6, 3] : undefined,
            width: 1.5,
            spanGaps: true,
            paths: stepped,
            points: { show: false },
            value: (_: uPlot, value: number | null) =>
              value === null || value === undefined ? "" : `${digits(value)} ${unit}`,
          })),
        ],
      },
      joined(series, this.timeline.model.end),
      this.area,
    );
  }
}

// With zero, so that heights can be compared, and some air.
function yRange(min: number, max: number): [number, number] {
  const low = Math.min(0, min ?? 0);
  const high = Math.max(0, max ?? 0);
  return low === high ? [0, 1] : [low, high + (high - low) * 0.05];
}

// All series on the times of all of them and of the run; a value holds until the next.
function joined(series: PlotSeries[], end: number): uPlot.AlignedData {
  const times = [...new Set([0, end, ...series.flatMap((each) => each.times)])].sort((a, b) => a - b);
  const columns = series.map(({ times: own, values }) => {
    let next = 0;
    let held: number | null = null;
    const last = own.length - 1;
    const over = last > 0 ? 2 * own[last] - own[last - 1] : end; // the last value holds for as long as the one before
    return times.map((time) => {
      while (next < own.length && own[next] <= time) held = values[next++];
      return time <= over ? held : null;
    });
  });
  return [times, ...columns];
}
