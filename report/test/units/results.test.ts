import assert from "node:assert/strict";
import test from "node:test";
import { pairUp } from "../../src/compare.ts";
import { chooseNodes } from "../../src/failure.ts";
import { amountColour, inkOn } from "../../src/palette.ts";
import { roofPoints } from "../../src/roofline.ts";
import { partsOfStep, stepTimes } from "../../src/steps.ts";
import { fixture } from "../fixture.ts";

test("steps have the times that the timeline gives them, and the parts of the critical path inside", () => {
  const document = fixture();
  document.steps = [
    { name: "all_gather", begin: 0, time: document.end / 2, completed: true },
    { name: "matmul", begin: document.end / 2, time: document.end / 2, completed: true },
  ];
  const times = stepTimes(document);
  assert.deepEqual(
    times.map((each) => [each.begin, each.end]),
    [
      [0, document.end / 2],
      [document.end / 2, document.end],
    ],
  );
  for (const time of times) {
    const sum = partsOfStep(document, time).reduce((total, part) => total + part.time, 0);
    assert.ok(Math.abs(sum - (time.end - time.begin)) < 1);
  }
});

test("without a timeline steps follow each other", () => {
  const times = stepTimes(fixture());
  assert.equal(times[1].begin, times[0].end);
});

test("a comparison pairs what has the same name", () => {
  assert.deepEqual(
    pairUp(
      [
        ["x", 1],
        ["y", 2],
        ["x", 3],
      ],
      [
        ["z", 5],
        ["y", 7],
      ],
    ),
    [
      { name: "x", a: 4, b: 0 },
      { name: "y", a: 2, b: 7 },
      { name: "z", a: 0, b: 5 },
    ],
  );
});

test("of a large graph of waits the circle is drawn and what is next to it", () => {
  const nodes = Array.from({ length: 100 }, (_, index) => ({ kind: "task", name: `chip ${index}`, state: "" }));
  const edges = nodes.map((_, index) => ({ from: index, to: (index + 1) % 100, why: "" }));
  const chosen = chooseNodes({ nodes, edges, cycle: [40, 41, 42] }, 5);
  assert.deepEqual(chosen, [39, 40, 41, 42, 43]);
  assert.equal(chooseNodes({ nodes, edges }, 200).length, 100);
});

test("a kernel's ceilings are its figures over their shares", () => {
  const [point] = roofPoints(fixture());
  assert.equal(point.name, "matmul 512 x 512 x 512 bf16");
  assert.ok(Math.abs(point.peak_tflops - 270 / 0.3) < 1e-9);
  assert.ok(Math.abs(point.intensity - 270e3 / 700) < 1e-9);
});

test("text can be read on its ground, and more is further from the page", () => {
  assert.equal(inkOn("#0072b2"), "#ffffff");
  assert.equal(inkOn("#f0e442"), "#000000");
  const brightness = (colour: string) => [1, 3, 5].reduce((sum, at) => sum + parseInt(colour.slice(at, at + 2), 16), 0);
  for (let share = 0; share < 1; share += 0.125) {
    assert.ok(brightness(amountColour(share, false)) > brightness(amountColour(share + 0.125, false)));
    assert.ok(brightness(amountColour(share, true)) < brightness(amountColour(share + 0.125, true)));
  }
});
