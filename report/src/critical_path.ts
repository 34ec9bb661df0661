// The critical path: the sentence that says what would help, the share of each cause, and the longest exposed arrows.

import { h, swatch } from "./dom.ts";
import type { Model, Path } from "./model.ts";
import { causeColour, inkOn } from "./palette.ts";
import { sortedTable } from "./table.ts";
import { percentText, timeText } from "./units.ts";

export interface Part {
  name: string;
  time: number;
  colour: string;
}

// One bar, its parts side by side, which take `whole` together; as wide as its share of `room`.
export function stackedBar(parts: Part[], whole: number, room = whole): HTMLElement {
  const bar = h("div", {
    class: "bar",
    role: "img",
    "aria-label": parts.map((part) => `${part.name} ${percentText(part.time / whole)}`).join(", "),
  });
  for (const part of parts) {
    if (part.time <= 0) continue;
    const share = part.time / whole;
    const text = part.time / room > 0.045 ? percentText(share) : "";
    const element = h(
      "span",
      { class: "part", title: `${part.name}: ${timeText(part.time)}, ${percentText(share)}` },
      text,
    );
    element.style.width = `${share * 100}%`;
    element.style.background = part.colour;
    element.style.color = inkOn(part.colour);
    bar.append(element);
  }
  bar.style.width = `${Math.max(1, (whole / room) * 100)}%`;
  return bar;
}

export function partsOf(path: { shares: { cause: string; time: number }[] }): Part[] {
  return path.shares.map(({ cause, time }) => ({ name: cause, time, colour: causeColour(cause) }));
}

export function legendOf(parts: Part[], whole: number): HTMLElement {
  return h(
    "ul",
    { class: "legend row" },
    ...parts
      .filter((part) => part.time > 0)
      .map((part) =>
        h(
          "li",
          {},
          swatch(part.colour),
          `${part.name} ${timeText(part.time)} `,
          h("span", { class: "faint" }, percentText(part.time / whole)),
        ),
      ),
  );
}

// What stands above everything else.
export function criticalPathSummary(model: Model): HTMLElement | null {
  if (model.paths.length === 0) return null;
  return h(
    "div",
    { class: "summary" },
    ...model.paths.map((path) =>
      h(
        "div",
        { class: "path" },
        h(
          "p",
          { class: "sentence" },
          model.documents.length > 1 ? h("b", {}, `${"AB"[path.run]}: `) : null,
          path.sentence,
        ),
        stackedBar(partsOf(path), model.documents[path.run].end, model.end),
        legendOf(partsOf(path), model.documents[path.run].end),
      ),
    ),
  );
}

export function criticalPathSection(model: Model, go: (span: number) => void): HTMLElement[] {
  return model.paths.flatMap((path) => {
    const parts: HTMLElement[] = [
      h("p", { class: "sentence" }, path.sentence),
      h("div", { class: "columns" }, sharesTable(model, path), longestTable(path, go)),
    ];
    if (model.documents.length > 1) parts.unshift(h("h3", {}, `${"AB"[path.run]}: ${model.names[path.run]}`));
    return parts;
  });
}

function sharesTable(model: Model, path: Path): HTMLElement {
  const whole = model.documents[path.run].end;
  const segments = new Map<string, number>();
  for (const segment of path.segments) segments.set(segment.cause, (segments.get(segment.cause) ?? 0) + 1);
  return h(
    "section",
    {},
    h("h4", {}, "Time by cause"),
    sortedTable(path.shares, [
      {
        title: "cause",
        value: (each) => each.cause,
        show: (each) => h("span", {}, swatch(causeColour(each.cause)), each.cause),
      },
      { title: "time", value: (each) => each.time, show: (each) => timeText(each.time) },
      { title: "share", value: (each) => each.time / whole, show: (each) => percentText(each.time / whole) },
      { title: "stretches", value: (each) => segments.get(each.cause) ?? 0 },
    ]),
  );
}

function longestTable(path: Path, go: (span: number) => void): HTMLElement {
  return h(
    "section",
    {},
    h("h4", {}, "Longest exposed arrows"),
    sortedTable(
      path.longest,
      [
        { title: "time", value: (each) => each.time, show: (each) => timeText(each.time) },
        { title: "arrow", value: (each) => each.text },
      ],
      {
        onRow: (each) => {
          if ((each.to ?? -1) >= 0) go(each.to!);
          else if ((each.from ?? -1) >= 0) go(each.from!);
        },
      },
    ),
  );
}
