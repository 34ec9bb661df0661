// The field to search in, and how far one is through what was found.

import { h } from "./dom.ts";
import type { Selection } from "./selection.ts";
import { countText } from "./units.ts";

export class SearchBox {
  readonly input = h("input", {
    type: "search",
    placeholder: "search ( / )",
    "aria-label": "Search spans and lanes",
    spellcheck: "false",
  });
  private readonly count = h("span", { class: "faint count", "aria-live": "polite" });
  readonly element = h("div", { class: "search" }, this.input, this.count);

  constructor(
    private readonly selection: Selection,
    private readonly go: (span: number) => void,
  ) {
    this.input.addEventListener("input", () => selection.search(this.input.value));
    this.input.addEventListener("keydown", (event) => {
      if (event.key === "Enter") this.step(event.shiftKey ? -1 : 1);
      if (event.key === "Escape") this.clear();
    });
    selection.onChange(() => this.show());
  }

  focus(): void {
    this.input.focus();
    this.input.select();
  }

  clear(): void {
    this.input.value = "";
    this.input.blur();
    this.selection.search("");
  }

  step(by: number): void {
    const span = this.selection.step(by);
    if (span >= 0) this.go(span);
  }

  private show(): void {
    const { query, found, place } = this.selection;
    this.count.textContent =
      query === ""
        ? ""
        : found.length === 0
          ? "none"
          : `${place > 0 ? `${countText(place)} of ` : ""}${countText(found.length)}`;
  }
}
