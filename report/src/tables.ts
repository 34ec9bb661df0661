// Tables of everything that was counted: spans by name, links, the counters of each chip's blocks.

import { h, replace } from "./dom.ts";
import { placeText } from "./link_use.ts";
import type { Model } from "./model.ts";
import { kLaneKindNames } from "./palette.ts";
import type { Selection } from "./selection.ts";
import { sortedTable, type Column } from "./table.ts";
import { bytesText, countText, percentText, rateText, timeText } from "./units.ts";

export interface NameSum {
  name: string;
  kind: string;
  run: number;
  count: number;
  time: number;
  longest: number;
  longestSpan: number;
  bytes: number;
}

export function sumsByName(model: Model): NameSum[] {
  const sums = new Map<string, NameSum>();
  const { begin, end, bytes, name } = model.spans;
  for (let span = 0; span < model.spanCount; ++span) {
    const lane = model.laneOf(span);
    const { run } = model.groups[lane.group];
    const key = `${run} ${lane.kind} ${name[span]}`;
    let sum = sums.get(key);
    if (!sum) {
      sum = {
        name: model.spanName(span),
        kind: kLaneKindNames[lane.kind] ?? lane.kind,
        run,
        count: 0,
        time: 0,
        longest: -1,
        longestSpan: -1,
        bytes: 0,
      };
      sums.set(key, sum);
    }
    const time = end[span] - begin[span];
    ++sum.count;
    sum.time += time;
    if (lane.kind !== "wait") sum.bytes += Math.max(0, bytes[span]);
    if (time > sum.longest) [sum.longest, sum.longestSpan] = [time, span];
  }
  return [...sums.values()];
}

export function tablesSection(model: Model, selection: Selection, go: (span: number) => void): HTMLElement[] {
  const several = model.documents.length > 1;
  const parts: HTMLElement[] = [
    h("h3", {}, "Spans by name"),
    h("p", { class: "faint" }, "A row leads to its longest span, and finds all of them."),
    sortedTable(
      sumsByName(model),
      [
        ...(several ? [{ title: "run", value: (each: NameSum) => "AB"[each.run] }] : []),
        { title: "name", value: (each) => each.name },
        { title: "lane", value: (each) => each.kind },
        { title: "count", value: (each) => each.count, show: (each) => countText(each.count) },
        { title: "total", value: (each) => each.time, show: (each) => timeText(each.time) },
        { title: "mean", value: (each) => each.time / each.count, show: (each) => timeText(each.time / each.count) },
        { title: "longest", value: (each) => each.longest, show: (each) => timeText(each.longest) },
        { title: "bytes", value: (each) => each.bytes, show: (each) => (each.bytes > 0 ? bytesText(each.bytes) : "") },
        {
          title: "bandwidth",
          value: (each) => (each.time > 0 ? each.bytes / each.time : 0),
          show: (each) => (each.bytes > 0 && each.time > 0 ? rateText((each.bytes / each.time) * 1e12) : ""),
        },
      ],
      {
        sortBy: several ? 4 : 3,
        descending: true,
        rows: 25,
        onRow: (each) => {
          selection.search(each.name);
          go(each.longestSpan);
        },
      },
    ),
  ];
  model.documents.forEach((document, run) => {
    const label = several ? `${"AB"[run]}: ` : "";
    const steps = document.run.results ?? [];
    const withLinks = steps.filter((step) => (step.links?.length ?? 0) > 0);
    if (withLinks.length > 0) {
      parts.push(
        byStep(
          `${label}Links`,
          withLinks.map((step) => step.name),
          (index) =>
            sortedTable(
              withLinks[index].links!,
              [
                {
                  title: "from",
                  value: (each) => each.from,
                  show: (each) => (document.pod ? placeText(document.pod, each.from) : each.from),
                },
                {
                  title: "to",
                  value: (each) => each.to,
                  show: (each) => (document.pod ? placeText(document.pod, each.to) : each.to),
                },
                { title: "direction", value: (each) => `${each.axis ?? ""}${each.direction ?? ""}` },
                { title: "busy", value: (each) => each.busy_fraction, show: (each) => percentText(each.busy_fraction) },
                { title: "bytes", value: (each) => each.bytes, show: (each) => bytesText(each.bytes) },
                { title: "packets", value: (each) => each.packets, show: (each) => countText(each.packets) },
              ],
              { sortBy: 3, descending: true, rows: 12 },
            ),
        ),
      );
    }
    const withBlocks = steps.filter((step) => (step.blocks?.length ?? 0) > 0);
    if (withBlocks.length > 0)
      parts.push(
        byStep(
          `${label}Counters of each chip`,
          withBlocks.map((step) => step.name),
          (index) => countersTable(withBlocks[index].blocks!),
        ),
      );
  });
  return parts;
}

// A heading, a choice of step where there are several, and that step's table.
function byStep(title: string, steps: string[], table: (step: number) => HTMLElement): HTMLElement {
  const box = h("div");
  const select = h(
    "select",
    { "aria-label": `Step of ${title}`, onchange: () => replace(box, table(Number(select.value))) },
    ...steps.map((name, index) => h("option", { value: index }, `${index + 1} ${name}`)),
  );
  replace(box, table(0));
  return h("section", {}, h("h3", {}, `${title} `, steps.length > 1 ? select : null), box);
}

type Counters = { chip: number; place: number[] } & Record<string, unknown>;

// A row for each chip, a column for each counter that is not zero everywhere.
function countersTable(blocks: Counters[]): HTMLElement {
  const flat = blocks.map((block) => {
    const row = new Map<string, number>();
    for (const [name, value] of Object.entries(block))
      if (name !== "chip" && name !== "place") flatten(name, value, row);
    return { chip: block.chip, place: block.place, row };
  });
  const names = [...new Set(flat.flatMap((each) => [...each.row.keys()]))].filter((name) =>
    flat.some((each) => (each.row.get(name) ?? 0) !== 0),
  );
  const columns: Column<(typeof flat)[number]>[] = [
    { title: "chip", value: (each) => each.chip, show: (each) => `${each.chip} (${each.place.join(",")})` },
  ];
  for (const name of names) {
    const isTime = name.endsWith("_ps");
    columns.push({
      title: name.replace(/_ps$/, "").replaceAll("_", " "),
      value: (each) => each.row.get(name) ?? 0,
      show: (each) => (isTime ? timeText(each.row.get(name) ?? 0) : countText(each.row.get(name) ?? 0)),
    });
  }
  return sortedTable(flat, columns, { rows: 16 });
}

// "hbm reads", "dma 0 descriptors"
function flatten(name: string, value: unknown, into: Map<string, number>): void {
  if (typeof value === "number") into.set(name, value);
  else if (Array.isArray(value))
    value.forEach((each, index) => flatten(value.length > 1 ? `${name} ${index}` : name, each, into));
  else if (value !== null && typeof value === "object")
    for (const [key, each] of Object.entries(value)) flatten(`${name} ${key}`, each, into);
}
