import assert from "node:assert/strict";
import test from "node:test";
import { TimeWindow } from "../../src/window.ts";

test("zooming leaves the time under the pointer where it is", () => {
  const window = new TimeWindow(1e9);
  window.set(2e8, 6e8);
  const share = (3e8 - window.from) / window.width;
  window.zoom(0.5, 3e8);
  assert.equal(window.width, 2e8);
  assert.ok(Math.abs((3e8 - window.from) / window.width - share) < 1e-9);
});

test("one can neither leave the run nor zoom below a nanosecond", () => {
  const window = new TimeWindow(1e9);
  window.pan(1e12);
  assert.ok(window.to <= 1e9 * 1.05);
  window.pan(-1e12);
  assert.ok(window.from >= -1e9 * 0.05);
  window.zoom(1e-12, 5e8);
  assert.ok(window.width >= 1e3 * (1 - 1e-9));
  window.zoom(1e12, 5e8);
  assert.ok(window.from <= 0 && window.to >= 1e9);
});

test("a run of no time can be shown", () => {
  const window = new TimeWindow(1);
  window.zoom(0.1, 0);
  assert.ok(window.width > 0);
});
