// What the reader has chosen, for all parts of the page: one span, and the spans that a search has found.

import type { Model } from "./model.ts";

export class Selection {
  span = -1;
  query = "";
  found: Int32Array = new Int32Array(0); // by begin
  isFound: Uint8Array | undefined; // per span; undefined without a search
  private readonly listeners: (() => void)[] = [];

  constructor(private readonly model: Model) {}

  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  select(span: number): void {
    if (span === this.span) return;
    this.span = span;
    this.tell();
  }

  // Spans whose name, or whose lane's or group's, has `query` in it; upper and lower case alike.
  search(query: string): void {
    this.query = query.trim();
    if (this.query === "") {
      this.found = new Int32Array(0);
      this.isFound = undefined;
      this.tell();
      return;
    }
    const wanted = this.query.toLowerCase();
    const nameFits = this.model.strings.map((each) => each.toLowerCase().includes(wanted));
    const laneFits = this.model.lanes.map((lane) =>
      `${this.model.groups[lane.group].name} ${lane.name}`.toLowerCase().includes(wanted),
    );
    const { name, lane, begin } = this.model.spans;
    const isFound = new Uint8Array(name.length);
    const found: number[] = [];
    for (let span = 0; span < name.length; ++span) {
      if ((name[span] >= 0 && nameFits[name[span]]) || laneFits[lane[span]]) {
        isFound[span] = 1;
        found.push(span);
      }
    }
    found.sort((a, b) => begin[a] - begin[b] || a - b);
    this.found = Int32Array.from(found);
    this.isFound = isFound;
    this.tell();
  }

  // The found span after the selected one, or before it; round and round.
  step(by: number): number {
    const count = this.found.length;
    if (count === 0) return -1;
    const at = this.found.indexOf(this.span);
    const next = at < 0 ? (by > 0 ? 0 : count - 1) : (at + by + count) % count;
    return this.found[next];
  }

  // 1 for the first of the found; 0 if none of them is selected.
  get place(): number {
    return this.found.indexOf(this.span) + 1;
  }

  private tell(): void {
    for (const listener of this.listeners) listener();
  }
}
