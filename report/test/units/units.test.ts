import assert from "node:assert/strict";
import test from "node:test";
import { bytesText, digits, niceStep, percentText, rateText, timeText, timeTicks } from "../../src/units.ts";

test("times are in the unit of which there is at least one", () => {
  assert.equal(timeText(0), "0 ps");
  assert.equal(timeText(999), "999 ps");
  assert.equal(timeText(1_000), "1 ns");
  assert.equal(timeText(21_233_514), "21.23 us");
  assert.equal(timeText(85_153_310_329), "85.15 ms");
  assert.equal(timeText(1.5e12), "1.5 s");
});

test("numbers have four digits and no empty decimals", () => {
  assert.equal(digits(1234.5), "1235");
  assert.equal(digits(0.012345), "0.01235");
  assert.equal(digits(100), "100");
  assert.equal(digits(-2.5), "-2.5");
});

test("sizes are binary, rates decimal", () => {
  assert.equal(bytesText(65_536), "64 KiB");
  assert.equal(bytesText(100), "100 B");
  assert.equal(rateText(45e9), "45 GB/s");
  assert.equal(rateText(1.638e12), "1.638 TB/s");
  assert.equal(percentText(0.0512), "5.1 %");
  assert.equal(percentText(0.97), "97 %");
});

test("steps of an axis are 1, 2 or 5 times a power of ten", () => {
  assert.deepEqual([1, 1.1, 2.1, 5.1, 99, 0.03].map(niceStep), [1, 2, 5, 10, 100, 0.05]);
});

test("ticks of an axis tell times apart, in one unit", () => {
  const ticks = timeTicks(0, 6e6, 6);
  assert.deepEqual(
    ticks.map((tick) => tick.text),
    ["0 us", "1 us", "2 us", "3 us", "4 us", "5 us", "6 us"],
  );
  const narrow = timeTicks(145e6, 145.01e6, 5);
  assert.equal(new Set(narrow.map((tick) => tick.text)).size, narrow.length);
  for (const tick of narrow) assert.ok(tick.time >= 145e6 && tick.time <= 145.01e6);
  assert.deepEqual(timeTicks(5, 5, 3), []);
});
