// The roofline: what a kernel computes a second over what it computes for each byte of HBM traffic, below the ceilings
// of the chip (Williams, Waterman, Patterson, "Roofline", CACM 2009). Both axes are logarithmic.

import type { ReportDocument, RoofPoint } from "./data.ts";
import { h, svg } from "./dom.ts";
import type { Model } from "./model.ts";
import { kPlotColours } from "./palette.ts";
import { sortedTable } from "./table.ts";
import { digits, percentText, rateText } from "./units.ts";

const kWidth = 760;
const kHeight = 420;
const kMargin = { left: 84, right: 20, top: 16, bottom: 44 };

type Point = RoofPoint & { run: number };

// From what the kernels of the run report, whose shapes tell them apart, or else from the document's own list.
export function roofPoints(document: ReportDocument): RoofPoint[] {
  const results = (document.run.results ?? []).flatMap((step) => [step, ...(step.beside ?? [])]);
  const points = results.flatMap(({ name, kernel }) => {
    if (!kernel || !(kernel.peak_share > 0) || !(kernel.hbm_share > 0) || !(kernel.hbm_GBps > 0)) return [];
    const first = kernel.kernels[0];
    return {
      name: first ? `${first.kernel} ${first.shape} ${first.dtype}` : name,
      intensity: (kernel.tflops * 1e3) / kernel.hbm_GBps,
      tflops: kernel.tflops,
      peak_tflops: kernel.tflops / kernel.peak_share,
      hbm_GBps: kernel.hbm_GBps / kernel.hbm_share,
      bound: kernel.bound,
    };
  });
  return points.length > 0 ? points : (document.roofline?.points ?? []);
}

export function hasRoofline(model: Model): boolean {
  return model.documents.some((document) => roofPoints(document).length > 0);
}

export function rooflineSection(model: Model): HTMLElement[] {
  const points: Point[] = model.documents.flatMap((document, run) =>
    roofPoints(document).map((each) => ({ ...each, run })),
  );
  const several = model.documents.length > 1;
  return [
    h(
      "div",
      { class: "columns" },
      plot(points),
      sortedTable(
        points.map((point, index) => ({ ...point, number: index + 1 })),
        [
          { title: "#", value: (each) => each.number },
          ...(several ? [{ title: "run", value: (each: Point) => "AB"[each.run] }] : []),
          { title: "kernel", value: (each) => each.name },
          { title: "FLOP/B", value: (each) => each.intensity, show: (each) => digits(each.intensity) },
          { title: "TFLOP/s", value: (each) => each.tflops, show: (each) => digits(each.tflops) },
          {
            title: "of peak",
            value: (each) => each.tflops / each.peak_tflops,
            show: (each) => percentText(each.tflops / each.peak_tflops),
          },
          { title: "bound", value: (each) => each.bound },
        ],
      ),
    ),
    h(
      "p",
      { class: "faint" },
      "Below the slope HBM is what bounds a kernel, below the flat line the matrix units. How far a point is under its line is what latency, fill and the vector unit cost.",
    ),
  ];
}

// Those that differ by more than the last digits, as the figures come from divisions.
function distinct(values: number[]): number[] {
  const sorted = [...values].sort((a, b) => b - a);
  return sorted.filter((value, index) => index === 0 || Math.abs(value / sorted[index - 1] - 1) > 0.01);
}

function plot(points: Point[]): SVGSVGElement {
  const peaks = distinct(points.map((each) => each.peak_tflops * 1e12));
  const bandwidths = distinct(points.map((each) => each.hbm_GBps * 1e9));
  const [peak, bandwidth] = [peaks[0], bandwidths[0]];
  const xs = [...points.map((each) => each.intensity), peak / bandwidth];
  const ys = [...points.map((each) => each.tflops * 1e12), peak];
  const range = (values: number[]) => [
    Math.floor(Math.log10(Math.min(...values) / 1.5)),
    Math.ceil(Math.log10(Math.max(...values) * 1.5)),
  ];
  const [x0, x1] = range(xs);
  const [y0, y1] = range(ys);
  const x = (value: number) =>
    kMargin.left + ((Math.log10(value) - x0) / (x1 - x0)) * (kWidth - kMargin.left - kMargin.right);
  const y = (value: number) =>
    kHeight - kMargin.bottom - ((Math.log10(value) - y0) / (y1 - y0)) * (kHeight - kMargin.top - kMargin.bottom);
  const picture = svg("svg", {
    class: "roofline",
    viewBox: `0 0 ${kWidth} ${kHeight}`,
    width: kWidth,
    height: kHeight,
    role: "img",
    "aria-label": "Roofline",
  });
  for (let power = x0; power <= x1; ++power) {
    const at = x(10 ** power);
    picture.append(svg("line", { class: "grid", x1: at, y1: kMargin.top, x2: at, y2: kHeight - kMargin.bottom }));
    picture.append(
      svg("text", { x: at, y: kHeight - kMargin.bottom + 16, "text-anchor": "middle" }, digits(10 ** power)),
    );
  }
  for (let power = y0; power <= y1; ++power) {
    const at = y(10 ** power);
    picture.append(svg("line", { class: "grid", x1: kMargin.left, y1: at, x2: kWidth - kMargin.right, y2: at }));
    picture.append(svg("text", { x: kMargin.left - 6, y: at + 4, "text-anchor": "end" }, flopsText(10 ** power)));
  }
  picture.append(
    svg(
      "text",
      { x: (kMargin.left + kWidth) / 2, y: kHeight - 8, "text-anchor": "middle" },
      "FLOP for each byte of HBM traffic",
    ),
  );
  for (const flops of peaks) {
    const from = Math.max(10 ** x0, flops / bandwidth);
    picture.append(
      svg("line", { class: "ceiling", x1: x(from), y1: y(flops), x2: kWidth - kMargin.right, y2: y(flops) }),
    );
    picture.append(
      svg("text", { x: kWidth - kMargin.right, y: y(flops) - 5, "text-anchor": "end" }, `peak ${flopsText(flops)}`),
    );
  }
  for (const slope of bandwidths) {
    const from = Math.max(10 ** x0, 10 ** y0 / slope);
    const to = Math.min(10 ** x1, peak / slope);
    picture.append(svg("line", { class: "ceiling", x1: x(from), y1: y(from * slope), x2: x(to), y2: y(to * slope) }));
    const middle = Math.sqrt(from * to);
    picture.append(svg("text", { x: x(middle) + 8, y: y(middle * slope) + 16 }, `HBM ${rateText(slope)}`));
  }
  points.forEach((point, index) => {
    const mark = svg(
      "circle",
      { cx: x(point.intensity), cy: y(point.tflops * 1e12), r: 5, fill: kPlotColours[point.run] },
      svg("title", {}, `${point.name}: ${flopsText(point.tflops * 1e12)}`),
    );
    picture.append(mark, svg("text", { x: x(point.intensity) + 8, y: y(point.tflops * 1e12) + 4 }, String(index + 1)));
  });
  return picture;
}

function flopsText(flops: number): string {
  if (flops >= 1e15) return `${digits(flops / 1e15)} PFLOP/s`;
  if (flops >= 1e12) return `${digits(flops / 1e12)} TFLOP/s`;
  return `${digits(flops / 1e9)} GFLOP/s`;
}
