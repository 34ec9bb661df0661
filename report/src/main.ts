// Reads the data in the page and puts the report together.

import { criticalPathSummary } from "./critical_path.ts";
import { parseDocument, type ReportDocument } from "./data.ts";
import { h, replace } from "./dom.ts";
import { header, outcomeOf } from "./header.ts";
import { attachKeys } from "./keys.ts";
import { Model } from "./model.ts";
import { watchPrinting } from "./printing.ts";
import { partsOfReport } from "./parts.ts";
import { SearchBox } from "./search_box.ts";
import { Selection } from "./selection.ts";
import { Tabs } from "./tabs.ts";
import { toggleTheme, watchTheme } from "./theme.ts";
import { Timeline } from "./timeline.ts";
import { TimelinePart } from "./timeline_part.ts";
import { offerTestHook } from "./test_hook.ts";

function start(): void {
  const began = performance.now();
  const page = document.getElementById("page")!;
  const data = document.getElementById("podsim-data")!;
  watchPrinting();
  watchTheme();
  let report: ReportDocument;
  try {
    report = parseDocument(data.textContent ?? "");
  } catch (error) {
    replace(
      page,
      h("p", { class: "notice bad", role: "alert" }, `This report can't be shown. ${(error as Error).message}`),
    );
    return;
  }
  data.remove(); // the text is read: let it go
  const compared = report.compared ? ` against ${report.compared.title}` : "";
  document.title = `${report.title}${compared} - podsim`;
  show(page, report, began);
}

function show(page: HTMLElement, report: ReportDocument, began: number): void {
  const model = new Model(report);
  const selection = new Selection(model);
  const timeline = new Timeline(model, selection, firstGroups(model));
  const go = (span: number) => {
    tabs.show("timeline");
    selection.select(span);
    timeline.reveal(span);
  };
  const timelinePart: TimelinePart = new TimelinePart(timeline, go);
  const tabs: Tabs = new Tabs(
    partsOfReport(model, timeline, timelinePart, { toSpan: go, toTimeline: () => tabs.show("timeline") }),
  );
  const search = new SearchBox(selection, go);
  search.input.addEventListener("input", () => tabs.show("timeline"));
  replace(page, header(model, search.element), criticalPathSummary(model), tabs.bar, tabs.body);
  if (outcomeOf(report) !== "completed") page.classList.add("failed");

  const neighbour = (by: number) => () => {
    const next = selection.span >= 0 ? timeline.neighbour(selection.span, by) : -1;
    if (next >= 0) go(next);
  };
  attachKeys([
    { keys: ["w", "+", "="], text: "zoom in", shown: "w", run: () => timeline.zoom(1 / 1.6) },
    { keys: ["s", "-"], text: "zoom out", shown: "s", run: () => timeline.zoom(1.6) },
    { keys: ["a", "ArrowLeft"], text: "move left", shown: "a ←", run: () => timeline.pan(-0.2) },
    { keys: ["d", "ArrowRight"], text: "move right", shown: "d →", run: () => timeline.pan(0.2) },
    { keys: ["ArrowUp", "k"], text: "lanes up", shown: "↑ k", run: () => timeline.scrollBy(-60) },
    { keys: ["ArrowDown", "j"], text: "lanes down", shown: "↓ j", run: () => timeline.scrollBy(60) },
    { keys: ["f", "0"], text: "the whole run", shown: "f", run: () => timeline.fit() },
    { keys: ["m"], text: "zoom to what is marked or selected", run: () => timeline.zoomToChosen() },
    { keys: [","], text: "previous span of the lane", run: neighbour(-1) },
    { keys: ["."], text: "next span of the lane", run: neighbour(1) },
    { keys: ["/"], text: "search", run: () => search.focus() },
    { keys: ["n"], text: "next found", run: () => search.step(1) },
    { keys: ["N", "p"], text: "previous found", shown: "p", run: () => search.step(-1) },
    { keys: ["r"], text: "arrows: all, chosen, none", run: () => timelinePart.nextArrowMode() },
    { keys: ["c"], text: "light up the critical path", run: () => timelinePart.togglePath() },
    { keys: ["o"], text: "open all chips", run: () => timeline.setAllCollapsed(false) },
    { keys: ["x"], text: "collapse all chips", run: () => timeline.setAllCollapsed(true) },
    { keys: ["e"], text: "empty lanes", run: () => timelinePart.toggleEmpty() },
    { keys: ["t"], text: "light or dark", run: toggleTheme },
    { keys: ["1", "2", "3", "4", "5", "6", "7", "8", "9"], text: "parts of the report", shown: "1 - 9", run: () => {} },
    {
      keys: ["Escape"],
      text: "let go of what is selected, marked, searched",
      run: () => {
        timeline.mark = undefined;
        search.clear();
        selection.select(-1);
        timeline.redraw();
      },
    },
  ]);
  addEventListener("keydown", (event) => {
    const inField = (event.target as HTMLElement).matches("input, select, textarea");
    if (!inField && !event.ctrlKey && !event.metaKey && !event.altKey && /^[1-9]$/.test(event.key))
      tabs.showNumber(Number(event.key) - 1);
  });
  tabs.showFromAddress();
  offerTestHook(model, timeline, performance.now() - began);
}

// Groups that are open from the start if there is not room for all: the chips of a failure, or of each run the one on
// which most of the critical path lies.
function firstGroups(model: Model): number[] {
  const all = model.groups.map((_, index) => index);
  const failed = new Set(model.documents[0].failure?.chips ?? []);
  const ofFailure = all.filter(
    (group) => model.groups[group].kind === "chip" && failed.has(model.groups[group].number ?? -1),
  );
  if (ofFailure.length > 0) return ofFailure;
  return model.paths.flatMap((path) => {
    const times = new Map<number, number>();
    for (const { begin, end, span } of path.segments) {
      if (span < 0) continue;
      const { group } = model.laneOf(span);
      times.set(group, (times.get(group) ?? 0) + end - begin);
    }
    const [most] = [...times].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
    return most ? [most[0]] : [];
  });
}

start();
