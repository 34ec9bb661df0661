// A run that went wrong: what podsim says of it, and of a hang the graph of who waits for whom. Its last moments are on
// the timeline.

import { layout as layoutGraph, Graph } from "@dagrejs/dagre";
import type { Failure, WaitGraph } from "./data.ts";
import { h, svg } from "./dom.ts";
import type { Model } from "./model.ts";
import type { Timeline } from "./timeline.ts";
import { countText } from "./units.ts";

const kMostNodes = 60;
const kLineHeight = 15;
const kLineLength = 44; // characters
const kCharacter = 6.3; // pixels, about

export function failureOf(model: Model): Failure | undefined {
  const document = model.documents.find((each) => each.failure || each.run.wait_for);
  if (!document) return undefined;
  const given = document.failure;
  return {
    kind: given?.kind ?? document.run.outcome ?? "failure",
    text: given?.text ?? document.run.explanation ?? "",
    chips: given?.chips ?? [],
    graph: given?.graph ?? document.run.wait_for,
  };
}

export function failureSection(model: Model, timeline: Timeline, showTimeline: () => void): HTMLElement[] {
  const failure = failureOf(model)!;
  const lastMoments = () => {
    const { end } = model;
    timeline.window.show(end * 0.9, end, 0.02);
    showTimeline();
  };
  const { graph } = failure;
  return [
    h(
      "div",
      { class: "columns failure" },
      h(
        "section",
        { class: "explanation" },
        h("pre", {}, failure.text),
        model.spanCount > 0 && model.end > 1
          ? h("button", { onclick: lastMoments }, "the last moments on the timeline")
          : null,
      ),
      graph && graph.nodes.length > 0 ? h("section", {}, h("h4", {}, "Who waits for whom"), ...drawGraph(graph)) : null,
    ),
  ];
}

// The nodes to draw: those of the circle first, then their neighbours, and so on.
export function chooseNodes(graph: WaitGraph, most: number): number[] {
  const all = graph.nodes.map((_, index) => index);
  if (all.length <= most) return all;
  const neighbours = new Map<number, number[]>(all.map((index) => [index, []]));
  for (const { from, to } of graph.edges) {
    neighbours.get(from)?.push(to);
    neighbours.get(to)?.push(from);
  }
  const chosen = new Set<number>();
  const queue = [...(graph.cycle ?? []), ...all];
  for (let next = 0; next < queue.length && chosen.size < most; ++next) {
    if (chosen.has(queue[next])) continue;
    chosen.add(queue[next]);
    if (next < (graph.cycle?.length ?? 0)) queue.splice(graph.cycle!.length, 0, ...(neighbours.get(queue[next]) ?? []));
  }
  return [...chosen].sort((a, b) => a - b);
}

function drawGraph(graph: WaitGraph): HTMLElement[] {
  const chosen = chooseNodes(graph, kMostNodes);
  const onCycle = new Set(graph.cycle ?? []);
  const dagre = new Graph({ multigraph: true });
  dagre.setGraph({ rankdir: "TB", nodesep: 28, ranksep: 44, marginx: 10, marginy: 10 });
  dagre.setDefaultEdgeLabel(() => ({}));
  const lines = new Map<number, string[]>();
  for (const node of chosen) {
    const { name, state } = graph.nodes[node];
    const text = [name, ...wrap(state, kLineLength)];
    lines.set(node, text);
    dagre.setNode(String(node), { width: widthOf(text) + 20, height: text.length * kLineHeight + 12 });
  }
  const edges = graph.edges.filter((edge) => lines.has(edge.from) && lines.has(edge.to));
  edges.forEach((edge, index) => {
    const text = wrap(edge.why, kLineLength);
    dagre.setEdge(
      String(edge.from),
      String(edge.to),
      { width: widthOf(text), height: text.length * kLineHeight, labelpos: "c" },
      String(index),
    );
  });
  layoutGraph(dagre);

  const { width, height } = dagre.graph() as { width: number; height: number };
  const picture = svg("svg", {
    class: "wait-graph",
    width,
    height,
    viewBox: `0 0 ${width} ${height}`,
    role: "img",
    "aria-label": "Graph of who waits for whom",
  });
  picture.append(
    svg(
      "defs",
      {},
      svg(
        "marker",
        {
          id: "wait-head",
          viewBox: "0 0 8 8",
          refX: 7,
          refY: 4,
          markerWidth: 9,
          markerHeight: 9,
          markerUnits: "userSpaceOnUse",
          orient: "auto-start-reverse",
        },
        svg("path", { d: "M0 0L8 4L0 8Z" }),
      ),
    ),
  );
  edges.forEach((edge, index) => {
    const placed = dagre.edge(String(edge.from), String(edge.to), String(index)) as {
      points: { x: number; y: number }[];
      x?: number;
      y?: number;
    };
    const [first, ...rest] = placed.points;
    const path = `M${first.x} ${first.y}${rest.map(({ x, y }) => `L${x} ${y}`).join("")}`;
    const cycle = onCycle.has(edge.from) && onCycle.has(edge.to);
    picture.append(svg("path", { class: cycle ? "edge cycle" : "edge", d: path, "marker-end": "url(#wait-head)" }));
    if (placed.x === undefined) return;
    const text = wrap(edge.why, kLineLength);
    const top = placed.y! - (text.length * kLineHeight) / 2;
    picture.append(
      svg("rect", {
        class: "behind",
        x: placed.x - widthOf(text) / 2,
        y: top,
        width: widthOf(text),
        height: text.length * kLineHeight,
      }),
      ...text.map((line, at) => svg("text", { class: "why", x: placed.x, y: top + 11 + at * kLineHeight }, line)),
    );
  });
  for (const node of chosen) {
    const {
      x,
      y,
      width: boxWidth,
      height: boxHeight,
    } = dagre.node(String(node)) as { x: number; y: number; width: number; height: number };
    const text = lines.get(node)!;
    const cycle = onCycle.has(node);
    picture.append(
      svg("rect", {
        class: `node ${graph.nodes[node].kind === "task" ? "" : "thing"} ${cycle ? "cycle" : ""}`,
        x: x - boxWidth / 2,
        y: y - boxHeight / 2,
        width: boxWidth,
        height: boxHeight,
        rx: graph.nodes[node].kind === "task" ? 3 : 12,
      }),
      ...text.map((line, index) =>
        svg(
          "text",
          {
            class: index === 0 ? "name" : "state",
            x: x - boxWidth / 2 + 10,
            y: y - boxHeight / 2 + 16 + index * kLineHeight,
          },
          line,
        ),
      ),
    );
  }
  const notes = [
    onCycle.size > 0 ? "Strong: the circle of those who wait for each other." : "",
    chosen.length < graph.nodes.length
      ? `${countText(chosen.length)} of ${countText(graph.nodes.length)} are drawn, those of the circle and next to it first.`
      : "",
  ].filter((each) => each !== "");
  return [h("div", { class: "graph-box" }, picture), h("p", { class: "faint" }, notes.join(" "))];
}

function widthOf(lines: string[]): number {
  return Math.max(...lines.map((line) => line.length)) * kCharacter;
}

function wrap(text: string, length: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + word.length + 1 > length) {
      lines.push(line);
      line = "";
    }
    line = line === "" ? word : `${line} ${word}`;
  }
  if (line !== "") lines.push(line);
  return lines;
}
