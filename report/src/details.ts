// What is known of a span: as a tooltip for the one under the pointer, at length for the one selected, with what it
// waited for and what it released.

import { h, replace, swatch } from "./dom.ts";
import { arrowsOf, type Model } from "./model.ts";
import { causeColour, kLaneKindNames, laneColour } from "./palette.ts";
import type { Timeline } from "./timeline.ts";
import { bytesText, countText, rateText, timeText } from "./units.ts";

const kMostListed = 12;

// Pairs of what and how much.
export function factsOf(model: Model, span: number): [string, string][] {
  const { begin, end, asked, bytes, cause, detail } = model.spans;
  const time = end[span] - begin[span];
  const facts: [string, string][] = [
    ["where", model.placeOf(span)],
    ["begins", timeText(begin[span])],
    ["takes", time > 0 ? timeText(time) : "no time"],
  ];
  if (asked[span] < begin[span])
    facts.push(["asked for", `${timeText(begin[span] - asked[span])} earlier: it had to wait for its turn`]);
  if (model.laneOf(span).kind === "wait") {
    if (bytes[span] > 0) facts.push(["waits for", countText(bytes[span])]);
  } else if (bytes[span] > 0) {
    facts.push(["size", bytesText(bytes[span])]);
    if (time > 0) facts.push(["bandwidth", rateText((bytes[span] / time) * 1e12)]);
  }
  if (cause[span] >= 0) facts.push(["held up by", model.string(cause[span])]);
  if (detail[span] >= 0) facts.push(["detail", model.string(detail[span])]);
  if (model.onPath[span]) facts.push(["critical", "on the critical path"]);
  return facts;
}

function factList(facts: [string, string][]): HTMLElement {
  return h("dl", { class: "facts" }, ...facts.flatMap(([what, value]) => [h("dt", {}, what), h("dd", {}, value)]));
}

function heading(model: Model, span: number): HTMLElement {
  return h(
    "h3",
    {},
    swatch(laneColour(model.laneOf(span).kind)),
    model.spanName(span) || kLaneKindNames[model.laneOf(span).kind],
  );
}

export class Tooltip {
  readonly element = h("div", { class: "tooltip", role: "tooltip", hidden: true });

  show(timeline: Timeline): void {
    const { hover, pointer, model, canvas } = timeline;
    this.element.hidden = hover < 0 || !pointer;
    if (hover < 0 || !pointer) return;
    const waits = arrowsOf(model.arrowsInto, hover);
    const facts = factsOf(model, hover);
    if (waits.length > 0) {
      const first = model.arrows.from[waits[0]];
      const more = waits.length > 1 ? `, and ${waits.length - 1} more` : "";
      facts.push(["waited for", `${model.spanName(first)} on ${model.placeOf(first)}${more}`]);
    }
    replace(this.element, heading(model, hover), factList(facts));
    const room = canvas.parentElement!;
    const { offsetWidth, offsetHeight } = this.element;
    const x = pointer.x + 16 + offsetWidth > room.clientWidth ? pointer.x - 12 - offsetWidth : pointer.x + 16;
    const y = Math.min(pointer.y + 14, Math.max(0, canvas.clientHeight - offsetHeight - 4));
    this.element.style.left = `${Math.max(0, x)}px`;
    this.element.style.top = `${y}px`;
  }
}

export class DetailPanel {
  readonly element = h("aside", { class: "details", "aria-label": "Selected span", "aria-live": "polite" });

  constructor(
    private readonly timeline: Timeline,
    private readonly go: (span: number) => void,
  ) {
    timeline.selection.onChange(() => this.show());
    this.show();
  }

  private show(): void {
    const { model, selection } = this.timeline;
    const span = selection.span;
    if (span < 0) {
      replace(this.element, ...this.legend());
      return;
    }
    const step = (by: number) => () => {
      const next = this.timeline.neighbour(span, by);
      if (next >= 0) this.go(next);
    };
    replace(
      this.element,
      heading(model, span),
      factList(factsOf(model, span)),
      h(
        "div",
        { class: "buttons" },
        h("button", { onclick: step(-1), title: "Previous in this lane ( , )" }, "◂"),
        h("button", { onclick: step(1), title: "Next in this lane ( . )" }, "▸"),
        h("button", { onclick: () => this.timeline.zoomToChosen(), title: "Zoom to it (m)" }, "zoom to"),
        h("button", { onclick: () => selection.select(-1), title: "Let go (Escape)" }, "✕"),
      ),
      this.arrowList("It waited for", arrowsOf(model.arrowsInto, span), model.arrows.from),
      this.arrowList("It released", arrowsOf(model.arrowsOutOf, span), model.arrows.to),
    );
  }

  private arrowList(title: string, arrows: Int32Array, others: Int32Array): HTMLElement | null {
    if (arrows.length === 0) return null;
    const { model } = this.timeline;
    const items = [...arrows.slice(0, kMostListed)].map((arrow) => {
      const other = others[arrow];
      const length = model.spans.begin[model.arrows.to[arrow]] - model.spans.end[model.arrows.from[arrow]];
      return h(
        "li",
        {},
        h("button", { class: "link", onclick: () => this.go(other) }, model.spanName(other) || "span"),
        ` ${model.placeOf(other)}`,
        h("span", { class: "faint" }, ` ${model.string(model.arrows.kind[arrow])}, ${timeText(length)}`),
      );
    });
    const left = arrows.length - items.length;
    return h(
      "section",
      {},
      h("h4", {}, title),
      h("ul", { class: "plain" }, ...items),
      left > 0 ? `and ${countText(left)} more` : null,
    );
  }

  private legend(): HTMLElement[] {
    const { model } = this.timeline;
    const kinds = [...new Set(model.lanes.filter((lane) => lane.rows.length > 0).map((lane) => lane.kind))];
    const causes = [...new Set(model.paths.flatMap((path) => path.shares.map((share) => share.cause)))];
    const list = (entries: [string, string][]) =>
      h("ul", { class: "legend" }, ...entries.map(([colour, text]) => h("li", {}, swatch(colour), text)));
    const parts = [h("h4", {}, "Lanes"), list(kinds.map((kind) => [laneColour(kind), kLaneKindNames[kind] ?? kind]))];
    if (causes.length > 0)
      parts.push(h("h4", {}, "Critical path, by cause"), list(causes.map((cause) => [causeColour(cause), cause])));
    parts.push(
      h(
        "p",
        { class: "faint" },
        "An arrow leads from a transfer's issue to its landing, and from there to the wait that it ended. The long one is the exposed hop.",
      ),
      h(
        "p",
        { class: "faint" },
        "Click a span for what it waited for. Wheel zooms, drag moves, shift-drag measures, ? lists the keys.",
      ),
    );
    return parts;
  }
}
