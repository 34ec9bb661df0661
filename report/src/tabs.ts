// The page's parts, one at a time on screen, all of them in print. A part is built when it is first shown.

import { h } from "./dom.ts";
import { onPrint } from "./printing.ts";

export interface Part {
  id: string;
  title: string;
  build: (into: HTMLElement) => void;
  onShow?: () => void;
}

export class Tabs {
  readonly bar = h("nav", { class: "tabs", role: "tablist", "aria-label": "Parts of the report" });
  readonly body = h("div", { class: "parts" });
  current = "";
  private readonly built = new Set<string>();
  private readonly panels = new Map<string, HTMLElement>();
  private readonly buttons = new Map<string, HTMLElement>();

  constructor(private readonly parts: Part[]) {
    parts.forEach((part, index) => {
      const title = index < 9 ? `${part.title} (${index + 1})` : part.title;
      const button = h(
        "button",
        {
          role: "tab",
          id: `tab-${part.id}`,
          "aria-controls": `part-${part.id}`,
          title,
          onclick: () => this.show(part.id),
        },
        part.title,
      );
      const panel = h("section", {
        class: "panel",
        role: "tabpanel",
        id: `part-${part.id}`,
        "aria-labelledby": `tab-${part.id}`,
      });
      panel.append(h("h2", { class: "print-only" }, part.title));
      this.buttons.set(part.id, button);
      this.panels.set(part.id, panel);
      this.bar.append(button);
      this.body.append(panel);
    });
    onPrint(() => parts.forEach((part) => this.build(part)));
    addEventListener("hashchange", () => this.showFromAddress());
  }

  showFromAddress(): void {
    const wanted = location.hash.slice(1);
    this.show(this.panels.has(wanted) ? wanted : this.parts[0].id);
  }

  showNumber(index: number): void {
    if (this.parts[index]) this.show(this.parts[index].id);
  }

  show(id: string): void {
    if (id === this.current) return;
    this.current = id;
    for (const part of this.parts) {
      const chosen = part.id === id;
      this.panels.get(part.id)!.classList.toggle("chosen", chosen);
      this.buttons.get(part.id)!.setAttribute("aria-selected", String(chosen));
    }
    const part = this.parts.find((each) => each.id === id)!;
    this.build(part);
    part.onShow?.();
    history.replaceState(null, "", `#${id}`);
  }

  private build(part: Part): void {
    if (this.built.has(part.id)) return;
    this.built.add(part.id);
    part.build(this.panels.get(part.id)!);
  }
}
