import assert from "node:assert/strict";
import test from "node:test";
import { chooseArrows } from "../../src/arrows.ts";
import { Model } from "../../src/model.ts";
import { bigFixture, fixture } from "../fixture.ts";

const frameOf = (model: Model) => ({
  from: 0,
  to: model.end,
  x: (time: number) => (time / model.end) * 1000,
  y: (span: number) => 5 + 10 * (model.spans.lane[span] % 60),
  top: 0,
  bottom: 600,
});

test("few arrows are all drawn, from the end of their source to the begin of their target", () => {
  const model = new Model(fixture({ shape: [2, 2] }));
  const { drawn, visible } = chooseArrows(model.spans, model.arrows, frameOf(model));
  assert.equal(visible, model.arrowCount);
  assert.equal(drawn.length, model.arrowCount);
  for (const { arrow, x1, x2 } of drawn) {
    assert.equal(x1, (model.spans.end[model.arrows.from[arrow]] / model.end) * 1000);
    assert.equal(x2, (model.spans.begin[model.arrows.to[arrow]] / model.end) * 1000);
  }
});

test("of too many the longest of each place are drawn, and those that are asked for", () => {
  const model = new Model(bigFixture(200_000));
  assert.ok(model.arrowCount > 20_000);
  const wanted = 12_345;
  const { drawn, visible } = chooseArrows(model.spans, model.arrows, frameOf(model), (arrow) => arrow === wanted);
  assert.ok(visible > 20_000);
  assert.ok(drawn.length <= 3000 && drawn.length > 500);
  assert.ok(drawn.some((place) => place.arrow === wanted));
});

test("arrows beside the window, above, below and to lanes not shown are left out", () => {
  const model = new Model(fixture({ shape: [2, 2] }));
  const frame = frameOf(model);
  assert.equal(
    chooseArrows(model.spans, model.arrows, { ...frame, from: model.end * 2, to: model.end * 3 }).visible,
    0,
  );
  assert.equal(chooseArrows(model.spans, model.arrows, { ...frame, top: 5000, bottom: 6000 }).visible, 0);
  assert.equal(chooseArrows(model.spans, model.arrows, { ...frame, y: () => NaN }).visible, 0);
});
