// The spans of a lane, put into rows in which nothing overlaps: a span inside another gets the next row down. A row is
// sorted by time, so that what lies under a pixel is found by bisection, and knows how much of it was busy before each
// span, so that the busy share of any interval is exact at once.

export class Row {
  readonly spans: Int32Array;
  readonly begins: Float64Array;
  readonly ends: Float64Array;
  pathSpans: Row | undefined; // those of its spans that are on the critical path, if there are any
  private readonly busyBefore: Float64Array; // one more than there are spans

  constructor(spans: ArrayLike<number>, begin: Float64Array, end: Float64Array) {
    const count = spans.length;
    this.spans = Int32Array.from(spans);
    this.begins = new Float64Array(count);
    this.ends = new Float64Array(count);
    this.busyBefore = new Float64Array(count + 1);
    for (let i = 0; i < count; ++i) {
      this.begins[i] = begin[spans[i]];
      this.ends[i] = end[spans[i]];
      this.busyBefore[i + 1] = this.busyBefore[i] + this.ends[i] - this.begins[i];
    }
  }

  get length(): number {
    return this.spans.length;
  }

  // The first place from `from` on whose span ends after `time`; length if none does.
  firstEndingAfter(time: number, from = 0): number {
    let low = from;
    let high = this.length;
    // Neighbours are asked for most: gallop before bisecting.
    for (let stride = 1; low + stride < high; stride *= 2) {
      if (this.ends[low + stride] > time) {
        high = low + stride + 1;
        break;
      }
      low += stride;
    }
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.ends[middle] > time) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  // How much of [from, to) spans cover, in the unit of time.
  busy(from: number, to: number): number {
    return this.busyUntil(to) - this.busyUntil(from);
  }

  // The place of the span at `time`, or the nearest within `slack` on either side; -1 if there is none.
  at(time: number, slack = 0): number {
    const next = this.firstEndingAfter(time);
    if (next < this.length && this.begins[next] <= time) return next;
    const after = next < this.length ? this.begins[next] - time : Infinity;
    const before = next > 0 ? time - this.ends[next - 1] : Infinity;
    if (Math.min(after, before) > slack) return -1;
    return after <= before ? next : next - 1;
  }

  private busyUntil(time: number): number {
    const next = this.firstEndingAfter(time);
    const inside = next < this.length ? Math.max(0, time - this.begins[next]) : 0;
    return this.busyBefore[next] + inside;
  }
}

// `spans` of one lane in any order. The longer of two that begin together goes first, as the outer one.
export function packRows(spans: number[], begin: Float64Array, end: Float64Array): Row[] {
  spans.sort((a, b) => begin[a] - begin[b] || end[b] - end[a] || a - b);
  const rows: number[][] = [];
  const free: number[] = []; // when each row's last span ends
  for (const span of spans) {
    let row = 0;
    while (row < rows.length && free[row] > begin[span]) ++row;
    if (row === rows.length) rows.push([]);
    rows[row].push(span);
    free[row] = end[span];
  }
  return rows.map((row) => new Row(row, begin, end));
}
