import assert from "node:assert/strict";
import test from "node:test";
import { packRows, Row } from "../../src/rows.ts";

const times = (...values: number[]) => Float64Array.from(values);

// Minimal standard generator of Park and Miller: the same numbers everywhere.
function randoms(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 48271) % 2147483647;
    return state % below;
  };
}

test("a span inside another gets the next row, one after another the same", () => {
  const rows = packRows([2, 1, 0, 3], times(0, 1, 4, 10), times(10, 3, 6, 12));
  assert.deepEqual(
    rows.map((row) => [...row.spans]),
    [
      [0, 3],
      [1, 2],
    ],
  );
});

test("of two that begin together the longer is the outer one", () => {
  const rows = packRows([0, 1], times(0, 0), times(5, 9));
  assert.deepEqual(
    rows.map((row) => [...row.spans]),
    [[1], [0]],
  );
});

test("no rows overlap, whatever the spans", () => {
  const random = randoms(7);
  const begin = Float64Array.from({ length: 500 }, () => random(1000));
  const end = begin.map((each) => each + random(40));
  const rows = packRows([...begin.keys()], begin, end);
  assert.equal(
    rows.reduce((sum, row) => sum + row.length, 0),
    500,
  );
  for (const row of rows) for (let i = 1; i < row.length; ++i) assert.ok(row.begins[i] >= row.ends[i - 1]);
});

test("bisection and busy time are those of going through all spans", () => {
  const random = randoms(11);
  const begin: number[] = [];
  const end: number[] = [];
  for (let at = 0, i = 0; i < 300; ++i) {
    at += random(5);
    begin.push(at);
    at += random(7);
    end.push(at);
  }
  const row = new Row([...begin.keys()], Float64Array.from(begin), Float64Array.from(end));
  for (let i = 0; i < 400; ++i) {
    const from = random(1500);
    const to = from + random(300);
    const first = end.findIndex((each) => each > from);
    assert.equal(row.firstEndingAfter(from), first < 0 ? 300 : first);
    const busy = begin.reduce(
      (sum, each, span) => sum + Math.max(0, Math.min(to, end[span]) - Math.max(from, each)),
      0,
    );
    assert.equal(row.busy(from, to), busy);
  }
});

test("what lies at a time, or near it", () => {
  const row = new Row([0, 1], times(10, 50), times(20, 50));
  assert.equal(row.at(15), 0);
  assert.equal(row.at(30), -1);
  assert.equal(row.at(48, 3), 1);
  assert.equal(row.at(22, 3), 0);
});
