// Two runs against each other: their steps and causes of waiting side by side, and what differs.

import { h, swatch } from "./dom.ts";
import type { Model } from "./model.ts";
import { causeColour } from "./palette.ts";
import { stepTimes } from "./steps.ts";
import { sortedTable } from "./table.ts";
import { percentText, signedTimeText, timeText } from "./units.ts";

interface Pair {
  name: string;
  a: number; // ps
  b: number;
}

// By name, in the order of A, then what only B has.
export function pairUp(a: [string, number][], b: [string, number][]): Pair[] {
  const pairs = new Map<string, Pair>();
  const pair = (name: string) => {
    if (!pairs.has(name)) pairs.set(name, { name, a: 0, b: 0 });
    return pairs.get(name)!;
  };
  for (const [name, time] of a) pair(name).a += time;
  for (const [name, time] of b) pair(name).b += time;
  return [...pairs.values()];
}

export function compareSection(model: Model): HTMLElement[] {
  const [a, b] = model.documents;
  const [pathA, pathB] = model.paths.length === 2 ? model.paths : [];
  const parts: HTMLElement[] = [h("p", { class: "sentence" }, verdict(model))];
  if (pathA && pathB) {
    parts.push(
      h("h4", {}, "By cause"),
      differences(
        pairUp(
          pathA.shares.map((each) => [each.cause, each.time]),
          pathB.shares.map((each) => [each.cause, each.time]),
        ),
        a.end - b.end,
        true,
      ),
    );
  }
  parts.push(
    h("h4", {}, "By step"),
    differences(
      pairUp(
        stepTimes(a).map((each) => [each.name, each.end - each.begin]),
        stepTimes(b).map((each) => [each.name, each.end - each.begin]),
      ),
      a.end - b.end,
      false,
    ),
  );
  return parts;
}

function verdict(model: Model): string {
  const [a, b] = model.documents;
  const more = a.end - b.end;
  if (more === 0) return `Both take ${timeText(a.end)}.`;
  const text = `A takes ${timeText(a.end)}, B ${timeText(b.end)}: B is ${more > 0 ? "faster" : "slower"} by ${timeText(Math.abs(more))}, ${percentText(Math.abs(more) / a.end)} of A.`;
  if (model.paths.length < 2) return text;
  const [pathA, pathB] = model.paths;
  const pairs = pairUp(
    pathA.shares.map((each) => [each.cause, each.time]),
    pathB.shares.map((each) => [each.cause, each.time]),
  );
  const most = pairs.reduce((best, each) => (Math.abs(each.b - each.a) > Math.abs(best.b - best.a) ? each : best));
  return `${text} Most of it is ${most.name}: ${timeText(most.a)} against ${timeText(most.b)}.`;
}

function differences(pairs: Pair[], whole: number, causes: boolean): HTMLElement {
  return sortedTable(pairs, [
    {
      title: causes ? "cause" : "step",
      value: (each) => each.name,
      show: (each) => h("span", {}, causes ? swatch(causeColour(each.name)) : null, each.name),
    },
    { title: "A", value: (each) => each.a, show: (each) => timeText(each.a) },
    { title: "B", value: (each) => each.b, show: (each) => timeText(each.b) },
    { title: "B - A", value: (each) => each.b - each.a, show: (each) => signedTimeText(each.b - each.a) },
    {
      title: "of the difference",
      value: (each) => (whole === 0 ? null : (each.a - each.b) / whole),
      show: (each) => (whole === 0 ? "" : percentText((each.a - each.b) / whole)),
    },
  ]);
}
