// How busy each direction's links are over time, a column for each slice, and above it the slider that chooses one.

import { h, replace, svg } from "./dom.ts";
import { meanUse, type Direction, type LinkUse } from "./link_use.ts";
import { amountColour } from "./palette.ts";
import { isDark, onTheme } from "./theme.ts";

const kHeight = 14; // of a direction

export class UseStrip {
  readonly element = h("div", { class: "strip" });
  private readonly slider: HTMLInputElement;
  private readonly cursor = svg("rect", { class: "cursor", y: 0, width: 1 });

  // `choose` is called with the slice that the reader wants.
  constructor(
    private readonly use: LinkUse,
    private readonly directions: Direction[],
    private readonly choose: (slice: number) => void,
  ) {
    this.slider = h("input", {
      type: "range",
      min: 0,
      max: Math.max(0, use.slices - 1),
      value: 0,
      step: 1,
      "aria-label": "Time slice",
      oninput: () => choose(Number(this.slider.value)),
    });
    onTheme(() => this.draw());
    this.draw();
  }

  // -1: no slice, the whole run.
  show(slice: number): void {
    if (slice >= 0) this.slider.value = String(slice);
    this.cursor.setAttribute("x", String(slice));
    this.cursor.toggleAttribute("hidden", slice < 0);
  }

  private draw(): void {
    const { slices } = this.use;
    const dark = isDark();
    const height = this.directions.length * kHeight;
    const label = "Use of each direction over time";
    const picture = svg("svg", {
      viewBox: `0 0 ${slices} ${height}`,
      preserveAspectRatio: "none",
      height,
      role: "img",
      "aria-label": label,
    });
    this.directions.forEach((direction, row) => {
      for (let slice = 0; slice < slices; ++slice) {
        const share = meanUse(this.use, direction.links, slice);
        if (share === 0) continue;
        const fill = amountColour(share, dark);
        picture.append(svg("rect", { x: slice, y: row * kHeight, width: 1.02, height: kHeight - 2, fill }));
      }
    });
    this.cursor.setAttribute("height", String(height));
    picture.append(this.cursor);
    picture.addEventListener("click", (event) => {
      const box = picture.getBoundingClientRect();
      this.choose(Math.floor(((event.clientX - box.left) / box.width) * slices));
    });
    const names = this.directions.map((each) => h("span", {}, each.name));
    replace(
      this.element,
      h("div", { class: "strip-names" }, ...names),
      h("div", { class: "strip-body" }, this.slider, picture),
    );
  }
}
