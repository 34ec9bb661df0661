import assert from "node:assert/strict";
import test from "node:test";
import { parseDocument } from "../../src/data.ts";
import { arrowsOf, Model } from "../../src/model.ts";
import { overviewOf } from "../../src/overview.ts";
import { Selection } from "../../src/selection.ts";
import { fixture } from "../fixture.ts";

test("of a comparison both runs are there, the second behind the first", () => {
  const [a, b] = [fixture({ shape: [2, 2] }), fixture({ shape: [2, 2], slower: 2 })];
  const model = new Model({ ...a, compared: b });
  const first = a.spans.begin.length;
  assert.equal(model.spanCount, first + b.spans.begin.length);
  assert.equal(model.end, b.end);
  assert.equal(model.spanName(first), b.strings[b.spans.name[0]]);
  assert.equal(model.groupOf(first).run, 1);
  assert.equal(model.arrows.from[a.arrows!.from.length], first + b.arrows!.from[0]);
  assert.deepEqual(
    model.paths.map((path) => path.run),
    [0, 1],
  );
  assert.equal(model.paths[1].segments[0].span, first + b.critical_path!.segments[0].span);
});

test("every arrow is found from both of its ends", () => {
  const model = new Model(fixture({ shape: [2, 2] }));
  for (let arrow = 0; arrow < model.arrowCount; ++arrow) {
    assert.ok(arrowsOf(model.arrowsOutOf, model.arrows.from[arrow]).includes(arrow));
    assert.ok(arrowsOf(model.arrowsInto, model.arrows.to[arrow]).includes(arrow));
  }
});

test("the overview adds up to the time of the spans", () => {
  const model = new Model(fixture());
  const { kinds, shares } = overviewOf(model, 97);
  const mxu = shares[kinds.indexOf("mxu")];
  // Every chip computes for 300 of each turn's 500 ns at the same time: a slice inside is all busy, one outside not at
  // all.
  const mean = mxu.reduce((sum, share) => sum + share, 0) / 97;
  assert.ok(Math.abs(mean - 0.6) < 0.01, String(mean));
});

test("a search finds names and lanes, in the order of time", () => {
  const document = fixture();
  const model = new Model(document);
  const selection = new Selection(model);
  selection.search("syncwait");
  const waits = document.spans.name.filter((name) => document.strings[name].startsWith("SyncWait")).length;
  assert.equal(selection.found.length, waits);
  for (let i = 1; i < waits; ++i)
    assert.ok(model.spans.begin[selection.found[i]] >= model.spans.begin[selection.found[i - 1]]);
  selection.search("chip 3 (3,0) ici");
  assert.ok(selection.found.length > 0);
  assert.ok([...selection.found].every((span) => model.groupOf(span).name === "chip 3 (3,0)"));
  selection.search("no such thing");
  assert.equal(selection.step(1), -1);
});

test("data of another format is refused in words", () => {
  assert.throws(() => parseDocument('{"format":"podsim-report 2"}'), /reads "podsim-report 1"/);
  assert.throws(() => parseDocument('{"format":'), /cut short/);
  assert.throws(() => parseDocument("null"), /format/);
});
