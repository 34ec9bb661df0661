// Where the chips and links of a pod stand on the heat map, as plain geometry.
//
// A torus is shown by planes of two of its axes. The two directions of a link lie beside each other, each to the right
// of its heading. A wrap-around link leaves the plane at one edge and comes in at the other. Links of the other axes
// are short strokes at their chips. A pod whose links are listed one by one stands on a circle.

import type { Link, PodData } from "./data.ts";

export interface Point {
  x: number;
  y: number;
}

export interface PlacedLink {
  link: number; // index into the pod's links
  path: string; // of an SVG
  middle: Point; // where a pointer meets it
  // Of a link that comes in elsewhere than straight opposite: from where it leaves to where it comes in.
  twist?: { from: Point; to: Point; label: Point };
}

export interface PlacedPlane {
  title: string; // "z = 3"; empty where there is one plane
  left: number;
  top: number;
}

export interface HeatmapLayout {
  width: number;
  height: number;
  node: number; // side of a chip's square
  chips: { chip: number; x: number; y: number }[];
  planes: PlacedPlane[];
  links: PlacedLink[];
}

export interface PlaneChoice {
  axes: [number, number]; // to the right and down
  first: number; // plane
  count: number;
}

const kAxisNames = "xyzw";
const kTitle = 18;
const kOffset = 3; // of a direction from the middle

export function planeCount(pod: PodData, axes: [number, number]): number {
  return pod.shape.reduce((product, size, axis) => (axes.includes(axis) ? product : product * size), 1);
}

export function axisName(pod: PodData, axis: number): string {
  // Names are those that the links have, in the order of axes.
  const named = [...new Set(pod.links.map((link) => link.axis).filter((name) => name))];
  return named.find((name) => name === kAxisNames[axis]) ?? kAxisNames[axis] ?? String(axis);
}

export function isTorus(pod: PodData): boolean {
  return pod.links.every((link) => link.axis);
}

export function layoutHeatmap(pod: PodData, choice: PlaneChoice, room: number): HeatmapLayout {
  return isTorus(pod) ? layoutPlanes(pod, choice, room) : layoutCircle(pod, Math.min(room, 900));
}

function layoutPlanes(pod: PodData, { axes, first, count }: PlaneChoice, room: number): HeatmapLayout {
  const [across, down] = axes;
  const columns = pod.shape[across] ?? 1;
  const rows = pod.shape[down] ?? 1;
  const others = pod.shape.map((_, axis) => axis).filter((axis) => !axes.includes(axis));
  const planes = Math.min(count, planeCount(pod, axes) - first);
  const side = pitchFor(columns, rows, planes, room);
  const node = Math.max(5, Math.min(26, Math.round(side * 0.42)));
  const width = (columns + 1) * side;
  const height = (rows + 1) * side + (others.length > 0 ? kTitle : 0);
  const perRow = Math.max(1, Math.min(planes, Math.floor(room / width)));

  const planeOf = (place: number[]) => others.reduceRight((sum, axis) => sum * pod.shape[axis] + place[axis], 0);
  const corner = (plane: number): Point => ({
    x: ((plane - first) % perRow) * width,
    y: Math.floor((plane - first) / perRow) * height + (others.length > 0 ? kTitle : 0),
  });
  const shown = (place: number[]) => planeOf(place) >= first && planeOf(place) < first + planes;
  const centre = (place: number[]): Point => {
    const { x, y } = corner(planeOf(place));
    return { x: x + ((place[across] ?? 0) + 1) * side, y: y + ((place[down] ?? 0) + 1) * side };
  };
  const place = new Map(pod.chips.map((chip) => [chip.id, chip.coordinates]));

  const layout: HeatmapLayout = {
    width: perRow * width,
    height: Math.ceil(planes / perRow) * height,
    node,
    chips: [],
    planes: [],
    links: [],
  };
  for (let plane = first; plane < first + planes; ++plane) {
    let rest = plane;
    const title = others.map((axis) => {
      const at = rest % pod.shape[axis];
      rest = Math.floor(rest / pod.shape[axis]);
      return `${axisName(pod, axis)} = ${at}`;
    });
    const { x, y } = corner(plane);
    layout.planes.push({ title: title.join(", "), left: x, top: y });
  }
  for (const { id, coordinates } of pod.chips) {
    if (shown(coordinates)) layout.chips.push({ chip: id, ...centre(coordinates) });
  }
  pod.links.forEach((link, index) => {
    const from = place.get(link.from);
    const to = place.get(link.to);
    if (!from || !to || (!shown(from) && !shown(to))) return;
    const axis = kAxisNames.indexOf(link.axis ?? "");
    const sign = link.direction === "-" ? -1 : 1;
    const shape = { side, node, sign };
    if (axis === across || axis === down) {
      const heading = axis === across ? { x: sign, y: 0 } : { x: 0, y: sign };
      layout.links.push(inPlane(index, link, from, to, shown, centre, heading, shape, axis));
    } else if (shown(from)) {
      layout.links.push(outOfPlane(index, centre(from), others.indexOf(axis), shape));
    }
  });
  return layout;
}

interface Shape {
  side: number;
  node: number;
  sign: number;
}

function inPlane(
  index: number,
  _link: Link,
  from: number[],
  to: number[],
  shown: (place: number[]) => boolean,
  centre: (place: number[]) => Point,
  heading: Point,
  { side, node }: Shape,
  axis: number,
): PlacedLink {
  const offset = { x: -heading.y * kOffset, y: heading.x * kOffset };
  const start = shown(from) ? move(centre(from), heading, node / 2 + 1, offset) : undefined;
  const end = shown(to) ? move(centre(to), heading, -node / 2 - 1, offset) : undefined;
  const straight = from.every((each, other) => other === axis || each === to[other]);
  if (
    start &&
    end &&
    straight &&
    Math.abs(from[axis] - to[axis]) === 1 &&
    (end.x - start.x) * heading.x + (end.y - start.y) * heading.y > 0
  ) {
    return {
      link: index,
      path: stroke(start, end, heading),
      middle: { x: (start.x + end.x) / 2, y: (start.y + end.y) / 2 },
    };
  }
  const stub = side * 0.45;
  const out = start && move(start, heading, stub);
  const inwards = end && move(end, heading, -stub);
  const path = `${start ? stroke(start, out!, heading) : ""}${end ? stroke(inwards!, end, heading) : ""}`;
  const middle = start ? move(start, heading, stub / 2) : move(end!, heading, -stub / 2);
  const twist =
    !straight && out && inwards
      ? { from: out, to: inwards, label: move(out, heading, 7, { x: offset.x * 1.2, y: offset.y * 1.2 }) }
      : undefined;
  return { link: index, path, middle, twist };
}

// Upwards to the right for a third axis, to the left for a fourth; and the other way for the lower direction.
function outOfPlane(index: number, at: Point, which: number, { side, node, sign }: Shape): PlacedLink {
  const slant = which === 0 ? 1 : -1;
  const heading = { x: (slant * sign) / Math.SQRT2, y: -sign / Math.SQRT2 };
  const start = move(at, heading, (node / 2) * 1.25);
  const end = move(start, heading, Math.max(4, side * 0.22));
  return {
    link: index,
    path: stroke(start, end, heading),
    middle: { x: (start.x + end.x) / 2, y: (start.y + end.y) / 2 },
  };
}

function layoutCircle(pod: PodData, room: number): HeatmapLayout {
  const centre = room / 2;
  const radius = centre - 30;
  const count = pod.chips.length;
  const node = Math.max(5, Math.min(24, (2 * Math.PI * radius) / count / 2));
  const at = new Map(
    pod.chips.map(({ id }, index) => {
      const angle = (2 * Math.PI * index) / count - Math.PI / 2;
      return [id, { x: centre + radius * Math.cos(angle), y: centre + radius * Math.sin(angle) }];
    }),
  );
  const links = pod.links.map((link, index) => {
    const [a, b] = [at.get(link.from)!, at.get(link.to)!];
    const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
    const heading = { x: (b.x - a.x) / length, y: (b.y - a.y) / length };
    const offset = { x: -heading.y * kOffset, y: heading.x * kOffset };
    const start = move(a, heading, node * 0.7, offset);
    const end = move(b, heading, -node * 0.7, offset);
    return {
      link: index,
      path: stroke(start, end, heading),
      middle: { x: (start.x + end.x) / 2, y: (start.y + end.y) / 2 },
    };
  });
  return {
    width: room,
    height: room,
    node,
    chips: pod.chips.map(({ id }) => ({ chip: id, ...at.get(id)! })),
    planes: [{ title: "", left: 0, top: 0 }],
    links,
  };
}

// Of one plane as large as pleases the eye; of several so that some fit side by side.
function pitchFor(columns: number, rows: number, planes: number, room: number): number {
  const across = planes === 1 ? 1 : Math.min(planes, 4);
  const fitting = room / across / (columns + 1);
  const most = planes === 1 ? Math.min(84, 620 / (rows + 1)) : 48;
  return Math.max(20, Math.floor(Math.min(fitting, most)));
}

function move(point: Point, heading: Point, by: number, offset: Point = { x: 0, y: 0 }): Point {
  return { x: point.x + heading.x * by + offset.x, y: point.y + heading.y * by + offset.y };
}

// A line with half an arrow's head, on the outer side.
function stroke(from: Point, to: Point, heading: Point): string {
  const barb = { x: to.x - heading.x * 4 - heading.y * 3, y: to.y - heading.y * 4 + heading.x * 3 };
  return `M${round(from)}L${round(to)}L${round(barb)}`;
}

function round({ x, y }: Point): string {
  return `${Math.round(x * 10) / 10} ${Math.round(y * 10) / 10}`;
}
