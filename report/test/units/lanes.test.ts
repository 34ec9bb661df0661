import assert from "node:assert/strict";
import test from "node:test";
import { LaneLayout, pairedOrder } from "../../src/lanes.ts";
import { Model } from "../../src/model.ts";
import { fixture } from "../fixture.ts";

const model = new Model(fixture());
const newLayout = () => new LaneLayout(model.groups, model.lanes);

test("strips follow each other without a gap", () => {
  const layout = newLayout();
  let bottom = 0;
  for (const strip of layout.strips) {
    assert.equal(strip.top, bottom);
    bottom += strip.height;
  }
  assert.equal(layout.height, bottom);
});

test("lanes on which nothing happened are shown when asked for", () => {
  const layout = newLayout();
  const lanes = () => layout.strips.filter((strip) => strip.kind === "lane").length;
  assert.equal(lanes(), model.lanes.length - layout.emptyLanes);
  layout.showEmpty = true;
  layout.arrange();
  assert.equal(lanes(), model.lanes.length);
});

test("a collapsed group is one strip, and its lanes are inside it", () => {
  const layout = newLayout();
  layout.toggle(3);
  const strips = layout.strips.filter((strip) => strip.group === 3);
  assert.deepEqual(
    strips.map((strip) => strip.kind),
    ["miniature"],
  );
  for (const lane of model.groups[3].lanes) {
    if (model.lanes[lane].rows.length === 0) continue;
    const box = layout.rowBox(lane, 0)!;
    assert.ok(box.top >= strips[0].top && box.top + box.height <= strips[0].top + strips[0].height);
    const middle = layout.rowMiddle(lane, 0);
    assert.ok(middle >= box.top && middle <= box.top + box.height);
  }
});

test("as many groups are open as fit, at least as many as asked for", () => {
  const layout = newLayout();
  layout.openWhatFits(700, [], 1);
  assert.ok(layout.height <= 700);
  assert.ok(!layout.collapsed[0] && layout.collapsed[15]);
  layout.openWhatFits(10, [5], 1);
  assert.deepEqual(
    layout.collapsed.flatMap((collapsed, group) => (collapsed ? [] : [group])),
    [5],
  );
});

test("tracks are rows of one lane, low until it is opened", () => {
  const tracks = fixture({ shape: [1], wrap: false });
  for (const number of [2, 3, 4]) tracks.lanes.push({ group: 0, name: `DMA 0 channel 0 (${number})`, kind: "dma" });
  const copies = tracks.lanes.length - 3;
  for (const lane of [copies, copies + 1, copies + 2]) {
    const [begin, end] = [0, tracks.end];
    for (const column of Object.values(tracks.spans)) column.push(-1);
    const last = tracks.spans.lane.length - 1;
    [tracks.spans.lane[last], tracks.spans.begin[last], tracks.spans.end[last]] = [lane, begin, end];
  }
  const merged = new Model(tracks);
  const lane = merged.lanes.findIndex((each) => each.name === "DMA 0 channel 0");
  assert.equal(merged.lanes.length, tracks.lanes.length - 3);
  assert.equal(merged.lanes[lane].rows.length, 4);
  const layout = new LaneLayout(merged.groups, merged.lanes);
  const low = layout.rowBox(lane, 0)!.height;
  layout.toggleLane(lane);
  assert.ok(layout.rowBox(lane, 0)!.height > low);
  for (const row of [0, 3]) {
    const { top, height } = layout.rowBox(lane, row)!;
    assert.ok(Math.abs(layout.rowMiddle(lane, row) - (top + height / 2)) < 1e-9);
  }
});

test("what is at a height", () => {
  const layout = newLayout();
  for (const strip of layout.strips) assert.equal(layout.stripAt(strip.top + strip.height / 2), strip);
  assert.equal(layout.stripAt(layout.height + 1), undefined);
});

test("of a comparison each chip stands beside its like", () => {
  const both = new Model({ ...fixture({ shape: [2, 2] }), compared: fixture({ shape: [2, 2] }) });
  assert.deepEqual(pairedOrder(both.groups), [0, 4, 1, 5, 2, 6, 3, 7]);
});
