// Colours. Categories have those of Okabe and Ito, which stay apart for all kinds of colour blindness (Masataka Okabe
// and Kei Ito, "Color Universal Design", 2008). Amounts have the scale YlGnBu of ColorBrewer (Cynthia Brewer,
// colorbrewer2.org), marked there as safe for the colour-blind and for print, turned round on dark ground so that
// nothing is always what fades into the page.

import type { LaneKind } from "./data.ts";

const kOkabeIto = {
  orange: "#e69f00",
  sky: "#56b4e9",
  green: "#009e73",
  yellow: "#f0e442",
  blue: "#0072b2",
  vermillion: "#d55e00",
  purple: "#cc79a7",
  grey: "#999999",
};

export const kLaneColours: Record<LaneKind, string> = {
  program: kOkabeIto.grey,
  mxu: kOkabeIto.blue,
  vpu: kOkabeIto.sky,
  dma: kOkabeIto.orange,
  ici: kOkabeIto.green,
  pcie: kOkabeIto.purple,
  wait: kOkabeIto.vermillion,
};

export const kLaneKindNames: Record<LaneKind, string> = {
  program: "program",
  mxu: "MXU",
  vpu: "VPU",
  dma: "DMA",
  ici: "ICI link",
  pcie: "PCIe",
  wait: "semaphore wait",
};

export function laneColour(kind: LaneKind): string {
  return kLaneColours[kind] ?? kOkabeIto.grey;
}

// What may hold a run up, by words in the cause's name: the hue of the hardware that causes it where there is one.
const kCauseColours: [RegExp, string][] = [
  [/hop|latency/i, kOkabeIto.sky],
  [/link|serial|ici/i, kOkabeIto.green],
  [/compute|mxu|vpu|tensor/i, kOkabeIto.blue],
  [/hbm|memory/i, kOkabeIto.yellow],
  [/pcie|host/i, kOkabeIto.purple],
  [/queue|slot|context/i, kOkabeIto.orange],
  [/sema|wait|sync/i, kOkabeIto.vermillion],
];

export function causeColour(cause: string): string {
  return kCauseColours.find(([pattern]) => pattern.test(cause))?.[1] ?? kOkabeIto.grey;
}

// Lines of a plot, the strongest first.
export const kPlotColours = [
  kOkabeIto.blue,
  kOkabeIto.vermillion,
  kOkabeIto.green,
  kOkabeIto.purple,
  kOkabeIto.orange,
  kOkabeIto.sky,
  kOkabeIto.grey,
];

// Black or white, whichever can be read on `colour` (relative luminance as in WCAG 2).
export function inkOn(colour: string): string {
  const channel = (at: number) => {
    const value = parseInt(colour.slice(at, at + 2), 16) / 255;
    return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  const luminance = 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5);
  return luminance > 0.179 ? "#000000" : "#ffffff";
}

// ColorBrewer YlGnBu, nine classes, from little to much on a light ground.
const kYlGnBu = ["#ffffd9", "#edf8b1", "#c7e9b4", "#7fcdbb", "#41b6c4", "#1d91c0", "#225ea8", "#253494", "#081d58"];

// The colour of a share from 0 to 1. The ends nearest to the ground are left out: a link must be seen even if idle.
export function amountColour(share: number, dark: boolean): string {
  const scale = dark ? [...kYlGnBu].reverse().slice(1) : kYlGnBu.slice(1);
  const at = Math.min(1, Math.max(0, share)) * (scale.length - 1);
  const low = Math.min(scale.length - 2, Math.floor(at));
  return mix(scale[low], scale[low + 1], at - low);
}

export function mix(from: string, to: string, share: number): string {
  const channel = (at: number) => {
    const a = parseInt(from.slice(at, at + 2), 16);
    const b = parseInt(to.slice(at, at + 2), 16);
    return Math.round(a + (b - a) * share)
      .toString(16)
      .padStart(2, "0");
  };
  return `#${channel(1)}${channel(3)}${channel(5)}`;
}
