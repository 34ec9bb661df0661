// The document that podsim puts into the page: "podsim-report 1" (docs/results.md). Times are picoseconds, rates bytes a
// second. Columns of a table have the same length; an index of -1 means none.

export type LaneKind = "program" | "mxu" | "vpu" | "dma" | "ici" | "pcie" | "wait";
export type GroupKind = "chip" | "host";

export interface Link {
  from: number;
  to: number;
  axis?: string; // absent where links are listed one by one
  direction?: string; // "+" or "-"
  bandwidth?: number;
}

export interface Chip {
  id: number;
  coordinates: number[];
}

export interface PodData {
  name: string;
  shape: number[];
  wrap: boolean[];
  twist: unknown;
  links: Link[];
  chips: Chip[];
}

export interface SpanColumns {
  lane: number[];
  begin: number[];
  end: number[];
  name: number[];
  bytes: number[];
  cause: number[];
  detail: number[];
}

export interface ArrowColumns {
  from: number[]; // spans
  to: number[];
  kind: number[] | string[]; // strings, or their indices
}

export interface Series {
  name: string;
  unit: string;
  group?: number | string;
  t: number[];
  v: number[];
}

export interface Segment {
  begin: number;
  end: number;
  cause: string;
  span: number;
}

export interface LongArrow {
  from?: number;
  to?: number;
  time: number;
  text: string;
}

export interface CriticalPath {
  segments: Segment[];
  shares: { cause: string; time: number }[];
  longest: LongArrow[];
  sentence: string;
}

export interface Roofline {
  compute: { name: string; flops: number }[]; // FLOP/s that can't be exceeded
  memory: { name: string; bandwidth: number }[]; // bytes/s
  points: { name: string; flops: number; bytes: number; time: number; bound?: string }[];
}

export interface WaitNode {
  kind: string;
  name: string;
  state: string;
  chip?: number | null;
}

export interface WaitGraph {
  nodes: WaitNode[];
  edges: { from: number; to: number; why: string }[];
  cycle?: number[];
}

export interface Failure {
  kind: string;
  text: string;
  chips: number[];
  graph?: WaitGraph | null;
}

// What `podsim run --json` prints: only what the report reads of it.
export interface StepResult {
  name: string;
  outcome?: string;
  size_bytes?: number;
  type?: string;
  group_size?: number;
  algorithm?: string | null;
  time_ps: number;
  algbw_GBps?: number;
  busbw_GBps?: number;
  wrong?: number | null;
  kernel?: KernelResult | null;
  module?: ModuleResult | null;
  links?: { from: number; to: number; axis?: string; direction?: string; busy_fraction: number; bytes: number; packets: number }[];
  blocks?: ({ chip: number; place: number[] } & Record<string, unknown>)[];
  [key: string]: unknown;
}

export interface KernelResult {
  kernels: { kernel: string; shape: string; dtype: string }[];
  flops: number;
  tflops: number;
  peak_share: number;
  hbm_GBps: number;
  hbm_share: number;
  bound: string;
  [key: string]: unknown;
}

export interface ModuleResult {
  name: string;
  schedule: string;
  expected_ps: number;
  transfers: Record<string, unknown>[];
  gaps: Record<string, unknown>[];
  slowest_chip: number;
  breakdown: Record<string, number>[];
  [key: string]: unknown;
}

export interface RunResult {
  outcome?: string;
  explanation?: string;
  description?: string;
  file?: string;
  command?: string;
  pod?: { name: string; chip: string; chips: number; shape: string; links: number; hosts: number };
  data?: string;
  wait_for?: WaitGraph;
  results?: StepResult[];
  [key: string]: unknown;
}

export interface ReportDocument {
  format: string;
  title: string;
  podsim: string;
  run: RunResult;
  pod?: PodData | null;
  end: number;
  strings: string[];
  groups: { name: string; kind: GroupKind }[];
  lanes: { group: number; name: string; kind: LaneKind }[];
  spans: SpanColumns;
  arrows?: ArrowColumns | null;
  series?: Series[] | null;
  links_use?: { width: number; slices: number; use: number[][] } | null;
  critical_path?: CriticalPath | null;
  roofline?: Roofline | null;
  failure?: Failure | null;
  compared?: ReportDocument | null;
  dropped?: number; // spans that did not fit
}

export const kFormat = "podsim-report 1";

// Throws an Error that says what is wrong for a reader of the page.
export function parseDocument(text: string): ReportDocument {
  let document: ReportDocument;
  try {
    document = JSON.parse(text) as ReportDocument;
  } catch {
    throw new Error("The file is cut short or was changed: its data is not JSON any more.");
  }
  if (document === null || typeof document !== "object" || document.format !== kFormat) {
    const found = (document as { format?: unknown } | null)?.format;
    throw new Error(`The data is of format ${JSON.stringify(found)}; this page reads "${kFormat}".`);
  }
  return document;
}
