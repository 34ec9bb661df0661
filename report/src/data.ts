// The document that podsim puts into the page: "podsim-report 1" (docs/results.md). Times are picoseconds, rates bytes
// a second. Columns of a table have the same length; an index of -1 means none.

export type LaneKind = "program" | "mxu" | "vpu" | "dma" | "ici" | "pcie" | "wait";
export type GroupKind = "chip" | "host";

export interface Link {
  from: number;
  to: number;
  axis?: string; // absent or empty where links are listed one by one
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
  asked?: number[]; // when a program asked for it: before its begin if it had to wait for its turn
  name: number[];
  bytes: number[]; // moved; of a wait the value waited for
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

export interface RoofPoint {
  name: string;
  intensity: number; // FLOP for each byte of HBM traffic
  tflops: number;
  peak_tflops: number; // of the chip, for this type
  hbm_GBps: number; // of the chip
  bound: string;
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
  beside?: StepResult[];
  module?: ModuleResult | null;
  links?: {
    from: number;
    to: number;
    axis?: string;
    direction?: string;
    busy_fraction: number;
    bytes: number;
    packets: number;
  }[];
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
  run: RunResult; // what `podsim run --json` prints; parseDocument() puts an empty one where there is none
  steps?: { name: string; begin: number; time: number; completed: boolean }[];
  pod?: PodData | null;
  end: number;
  strings: string[];
  groups: { name: string; kind: GroupKind; number?: number }[];
  lanes: { group: number; name: string; kind: LaneKind }[];
  spans: SpanColumns;
  arrows?: ArrowColumns | null;
  series?: Series[] | null;
  links_use?: { width: number; slices: number; use: number[][] } | null; // by slice, then by link; 0 to 1
  critical_path?: CriticalPath | null;
  roofline?: { points: RoofPoint[] } | null;
  failure?: Failure | null;
  compared?: ReportDocument | null;
  // What is not in it: spans, of which chips, and what there was no room for while recording.
  left_out?: { spans: number; groups: number[]; not_recorded: number } | null;
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
  document.run ??= {};
  if (document.compared) document.compared.run ??= {};
  return document;
}
