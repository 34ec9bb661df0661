// Documents for tests, made up but in the shape of real ones: chips on a torus that gather in rings, each turn an
// issue, a link, a landing and a wait. Every figure in them follows from the parameters.

import type { ReportDocument, LaneKind, Link } from "../src/data.ts";

export interface FixtureOptions {
  shape?: number[];
  wrap?: boolean;
  twist?: boolean;
  turns?: number; // of the ring
  slower?: number; // factor on the hops
  title?: string;
  hang?: boolean;
}

const kIssue = 50_000;
const kHop = 400_000;
const kCompute = 900_000;
const kBytes = 65_536;

const kLanes: [string, LaneKind][] = [
  ["XLA Ops", "program"],
  ["TensorCore 0 MXU", "mxu"],
  ["TensorCore 0 VPU", "vpu"],
  ["DMA 0 channel 0", "dma"],
  ["DMA 1 channel 0", "dma"],
  ["ICI x+", "ici"],
  ["ICI y+", "ici"],
  ["PCIe out", "pcie"],
  ["Tensor Core Sync Flag", "wait"],
];

export function fixture(options: FixtureOptions = {}): ReportDocument {
  const {
    shape = [4, 4],
    wrap = true,
    twist = false,
    turns = 12,
    slower = 1,
    title = "made-up run",
    hang = false,
  } = options;
  const chips = shape.reduce((product, size) => product * size, 1);
  const strings = [
    "all_gather",
    "matmul",
    "add",
    "issue",
    "hop",
    "land",
    "SyncWait recv",
    "compute",
    "semaphore",
    "link",
    "route x+",
    "to landing",
    "to wait",
  ];
  const [ALL_GATHER, MATMUL, ADD, ISSUE, HOP, LAND, WAIT, C_COMPUTE, C_SEMA, C_LINK, ROUTE, TO_LAND, TO_WAIT] =
    strings.map((_, index) => index);
  const spans: ReportDocument["spans"] = { lane: [], begin: [], end: [], name: [], bytes: [], cause: [], detail: [] };
  const arrows = { from: [] as number[], to: [] as number[], kind: [] as number[] };
  const span = (lane: number, begin: number, end: number, name: number, bytes = -1, cause = -1, detail = -1) => {
    spans.lane.push(lane);
    spans.begin.push(begin);
    spans.end.push(end);
    spans.name.push(name);
    spans.bytes.push(bytes);
    spans.cause.push(cause);
    spans.detail.push(detail);
    return spans.lane.length - 1;
  };
  const arrow = (from: number, to: number, kind: number) => {
    arrows.from.push(from);
    arrows.to.push(to);
    arrows.kind.push(kind);
  };
  const hop = kHop * slower;
  const turn = kIssue + hop + kIssue;
  const segments: { begin: number; end: number; cause: string; span: number }[] = [];
  for (let chip = 0; chip < chips; ++chip) {
    const lane = (index: number) => chip * kLanes.length + index;
    const right = (chip + 1) % chips;
    const outer = span(lane(0), 0, turns * turn, ALL_GATHER, turns * kBytes);
    void outer;
    for (let i = 0; i < turns; ++i) {
      const begin = i * turn;
      const issue = span(lane(3 + (i % 2)), begin, begin + kIssue, ISSUE, kBytes);
      const link = span(lane(5), begin + kIssue, begin + kIssue + hop, HOP, kBytes, C_LINK, ROUTE);
      const land = span(right * kLanes.length + 4 - (i % 2), begin + kIssue + hop, begin + turn, LAND, kBytes);
      const wait = span(right * kLanes.length + 8, begin + kIssue, begin + turn, WAIT, -1, C_SEMA);
      arrow(issue, land, TO_LAND);
      arrow(land, wait, TO_WAIT);
      const product = span(lane(1), begin, begin + Math.min(kCompute, turn * 0.6), MATMUL, -1, C_COMPUTE);
      void product;
      if (i % 3 === 0) span(lane(2), begin + kIssue, begin + kIssue + 120_000, ADD);
      if (chip === 0) {
        segments.push({ begin, end: begin + kIssue, cause: "compute", span: issue });
        segments.push({
          begin: begin + kIssue,
          end: begin + kIssue + hop,
          cause: i % 2 ? "link serialisation" : "hop latency",
          span: link,
        });
        segments.push({ begin: begin + kIssue + hop, end: begin + turn, cause: "semaphore", span: land });
      }
    }
  }
  const end = turns * turn;
  const links = torusLinks(shape, wrap, twist);
  const slices = 40;
  const use = Array.from({ length: slices }, (_, slice) =>
    links.map((link, index) =>
      link.axis === "x"
        ? Math.min(1, 0.55 + 0.45 * Math.sin(slice / 5 + index))
        : link.axis === "y"
          ? 0.3 * Math.abs(Math.sin(slice / 9))
          : 0.05,
    ),
  );
  const shares = new Map<string, number>();
  for (const each of segments) shares.set(each.cause, (shares.get(each.cause) ?? 0) + each.end - each.begin);
  const axes = shape.map((size, index) => ({ name: "xyzw"[index], size, wrap }));
  return {
    format: "podsim-report 1",
    title,
    podsim: "0.1.0",
    run: {
      command: "run",
      outcome: hang ? "deadlock" : "completed",
      pod: {
        name: `made-up-${shape.join("x")}`,
        chip: "tpu-made-up",
        chips,
        shape: `${shape.join(" x ")} torus`,
        links: links.length,
        hosts: 1,
      },
      data: "none",
      results: [
        {
          name: "all_gather",
          time_ps: end,
          size_bytes: chips * kBytes,
          type: "bf16",
          group_size: chips,
          algorithm: "ring",
          algbw_GBps: 10,
          busbw_GBps: 9,
          wrong: 0,
          kernel: null,
          links: links.map((link, index) => ({
            from: link.from,
            to: link.to,
            axis: link.axis,
            direction: link.direction,
            busy_fraction: use[0][index],
            bytes: kBytes,
            packets: 16,
          })),
        },
        {
          name: "matmul",
          time_ps: 1e6,
          type: "bf16",
          group_size: 1,
          algorithm: null,
          kernel: {
            kernels: [{ kernel: "matmul", shape: "512 x 512 x 512", dtype: "bf16" }],
            flops: 2.7e8,
            tflops: 270,
            peak_share: 0.3,
            hbm_GBps: 700,
            hbm_share: 0.43,
            bound: "HBM",
          },
        },
      ],
    },
    pod: {
      name: `made-up-${shape.join("x")}`,
      shape,
      wrap: axes.map((axis) => axis.wrap),
      twist,
      links,
      chips: Array.from({ length: chips }, (_, id) => ({ id, coordinates: placeOf(id, shape) })),
    },
    end,
    strings,
    groups: Array.from({ length: chips }, (_, chip) => ({
      name: `chip ${chip} (${placeOf(chip, shape).join(",")})`,
      kind: "chip" as const,
      number: chip,
    })),
    lanes: Array.from({ length: chips }, (_, group) => kLanes.map(([name, kind]) => ({ group, name, kind }))).flat(),
    spans,
    arrows,
    series: [
      {
        name: "HBM bandwidth",
        unit: "GB/s",
        group: 0,
        t: Array.from({ length: 100 }, (_, i) => (i * end) / 100),
        v: Array.from({ length: 100 }, (_, i) => 400 + 300 * Math.sin(i / 7)),
      },
      {
        name: "queue depth",
        unit: "descriptors",
        group: 0,
        t: Array.from({ length: 60 }, (_, i) => (i * end) / 60),
        v: Array.from({ length: 60 }, (_, i) => i % 5),
      },
    ],
    links_use: { width: end / slices, slices, use },
    critical_path: {
      segments,
      shares: [...shares].map(([cause, time]) => ({ cause, time })),
      longest: segments
        .filter((each) => each.cause !== "compute")
        .slice(0, 10)
        .map((each, index) => ({
          from: 0,
          to: each.span,
          time: each.end - each.begin,
          text: `turn ${index}: chip 0 to chip 1 over x+`,
        })),
      sentence: "The x links are busy 97 % of the step while y is idle: a ring over both axes would help.",
    },
    roofline: null,
    failure: hang
      ? {
          kind: "deadlock",
          text: "deadlock: 3 of 4 chips have not ended their program, and nothing is left to happen.\n  chips 0, 1, 2 wait for each other",
          chips: [0, 1, 2],
          graph: {
            nodes: [0, 1, 2].flatMap((chip) => [
              { kind: "task", name: `chip ${chip}`, state: "at ring.cpp:59 (all_gather)", chip },
              { kind: "semaphore", name: `'turn' of chip ${chip}`, state: "holds 0, wanted 1", chip },
            ]),
            edges: [0, 1, 2].flatMap((chip) => [
              { from: 2 * chip, to: 2 * chip + 1, why: "waits for it" },
              { from: 2 * chip + 1, to: (2 * chip + 2) % 6, why: "would signal it" },
            ]),
            cycle: [0, 1, 2, 3, 4, 5],
          },
        }
      : null,
    compared: null,
  };
}

// Enough turns for at least `spans` spans.
export function bigFixture(spans: number): ReportDocument {
  const chips = 64;
  return fixture({ shape: [4, 4, 4], turns: Math.ceil(spans / (chips * 5.33)), title: `${spans} spans` });
}

export function placeOf(chip: number, shape: number[]): number[] {
  return shape.map(
    (size, axis) => Math.floor(chip / shape.slice(0, axis).reduce((product, each) => product * each, 1)) % size,
  );
}

function torusLinks(shape: number[], wrap: boolean, twist: boolean): Link[] {
  const index = (place: number[]) =>
    place.reduce(
      (sum, each, axis) => sum + each * shape.slice(0, axis).reduce((product, size) => product * size, 1),
      0,
    );
  const links: Link[] = [];
  const chips = shape.reduce((product, size) => product * size, 1);
  const long = shape.indexOf(Math.max(...shape));
  for (let from = 0; from < chips; ++from) {
    const place = placeOf(from, shape);
    shape.forEach((size, axis) => {
      for (const step of [1, -1]) {
        const to = [...place];
        to[axis] += step;
        const leaves = to[axis] < 0 || to[axis] >= size;
        if (size === 1 || (leaves && (!wrap || size <= 2))) continue;
        to[axis] = (to[axis] + size) % size;
        if (leaves && twist && axis !== long) to[long] = (to[long] + shape[long] / 2) % shape[long];
        links.push({ from, to: index(to), axis: "xyzw"[axis], direction: step > 0 ? "+" : "-", bandwidth: 45e9 });
      }
    });
  }
  return links;
}
