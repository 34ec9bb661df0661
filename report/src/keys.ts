// The keyboard, and the page that lists it.

import { h } from "./dom.ts";

export interface Key {
  keys: string[]; // as KeyboardEvent.key says
  text: string; // what it does
  shown?: string; // how it is written, if not as the first of `keys`
  run: () => void;
}

export function attachKeys(keys: Key[]): void {
  const help = helpDialog(keys);
  document.body.append(help);
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.target as HTMLElement;
    // Keys typed into a field, and those that work a button or a slider, are theirs.
    if (target.matches("input, select, textarea") && event.key !== "Escape") return;
    if (target.matches("button, a") && (event.key === "Enter" || event.key === " ")) return;
    if (event.key === "?") {
      toggleDialog(help);
      event.preventDefault();
      return;
    }
    if (help.open) return;
    const key = keys.find((each) => each.keys.includes(event.key));
    if (!key) return;
    key.run();
    event.preventDefault();
  });
  document.addEventListener("podsim-help", () => toggleDialog(help));
}

export function showHelp(): void {
  document.dispatchEvent(new Event("podsim-help"));
}

function toggleDialog(dialog: HTMLDialogElement): void {
  if (dialog.open) dialog.close();
  else dialog.showModal();
}

function helpDialog(keys: Key[]): HTMLDialogElement {
  const rows = keys.map((key) => h("tr", {}, h("th", {}, ...boxes(key.shown ?? key.keys[0])), h("td", {}, key.text)));
  const mouse: [string, string][] = [
    ["wheel", "zoom about the pointer; over the names: scroll"],
    ["shift + wheel", "move in time"],
    ["alt + wheel", "scroll the lanes"],
    ["drag", "move"],
    ["shift + drag", "mark and measure a stretch of time"],
    ["click", "select; on the name of a chip or lane: open or collapse it"],
    ["double click", "zoom to a span"],
  ];
  const close = h("button", { onclick: () => dialog.close() }, "close");
  const dialog = h(
    "dialog",
    { class: "help", "aria-label": "Keys" },
    h("h2", {}, "Keys"),
    h(
      "div",
      { class: "columns" },
      h("table", {}, ...rows),
      h("table", {}, ...mouse.map(([what, text]) => h("tr", {}, h("th", {}, ...boxes(what)), h("td", {}, text)))),
    ),
    close,
  );
  return dialog;
}

function boxes(text: string): HTMLElement[] {
  return text.split(" ").map((each) => (each === "+" ? h("span", {}, " + ") : h("kbd", {}, each)));
}
