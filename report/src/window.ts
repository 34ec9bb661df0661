// The part of the time axis that is on screen, and what zooming and panning make of it.

const kLeastWidth = 1e3; // 1 ns: a hop is some hundred

export class TimeWindow {
  from = 0;
  to: number;

  // `margin`: how far beyond 0 and `end` one may look, as a share of the window.
  constructor(
    readonly end: number,
    private readonly margin = 0.02,
  ) {
    this.to = end;
    this.fit();
  }

  get width(): number {
    return this.to - this.from;
  }

  fit(): void {
    this.set(0, this.end);
  }

  // Shows from `from` to `to`, with a margin.
  show(from: number, to: number, margin = 0.15): void {
    const pad = Math.max((to - from) * margin, kLeastWidth / 2);
    this.set(from - pad, to + pad);
  }

  // Makes the window `factor` times as wide; the time `about` stays where it is.
  zoom(factor: number, about: number): void {
    const most = this.end * (1 + 2 * this.margin);
    const width = Math.min(most, Math.max(Math.min(kLeastWidth, most), this.width * factor));
    const share = this.width > 0 ? (about - this.from) / this.width : 0.5;
    this.set(about - share * width, about + (1 - share) * width);
  }

  pan(by: number): void {
    this.set(this.from + by, this.to + by);
  }

  set(from: number, to: number): void {
    const most = this.end * (1 + 2 * this.margin);
    const width = Math.min(most, Math.max(Math.min(kLeastWidth, most), to - from));
    const pad = width * this.margin;
    const first = Math.min(Math.max(from, -pad), this.end + pad - width);
    this.from = Math.max(first, -pad);
    this.to = this.from + width;
  }
}
