import assert from "node:assert/strict";
import test from "node:test";
import { layoutHeatmap, planeCount } from "../../src/heatmap_layout.ts";
import { directionsOf, LinkUse, meanUse } from "../../src/link_use.ts";
import { fixture } from "../fixture.ts";

const whole = { axes: [0, 1] as [number, number], first: 0, count: 1000 };

test("every chip and link of a plane is drawn, the directions of a link apart", () => {
  const pod = fixture({ shape: [4, 4] }).pod!;
  const layout = layoutHeatmap(pod, whole, 900);
  assert.equal(layout.chips.length, 16);
  assert.equal(layout.links.length, pod.links.length);
  assert.equal(new Set(layout.links.map((each) => each.path)).size, pod.links.length);
  assert.equal(new Set(layout.links.map((each) => `${each.middle.x} ${each.middle.y}`)).size, pod.links.length);
});

test("a third axis makes planes, of which some can be chosen", () => {
  const pod = fixture({ shape: [4, 4, 8] }).pod!;
  assert.equal(planeCount(pod, [0, 1]), 8);
  assert.equal(planeCount(pod, [0, 2]), 4);
  const layout = layoutHeatmap(pod, { axes: [0, 1], first: 2, count: 3 }, 900);
  assert.deepEqual(
    layout.planes.map((plane) => plane.title),
    ["z = 2", "z = 3", "z = 4"],
  );
  assert.equal(layout.chips.length, 48);
  assert.equal(layout.links.length, 48 * 6);
});

test("wrap-around links that are twisted say where they come in", () => {
  const straight = layoutHeatmap(fixture({ shape: [4, 4, 8] }).pod!, whole, 900);
  assert.equal(straight.links.filter((each) => each.twist).length, 0);
  const twisted = layoutHeatmap(fixture({ shape: [4, 4, 8], twist: true }).pod!, whole, 900);
  // Both directions of the wraps of x and y: 4 * 8 lines each.
  assert.equal(twisted.links.filter((each) => each.twist).length, 2 * 2 * 32);
});

test("a pod whose links are listed stands on a circle", () => {
  const pod = fixture({ shape: [6], wrap: false }).pod!;
  for (const link of pod.links) [link.axis, link.direction] = ["", ""];
  const layout = layoutHeatmap(pod, whole, 600);
  assert.equal(layout.links.length, pod.links.length);
  const centre = layout.width / 2;
  const radii = layout.chips.map(({ x, y }) => Math.round(Math.hypot(x - centre, y - centre)));
  assert.equal(new Set(radii).size, 1);
});

test("a link's use over the whole run is the mean of its slices, the last one cut by the end", () => {
  const document = fixture({ shape: [2], wrap: false });
  document.end = 25;
  document.links_use = {
    width: 10,
    slices: 3,
    use: [
      [1, 0],
      [0.5, 0],
      [0, 1],
    ],
  };
  const use = new LinkUse(document);
  assert.ok(Math.abs(use.at(0, -1) - 15 / 25) < 1e-12);
  assert.ok(Math.abs(use.at(1, -1) - 5 / 25) < 1e-12);
  assert.equal(use.at(0, 1), 0.5);
  const directions = directionsOf(document.pod!);
  assert.deepEqual(
    directions.map((each) => each.name),
    ["x+", "x-"],
  );
  assert.equal(meanUse(use, [0, 1], 2), 0.5);
});
