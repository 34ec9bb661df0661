// The roofline: what a kernel computes a second over what it computes for each byte of HBM traffic, below the ceilings of the chip
// (Williams, Waterman, Patterson, "Roofline", CACM 2009). Both axes are logarithmic.

import type { ReportDocument, Roofline } from "./data.ts";
import { h, svg } from "./dom.ts";
import type { Model } from "./model.ts";
import { kPlotColours } from "./palette.ts";
import { sortedTable } from "./table.ts";
import { digits, rateText, timeText } from "./units.ts";

const kWidth = 760;
const kHeight = 420;
const kMargin = { left: 70, right: 20, top: 16, bottom: 44 };

export interface RoofPoint {
  name: string;
  intensity: number; // FLOP a byte
  flops: number; // a second
  time: number; // ps
  bound: string;
  run: number;
}

// From the document's own, or from what its kernels report.
export function rooflineOf(document: ReportDocument): Roofline | undefined {
  if (document.roofline && document.roofline.points.length > 0) return document.roofline;
  const roofline: Roofline = { compute: [], memory: [], points: [] };
  for (const step of document.run.results ?? []) {
    const { kernel } = step;
    if (!kernel || !(kernel.tflops > 0) || !(kernel.hbm_GBps > 0)) continue;
    const seconds = kernel.flops / (kernel.tflops * 1e12);
    const first = kernel.kernels[0];
    roofline.points.push({
      name: first ? `${first.kernel} ${first.shape} ${first.dtype}` : step.name,
      flops: kernel.flops, bytes: kernel.hbm_GBps * 1e9 * seconds, time: seconds * 1e12, bound: kernel.bound,
    });
    if (kernel.peak_share > 0) addCeiling(roofline.compute, `peak ${first?.dtype ?? ""}`.trim(), (kernel.tflops * 1e12) / kernel.peak_share);
    if (kernel.hbm_share > 0 && roofline.memory.length === 0) roofline.memory.push({ name: "HBM", bandwidth: (kernel.hbm_GBps * 1e9) / kernel.hbm_share });
  }
  return roofline.points.length > 0 ? roofline : undefined;
}

// Figures that come from divisions differ in their last digits.
function addCeiling(ceilings: { name: string; flops: number }[], name: string, flops: number): void {
  if (!ceilings.some((each) => Math.abs(each.flops / flops - 1) < 0.01)) ceilings.push({ name, flops });
}

export function hasRoofline(model: Model): boolean {
  return model.documents.some((document) => rooflineOf(document) !== undefined);
}

export function rooflineSection(model: Model): HTMLElement[] {
  const roofs = model.documents.map(rooflineOf);
  const points: RoofPoint[] = roofs.flatMap((roof, run) =>
    (roof?.points ?? []).filter((each) => each.bytes > 0 && each.time > 0).map((each) => ({
      name: each.name, intensity: each.flops / each.bytes, flops: (each.flops / each.time) * 1e12, time: each.time, bound: each.bound ?? "", run,
    })),
  );
  const roof = roofs.find((each) => each !== undefined)!;
  const several = model.documents.length > 1;
  return [
    h("div", { class: "columns" },
      plot(roof, points),
      sortedTable(points.map((point, index) => ({ ...point, number: index + 1 })), [
        { title: "#", value: (each) => each.number },
        ...(several ? [{ title: "run", value: (each: RoofPoint) => "AB"[each.run] }] : []),
        { title: "kernel", value: (each) => each.name },
        { title: "FLOP/B", value: (each) => each.intensity, show: (each) => digits(each.intensity) },
        { title: "TFLOP/s", value: (each) => each.flops, show: (each) => digits(each.flops / 1e12) },
        { title: "time", value: (each) => each.time, show: (each) => timeText(each.time) },
        { title: "bound", value: (each) => each.bound },
      ]),
    ),
    h("p", { class: "faint" }, "Below the slope HBM is what bounds a kernel, below the flat line the matrix units. How far a point is under its line is what latency and fill cost."),
  ];
}

function plot(roof: Roofline, points: RoofPoint[]): SVGSVGElement {
  const bandwidth = Math.max(...roof.memory.map((each) => each.bandwidth), 0);
  const peak = Math.max(...roof.compute.map((each) => each.flops), 0);
  const ridge = bandwidth > 0 && peak > 0 ? peak / bandwidth : 1;
  const xs = [...points.map((each) => each.intensity), ridge];
  const ys = [...points.map((each) => each.flops), peak || 1];
  const range = (values: number[]) => [Math.floor(Math.log10(Math.min(...values) / 1.5)), Math.ceil(Math.log10(Math.max(...values) * 1.5))];
  const [x0, x1] = range(xs);
  const [y0, y1] = range(ys);
  const x = (value: number) => kMargin.left + ((Math.log10(value) - x0) / (x1 - x0)) * (kWidth - kMargin.left - kMargin.right);
  const y = (value: number) => kHeight - kMargin.bottom - ((Math.log10(value) - y0) / (y1 - y0)) * (kHeight - kMargin.top - kMargin.bottom);
  const picture = svg("svg", { class: "roofline", viewBox: `0 0 ${kWidth} ${kHeight}`, width: kWidth, height: kHeight, role: "img", "aria-label": "Roofline" });
  for (let power = x0; power <= x1; ++power) {
    const at = x(10 ** power);
    picture.append(svg("line", { class: "grid", x1: at, y1: kMargin.top, x2: at, y2: kHeight - kMargin.bottom }));
    picture.append(svg("text", { x: at, y: kHeight - kMargin.bottom + 16, "text-anchor": "middle" }, digits(10 ** power)));
  }
  for (let power = y0; power <= y1; ++power) {
    const at = y(10 ** power);
    picture.append(svg("line", { class: "grid", x1: kMargin.left, y1: at, x2: kWidth - kMargin.right, y2: at }));
    picture.append(svg("text", { x: kMargin.left - 6, y: at + 4, "text-anchor": "end" }, flopsText(10 ** power)));
  }
  picture.append(svg("text", { x: (kMargin.left + kWidth) / 2, y: kHeight - 8, "text-anchor": "middle" }, "FLOP for each byte of HBM traffic"));
  for (const { name, flops } of roof.compute) {
    const from = bandwidth > 0 ? Math.max(10 ** x0, flops / bandwidth) : 10 ** x0;
    picture.append(svg("line", { class: "ceiling", x1: x(from), y1: y(flops), x2: kWidth - kMargin.right, y2: y(flops) }));
    picture.append(svg("text", { x: kWidth - kMargin.right, y: y(flops) - 5, "text-anchor": "end" }, `${name}: ${flopsText(flops)}`));
  }
  for (const { name, bandwidth: slope } of roof.memory) {
    const from = Math.max(10 ** x0, 10 ** y0 / slope);
    const to = Math.min(10 ** x1, (peak || 10 ** y1) / slope);
    picture.append(svg("line", { class: "ceiling", x1: x(from), y1: y(from * slope), x2: x(to), y2: y(to * slope) }));
    picture.append(svg("text", { x: x(from) + 8, y: y(from * slope) - 10 }, `${name}: ${rateText(slope)}`));
  }
  points.forEach((point, index) => {
    const mark = svg("circle", { cx: x(point.intensity), cy: y(point.flops), r: 5, fill: kPlotColours[point.run] }, svg("title", {}, `${point.name}: ${flopsText(point.flops)}`));
    picture.append(mark, svg("text", { x: x(point.intensity) + 8, y: y(point.flops) + 4 }, String(index + 1)));
  });
  return picture;
}

function flopsText(flops: number): string {
  if (flops >= 1e15) return `${digits(flops / 1e15)} PFLOP/s`;
  if (flops >= 1e12) return `${digits(flops / 1e12)} TFLOP/s`;
  return `${digits(flops / 1e9)} GFLOP/s`;
}
