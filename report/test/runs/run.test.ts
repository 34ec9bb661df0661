// Reports that podsim writes of real runs: what is drawn is what their data says, and what the run's JSON says.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test, { after, afterEach, before } from "node:test";
import type { Page } from "playwright-core";
import type { ReportDocument } from "../../src/data.ts";
import { kLaneColours } from "../../src/palette.ts";
import { coloursAt, difference, Pages, ready } from "../browser/pages.ts";

const pages = new Pages();
before(() => pages.start());
after(() => pages.stop());
afterEach(async () => assert.deepEqual(await pages.close(), []));

interface Report {
  page: Page;
  data: ReportDocument;
}

async function reportOf(args: string[], code = 0): Promise<Report> {
  const file = pages.report(args, code);
  const [, json] = readFileSync(file, "utf8").match(/id="podsim-data">(.*?)<\/script>/s)!;
  return {
    page: await ready(await pages.openAddress(`file://${file}`, { width: 1600, height: 1400 })),
    data: JSON.parse(json) as ReportDocument,
  };
}

const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);

test("a run's spans and arrows are drawn where they were", async () => {
  const { page, data } = await reportOf(["run", "configs/runs/quickstart.yaml"]);
  assert.equal(data.groups.filter((group) => group.kind === "chip").length, 16);
  assert.ok(data.spans.begin.length > 1000);
  await page.keyboard.press("c"); // full colours
  await page.evaluate(() => {
    const { timeline } = window.podsimReport; // all rows high enough to be met
    timeline.model.groups[0].lanes.forEach((lane) => timeline.toggleLane(lane));
  });
  await page.keyboard.press("r");
  await page.keyboard.press("r"); // no arrows
  const frame = await page.evaluate(() => {
    const { timeline } = window.podsimReport;
    const { left, plotWidth } = timeline.frame();
    return {
      left: left + timeline.canvas.getBoundingClientRect().left,
      plotWidth,
      from: timeline.window.from,
      to: timeline.window.to,
    };
  });
  const x = (time: number) => frame.left + ((time - frame.from) / (frame.to - frame.from)) * frame.plotWidth;
  // Those of the first chip, which is open, that are wide enough to be met for sure, on lanes of a colour of their own.
  const canvas = (await page.locator(".timeline-canvas").boundingBox())!;
  const boxes = await page.evaluate(() =>
    Array.from({ length: window.podsimReport.model.spanCount }, (_, span) => window.podsimReport.spanBox(span) ?? null),
  );
  const wide = boxes.flatMap((box, span) => {
    const lane = data.lanes[data.spans.lane[span]];
    const fits =
      box !== null &&
      lane.group === 0 &&
      lane.kind !== "program" &&
      box.width > 8 &&
      box.height > 10 &&
      box.y + box.height < canvas.y + canvas.height;
    return fits ? [span] : [];
  });
  assert.ok(wide.length > 20, `${wide.length} spans to look at`);
  // A span inside another stands a row lower: each has its own place. Low enough to be below the name.
  const places = wide.map((span) => ({
    x: x(data.spans.begin[span]) + 3,
    y: boxes[span]!.y + boxes[span]!.height - 2,
  }));
  const colours = await coloursAt(page, places);
  wide.forEach((span, index) => {
    const expected = kLaneColours[data.lanes[data.spans.lane[span]].kind];
    assert.ok(difference(colours[index], expected) < 12, `span ${span}: ${colours[index]}, not ${expected}`);
  });
  // Every arrow has both ends, and leads forwards.
  const { from, to } = data.arrows!;
  assert.ok(from.length > 100);
  from.forEach((source, arrow) => assert.ok(data.spans.end[source] <= data.spans.begin[to[arrow]]));
  await page.keyboard.press("r");
  const visible = await page.evaluate(() => {
    window.podsimReport.frameTime(); // drawn, not just asked for
    return window.podsimReport.timeline.lastArrows.visible;
  });
  assert.ok(visible > 0);
});

test("figures are those of the run", async () => {
  const { page, data } = await reportOf(["run", "configs/runs/quickstart.yaml"]);
  const times = data.run.results!.map((step) => step.time_ps);
  assert.equal(times.length, 5);
  assert.equal(sum(data.critical_path!.shares.map((share) => share.time)), sum(times));
  await page.getByRole("tab", { name: "Steps", exact: true }).click();
  const rows = await page.locator("#part-steps tbody tr").allTextContents();
  assert.equal(rows.length, 5);
  for (const name of ["all_gather", "reduce_scatter", "all_reduce", "all_to_all", "collective_permute"]) {
    assert.ok(
      rows.some((row) => row.includes(name)),
      name,
    );
  }
  // Over the whole run each link has been as busy as its steps say together.
  const { width, slices, use } = data.links_use!;
  assert.equal(use.length, slices);
  const link = data.pod!.links.findIndex((each) => each.from === 0 && each.to === 1);
  const bySlices = sum(use.map((slice) => slice[link] * width));
  const bySteps = sum(
    data.run.results!.map(
      (step) => step.links!.find((each) => each.from === 0 && each.to === 1)!.busy_fraction * step.time_ps,
    ),
  );
  assert.ok(Math.abs(bySlices / bySteps - 1) < 0.02, `${bySlices} ${bySteps}`);
  for (const tab of await page.getByRole("tab").all()) await tab.click();
});

test("a hang's report has its text and the graph of who waits", async () => {
  const { page, data } = await reportOf(["run", "configs/runs/failures/three-in-a-circle.yaml"], 4);
  assert.equal(data.failure!.kind, "deadlock");
  assert.deepEqual(data.failure!.chips, [0, 1, 2]);
  assert.match((await page.locator(".run-line .outcome").textContent())!, /deadlock/);
  assert.match((await page.locator("#part-failure pre").textContent())!, /wait for a REGULAR semaphore/);
  assert.equal(await page.locator(".wait-graph .node.cycle").count(), 6);
  for (const tab of await page.getByRole("tab").all()) await tab.click();
});

test("two runs compared stand on one axis, with their own figures", async () => {
  const results = ["torus", "ring"].map((algorithm) => {
    const file = `${pages.path()}.json`;
    const sizes = ["-b", "256KiB", "-e", "256KiB"];
    const bench = ["bench", "all_gather", "--pod", "tpu-v5e-4x4", ...sizes, "--algorithm", algorithm];
    pages.podsim([...bench, "--json", file, "--timeline"]);
    return file;
  });
  const { page, data } = await reportOf(["compare", ...results]);
  const [a, b] = results.map((file) => (JSON.parse(readFileSync(file, "utf8")) as { time_ps: number }).time_ps);
  assert.equal(sum(data.critical_path!.shares.map((share) => share.time)), a);
  assert.equal(sum(data.compared!.critical_path!.shares.map((share) => share.time)), b);
  assert.match((await page.locator(".verdict").textContent())!, a < b ? /more than A/ : /less than A/);
  assert.equal(await page.evaluate(() => window.podsimReport.model.paths.length), 2);
  await page.getByRole("tab", { name: "Comparison", exact: true }).click();
  assert.match((await page.locator("#part-compare").textContent())!, /link serialisation/);
});
