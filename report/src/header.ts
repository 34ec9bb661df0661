// The page's first lines: what ran, how it ended, how long it took.

import type { ReportDocument } from "./data.ts";
import { h } from "./dom.ts";
import type { Model } from "./model.ts";
import { showHelp } from "./keys.ts";
import { toggleTheme } from "./theme.ts";
import { countText, percentText, timeText } from "./units.ts";

export function outcomeOf(document: ReportDocument): string {
  return document.failure?.kind ?? document.run.outcome ?? "completed";
}

function runLine(document: ReportDocument, label: string): HTMLElement {
  const outcome = outcomeOf(document);
  const pod = document.run.pod;
  const algorithms = [...new Set((document.run.results ?? []).flatMap(({ algorithm }) => algorithm ?? []))];
  const facts = [
    pod ? `${pod.name || pod.chip}: ${countText(pod.chips)} × ${pod.chip}, ${pod.shape}` : (document.pod?.name ?? ""),
    algorithms.length > 0 ? `algorithm ${algorithms.join(", ")}` : "",
    document.run.data ? `data ${document.run.data}` : "",
    `podsim ${document.podsim}`,
  ].filter((each) => each !== "");
  return h(
    "div",
    { class: "run-line" },
    label ? h("b", { class: "run-label" }, label) : null,
    h("h1", {}, document.title),
    h("span", { class: `outcome ${outcome === "completed" ? "good" : "bad"}` }, outcome),
    h("span", { class: "time" }, timeText(document.end)),
    h("span", { class: "faint" }, facts.join(" · ")),
  );
}

function leftOut(document: ReportDocument, label: string): HTMLElement | null {
  const { spans = 0, groups = [], not_recorded = 0 } = document.left_out ?? {};
  const parts = [
    spans > 0
      ? `${countText(spans)} spans of ${countText(groups.length)} chips are not in this file, which would be too large for a browser`
      : "",
    not_recorded > 0 ? `${countText(not_recorded)} spans and arrows were not recorded, there was no room for more` : "",
  ].filter((each) => each !== "");
  return parts.length > 0
    ? h(
        "p",
        { class: "notice" },
        `${label}${parts.join("; ")}. --trace-chips, --trace-from and --trace-to choose others.`,
      )
    : null;
}

export function header(model: Model, searchBox: HTMLElement): HTMLElement {
  const [first, second] = model.documents;
  const more = second ? second.end - first.end : 0;
  return h(
    "header",
    {},
    h(
      "div",
      { class: "runs" },
      ...model.documents.map((document, run) => runLine(document, second ? "AB"[run] : "")),
      second
        ? h(
            "p",
            { class: "verdict" },
            `B takes ${timeText(Math.abs(more))} (${percentText(Math.abs(more) / first.end)}) ${more >= 0 ? "more" : "less"} than A`,
          )
        : null,
      ...model.documents.map((document, run) => leftOut(document, second ? `${"AB"[run]}: ` : "")),
    ),
    h(
      "div",
      { class: "tools" },
      searchBox,
      h("button", { onclick: toggleTheme, title: "Light or dark (t)", "aria-label": "Light or dark" }, "◐"),
      h("button", { onclick: showHelp, title: "Keys (?)", "aria-label": "Keys" }, "?"),
    ),
  );
}
