// What each step's time went to: a bar for each, all to one scale, and of scheduled programs their transfers.

import { legendOf, stackedBar, type Part } from "./critical_path.ts";
import { h } from "./dom.ts";
import type { Model } from "./model.ts";
import { partsOfStep, stepTimes, type StepTime } from "./steps.ts";
import { sortedTable, type Column } from "./table.ts";
import type { Timeline } from "./timeline.ts";
import { bytesText, digits, percentText, timeText } from "./units.ts";

const kMostBars = 60;

export function breakdownSection(model: Model, timeline: Timeline, showTimeline: () => void): HTMLElement[] {
  return model.documents.flatMap((document, run) => {
    const times = stepTimes(document);
    const longest = Math.max(
      1,
      ...model.documents.flatMap((each) => stepTimes(each).map((time) => time.end - time.begin)),
    );
    const go = (time: StepTime) => {
      timeline.window.show(time.begin, time.end, 0.02);
      showTimeline();
    };
    const parts: HTMLElement[] = [];
    if (model.documents.length > 1) parts.push(h("h3", {}, `${"AB"[run]}: ${model.names[run]}`));
    parts.push(stepTable(times, go));
    const bars = times.slice(0, kMostBars).map((time) => {
      const pieces = partsOfStep(document, time);
      return pieces.length === 0 ? null : bar(time, pieces, longest);
    });
    if (bars.some((each) => each !== null))
      parts.push(h("h4", {}, "What the time went to"), h("div", { class: "bars" }, ...bars));
    for (const { step, name } of times) {
      if (step.module) parts.push(h("h4", {}, `Transfers of ${name}`), moduleTables(step.module));
    }
    return parts;
  });
}

function bar(time: StepTime, parts: Part[], longest: number): HTMLElement {
  const whole = parts.reduce((sum, part) => sum + part.time, 0) || 1;
  const line = stackedBar(parts, whole, longest);
  return h(
    "div",
    { class: "bar-line" },
    h("div", { class: "bar-name" }, time.name, " ", h("span", { class: "faint" }, timeText(whole))),
    line,
    legendOf(parts, whole),
  );
}

function stepTable(times: StepTime[], go: (time: StepTime) => void): HTMLElement {
  const collective = times.some(({ step }) => (step.busbw_GBps ?? 0) > 0);
  const columns: Column<StepTime>[] = [
    { title: "step", left: true, value: (each) => each.begin, show: (each) => each.name },
    { title: "time", value: (each) => each.step.time_ps, show: (each) => timeText(each.step.time_ps) },
    { title: "outcome", value: (each) => each.step.outcome ?? "" },
  ];
  if (collective) {
    columns.push(
      { title: "group", value: (each) => each.step.group_size },
      { title: "size", value: (each) => each.step.size_bytes, show: (each) => bytesText(each.step.size_bytes ?? 0) },
      { title: "type", value: (each) => each.step.type },
      { title: "algorithm", value: (each) => each.step.algorithm },
      {
        title: "algbw (GB/s)",
        value: (each) => each.step.algbw_GBps,
        show: (each) => digits(each.step.algbw_GBps ?? 0),
      },
      {
        title: "busbw (GB/s)",
        value: (each) => each.step.busbw_GBps,
        show: (each) => digits(each.step.busbw_GBps ?? 0),
        help: "as in nccl-tests: 2(n-1)/n times algbw for an all-reduce, (n-1)/n for others",
      },
      {
        title: "#wrong",
        value: (each) => each.step.wrong,
        show: (each) => (each.step.wrong === null || each.step.wrong === undefined ? "not checked" : each.step.wrong),
      },
    );
  }
  if (times.some(({ step }) => step.kernel)) {
    columns.push(
      {
        title: "TFLOP/s",
        value: (each) => each.step.kernel?.tflops,
        show: (each) => (each.step.kernel ? digits(each.step.kernel.tflops) : ""),
      },
      {
        title: "of peak",
        value: (each) => each.step.kernel?.peak_share,
        show: (each) => (each.step.kernel ? percentText(each.step.kernel.peak_share) : ""),
      },
      {
        title: "HBM (GB/s)",
        value: (each) => each.step.kernel?.hbm_GBps,
        show: (each) => (each.step.kernel ? digits(each.step.kernel.hbm_GBps) : ""),
      },
      { title: "bound", value: (each) => each.step.kernel?.bound },
    );
  }
  return sortedTable(times, columns, { onRow: go });
}

function moduleTables(module: { transfers: Record<string, unknown>[]; gaps: Record<string, unknown>[] }): HTMLElement {
  const time = (key: string, title: string, help?: string): Column<Record<string, unknown>> => ({
    title,
    help,
    value: (row) => row[key] as number,
    show: (row) => timeText(row[key] as number),
  });
  const text = (key: string): Column<Record<string, unknown>> => ({ title: key, value: (row) => row[key] as string });
  return h(
    "div",
    { class: "columns" },
    sortedTable(module.transfers, [
      text("name"),
      text("what"),
      { title: "chip", value: (row) => row.chip as number },
      time("issued_ps", "issued"),
      time("started_ps", "started"),
      time("finished_ps", "finished"),
      time("alone_ps", "alone", "on the idle pod"),
      time("exposed_ps", "exposed", "the program's own time that it costs"),
      time("hidden_ps", "hidden", "the rest of its time"),
    ]),
    module.gaps.length > 0
      ? h(
          "section",
          {},
          h("h4", {}, "Why a gap is not wider"),
          sortedTable(module.gaps, [
            text("transfer"),
            time("work_ps", "work in it"),
            time("expected_ps", "expected"),
            text("start"),
            text("done"),
          ]),
        )
      : null,
  );
}
