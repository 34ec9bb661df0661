// The timeline with what belongs to it: tool bar, tooltip, details of the selected span.

import { DetailPanel, Tooltip } from "./details.ts";
import { h } from "./dom.ts";
import { kMostArrows } from "./arrows.ts";
import type { ArrowMode, Timeline } from "./timeline.ts";
import { attachInput } from "./timeline_input.ts";
import { countText } from "./units.ts";

const kArrowTexts: Record<ArrowMode, string> = { all: "arrows: all", chosen: "arrows: chosen", none: "arrows: none" };

export class TimelinePart {
  private readonly arrowButton = h("button", {
    onclick: () => this.nextArrowMode(),
    title: "Which arrows are drawn (r)",
  });
  private readonly pathButton = h(
    "button",
    { onclick: () => this.togglePath(), title: "Light up the critical path (c)" },
    "critical path",
  );
  private readonly emptyButton = h("button", {
    onclick: () => this.toggleEmpty(),
    title: "Show lanes on which nothing happened (e)",
  });
  private readonly note = h("span", { class: "faint", "aria-live": "polite" });

  constructor(
    private readonly timeline: Timeline,
    private readonly go: (span: number) => void,
  ) {
    timeline.afterDraw = () => this.showNote();
  }

  build(into: HTMLElement): void {
    const { timeline } = this;
    const tooltip = new Tooltip();
    const button = (text: string, title: string, run: () => void) => h("button", { onclick: run, title }, text);
    into.append(
      h(
        "div",
        { class: "toolbar" },
        button("fit", "The whole run (f)", () => timeline.fit()),
        button("−", "Zoom out (s)", () => timeline.zoom(1.6)),
        button("+", "Zoom in (w)", () => timeline.zoom(1 / 1.6)),
        button("open all", "Open all chips (o)", () => timeline.setAllCollapsed(false)),
        button("collapse all", "Collapse all chips (x)", () => timeline.setAllCollapsed(true)),
        this.arrowButton,
        timeline.model.paths.length > 0 ? this.pathButton : null,
        timeline.layout.emptyLanes > 0 ? this.emptyButton : null,
        this.note,
      ),
      h(
        "div",
        { class: "timeline" },
        h("div", { class: "timeline-box" }, timeline.canvas, tooltip.element),
        new DetailPanel(timeline, this.go).element,
      ),
    );
    attachInput(timeline, () => tooltip.show(timeline));
    this.showButtons();
  }

  nextArrowMode(): void {
    const modes: ArrowMode[] = ["all", "chosen", "none"];
    this.timeline.arrowMode = modes[(modes.indexOf(this.timeline.arrowMode) + 1) % modes.length];
    this.showButtons();
    this.timeline.redraw();
  }

  togglePath(): void {
    this.timeline.lit = !this.timeline.lit && this.timeline.model.paths.length > 0;
    this.showButtons();
    this.timeline.redraw();
  }

  toggleEmpty(): void {
    this.timeline.toggleEmpty();
    this.showButtons();
  }

  private showButtons(): void {
    const { arrowMode, lit, layout } = this.timeline;
    this.arrowButton.textContent = kArrowTexts[arrowMode];
    this.pathButton.setAttribute("aria-pressed", String(lit));
    this.emptyButton.textContent = `${countText(layout.emptyLanes)} empty lanes`;
    this.emptyButton.setAttribute("aria-pressed", String(layout.showEmpty));
  }

  private showNote(): void {
    const { drawn, visible } = this.timeline.lastArrows;
    const { model } = this.timeline;
    const arrows =
      this.timeline.arrowMode === "all" && visible > drawn.length
        ? `${countText(drawn.length)} of ${countText(visible)} arrows drawn (at most ${countText(kMostArrows)}: zoom in for the others)`
        : `${countText(visible)} arrows`;
    this.note.textContent =
      model.spanCount === 0 ? "nothing was recorded" : `${countText(model.spanCount)} spans · ${arrows}`;
  }
}
