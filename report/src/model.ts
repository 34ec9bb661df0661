// Everything that is drawn, in arrays made for drawing: the document's columns, and of a comparison both documents' one
// behind the other, on one time axis.

import type { CriticalPath, GroupKind, LaneKind, ReportDocument } from "./data.ts";
import { overviewOf, type Overview } from "./overview.ts";
import { packRows, Row } from "./rows.ts";

const kOverviewSlices = 1200; // about a pixel each

export interface Lane {
  name: string;
  kind: LaneKind;
  group: number;
  rows: Row[]; // none if nothing happened on it
}

export interface Group {
  name: string;
  kind: GroupKind;
  number?: number; // of the chip or host
  run: number; // 0, or 1 for what is compared with it
  lanes: number[];
}

export interface Spans {
  lane: Int32Array;
  begin: Float64Array;
  end: Float64Array;
  asked: Float64Array; // at most begin
  name: Int32Array;
  bytes: Float64Array; // -1: none
  cause: Int32Array;
  detail: Int32Array;
}

export interface Arrows {
  from: Int32Array;
  to: Int32Array;
  kind: Int32Array;
}

// The arrows that touch each span: of span i, list[start[i]] to list[start[i + 1]].
export interface ArrowIndex {
  start: Int32Array;
  list: Int32Array;
}

export interface Path extends CriticalPath {
  run: number;
}

export class Model {
  readonly documents: ReportDocument[];
  readonly names: string[]; // of the runs
  readonly end: number;
  readonly strings: string[] = [];
  readonly groups: Group[] = [];
  readonly lanes: Lane[] = [];
  readonly spans: Spans;
  readonly arrows: Arrows;
  readonly arrowsInto: ArrowIndex;
  readonly arrowsOutOf: ArrowIndex;
  readonly paths: Path[] = [];
  readonly onPath: Uint8Array; // per span
  readonly rowOf: Int32Array; // per span: its row in its lane
  readonly overview: Overview;

  constructor(document: ReportDocument) {
    this.documents = document.compared ? [document, document.compared] : [document];
    this.names = this.documents.map((each) => each.title);
    this.end = Math.max(1, ...this.documents.map((each) => each.end));
    const lanes = this.documents.map((each, run) => this.addGroups(each, run));
    this.spans = joinSpans(this.documents, lanes);
    this.arrows = joinArrows(this.documents, this.strings);
    this.onPath = new Uint8Array(this.spans.lane.length);
    this.rowOf = new Int32Array(this.spans.lane.length);
    let firstSpan = 0;
    this.documents.forEach((each, run) => {
      this.addPath(each, run, firstSpan);
      firstSpan += each.spans.begin.length;
    });
    this.packLanes();
    this.overview = overviewOf(this, kOverviewSlices);
    this.arrowsInto = indexArrows(this.arrows.to, this.spans.lane.length);
    this.arrowsOutOf = indexArrows(this.arrows.from, this.spans.lane.length);
  }

  get spanCount(): number {
    return this.spans.lane.length;
  }

  get arrowCount(): number {
    return this.arrows.from.length;
  }

  string(index: number): string {
    return index >= 0 ? (this.strings[index] ?? "") : "";
  }

  spanName(span: number): string {
    return this.string(this.spans.name[span]);
  }

  laneOf(span: number): Lane {
    return this.lanes[this.spans.lane[span]];
  }

  groupOf(span: number): Group {
    return this.groups[this.laneOf(span).group];
  }

  // "chip 3 · DMA 0", and whose run's in a comparison.
  placeOf(span: number): string {
    const group = this.groupOf(span);
    const run = this.documents.length > 1 ? `${"AB"[group.run]} · ` : "";
    return `${run}${group.name} · ${this.laneOf(span).name}`;
  }

  // Returns for each lane of the document which of the model's it is. Tracks become one lane, whose rows keep apart what
  // overlaps: "DMA 0 (2)" goes into "DMA 0".
  private addGroups(document: ReportDocument, run: number): Int32Array {
    const firstGroup = this.groups.length;
    for (const group of document.groups) this.groups.push({ ...group, run, lanes: [] });
    const known = new Map<string, number>();
    return Int32Array.from(document.lanes, (lane) => {
      const group = firstGroup + lane.group;
      const [, base = lane.name] = lane.name.match(/^(.*) \(\d+\)$/) ?? [];
      const track = known.get(`${group} ${lane.kind} ${base}`);
      if (track !== undefined) return track;
      const number = this.lanes.push({ name: lane.name, kind: lane.kind, group, rows: [] }) - 1;
      known.set(`${group} ${lane.kind} ${lane.name}`, number);
      this.groups[group]?.lanes.push(number);
      return number;
    });
  }

  private addPath(document: ReportDocument, run: number, firstSpan: number): void {
    const path = document.critical_path;
    if (!path || path.segments.length === 0) return;
    const moved = (span: number | undefined) => (span === undefined || span < 0 ? -1 : firstSpan + span);
    const segments = path.segments.map((each) => ({ ...each, span: moved(each.span) }));
    const longest = path.longest.map((each) => ({ ...each, from: moved(each.from), to: moved(each.to) }));
    for (const segment of segments) {
      if (segment.span >= 0) this.onPath[segment.span] = 1;
    }
    const sentence = path.sentence.charAt(0).toUpperCase() + path.sentence.slice(1);
    this.paths.push({ ...path, segments, longest, sentence, run });
  }

  private packLanes(): void {
    const { lane, begin, end } = this.spans;
    const perLane: number[][] = this.lanes.map(() => []);
    for (let span = 0; span < lane.length; ++span) perLane[lane[span]]?.push(span);
    this.lanes.forEach((each, index) => {
      each.rows = packRows(perLane[index], begin, end);
      each.rows.forEach((row, place) => {
        row.spans.forEach((span) => (this.rowOf[span] = place));
        const onPath = row.spans.filter((span) => this.onPath[span]);
        if (onPath.length > 0) row.pathSpans = new Row(onPath, begin, end);
      });
    });
  }
}

function joinSpans(documents: ReportDocument[], lanes: Int32Array[]): Spans {
  const count = documents.reduce((sum, each) => sum + each.spans.begin.length, 0);
  const spans: Spans = {
    lane: new Int32Array(count),
    begin: new Float64Array(count),
    end: new Float64Array(count),
    asked: new Float64Array(count),
    name: new Int32Array(count),
    bytes: new Float64Array(count),
    cause: new Int32Array(count),
    detail: new Int32Array(count),
  };
  let at = 0;
  let firstString = 0;
  documents.forEach((document, run) => {
    const columns = document.spans;
    const length = columns.begin.length;
    for (let i = 0; i < length; ++i) {
      spans.lane[at + i] = lanes[run][columns.lane[i]];
      spans.begin[at + i] = columns.begin[i];
      spans.end[at + i] = columns.end[i];
      spans.asked[at + i] = Math.min(columns.begin[i], columns.asked?.[i] ?? columns.begin[i]);
      spans.bytes[at + i] = columns.bytes[i] ?? -1;
      spans.name[at + i] = moveString(columns.name[i], firstString);
      spans.cause[at + i] = moveString(columns.cause[i], firstString);
      spans.detail[at + i] = moveString(columns.detail[i], firstString);
    }
    at += length;
    firstString += document.strings.length;
  });
  return spans;
}

function moveString(index: number | undefined, first: number): number {
  return index === undefined || index < 0 ? -1 : first + index;
}

// Also gathers all documents' strings, to which kinds of arrows that are written out are added.
function joinArrows(documents: ReportDocument[], strings: string[]): Arrows {
  for (const document of documents) for (const each of document.strings) strings.push(each);
  const count = documents.reduce((sum, each) => sum + (each.arrows?.from.length ?? 0), 0);
  const arrows: Arrows = { from: new Int32Array(count), to: new Int32Array(count), kind: new Int32Array(count) };
  const added = new Map<string, number>();
  const add = (text: string) => {
    if (!added.has(text)) added.set(text, strings.push(text) - 1);
    return added.get(text)!;
  };
  let at = 0;
  let firstSpan = 0;
  let firstString = 0;
  for (const document of documents) {
    const columns = document.arrows;
    for (let i = 0; columns && i < columns.from.length; ++i, ++at) {
      arrows.from[at] = firstSpan + columns.from[i];
      arrows.to[at] = firstSpan + columns.to[i];
      const kind = columns.kind[i];
      arrows.kind[at] = typeof kind === "string" ? add(kind) : moveString(kind, firstString);
    }
    firstSpan += document.spans.begin.length;
    firstString += document.strings.length;
  }
  return arrows;
}

function indexArrows(ends: Int32Array, spans: number): ArrowIndex {
  const start = new Int32Array(spans + 1);
  for (const span of ends) ++start[span + 1];
  for (let i = 0; i < spans; ++i) start[i + 1] += start[i];
  const next = start.slice();
  const list = new Int32Array(ends.length);
  ends.forEach((span, arrow) => (list[next[span]++] = arrow));
  return { start, list };
}

export function arrowsOf(index: ArrowIndex, span: number): Int32Array {
  return index.list.subarray(index.start[span], index.start[span + 1]);
}
