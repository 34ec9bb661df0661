// The page in a browser, on made-up data whose every figure is known.

import assert from "node:assert/strict";
import test, { after, afterEach, before } from "node:test";
import type { Page } from "playwright-core";
import { amountColour, kLaneColours } from "../../src/palette.ts";
import { bigFixture, fixture } from "../fixture.ts";
import { coloursAt, difference, Pages, ready, settled } from "./pages.ts";

const pages = new Pages();
before(() => pages.start());
after(() => pages.stop());
afterEach(async () => assert.deepEqual(await pages.close(), []));

const part = (page: Page, name: string) => page.getByRole("tab", { name, exact: true }).click();
const timesShown = (page: Page) =>
  page.evaluate(() => ({ from: window.podsimReport.timeline.window.from, to: window.podsimReport.timeline.window.to }));

test("spans are drawn where the data says, and nothing where there is none", async () => {
  const data = fixture();
  const page = await ready(await pages.open(data));
  await page.keyboard.press("c"); // the critical path's light off: full colours
  await page.keyboard.press("r");
  await page.keyboard.press("r"); // no arrows
  const { from, to } = await timesShown(page);
  const canvas = (await page.locator(".timeline-canvas").boundingBox())!;
  const left = canvas.x + 190;
  const x = (time: number) => left + ((time - from) / (to - from)) * (canvas.width - 190);
  // Chip 0 is open: its matrix unit computes in each turn, and rests for the rest of it.
  const lane = data.lanes.findIndex((each) => each.group === 0 && each.kind === "mxu");
  const spans = data.spans.lane.map((_, index) => index).filter((index) => data.spans.lane[index] === lane);
  assert.equal(spans.length, 12);
  const box = (await page.evaluate((span) => window.podsimReport.spanBox(span), spans[0]))!;
  const y = box.y + box.height - 3; // below the name
  const inside = await coloursAt(
    page,
    spans.map((span) => ({ x: x(data.spans.begin[span] + 30_000), y })),
  );
  for (const colour of inside) assert.ok(difference(colour, kLaneColours.mxu) <= 3, colour);
  const atEnd = await coloursAt(
    page,
    spans.map((span) => ({ x: x(data.spans.end[span]) - 3, y })),
  );
  for (const colour of atEnd) assert.ok(difference(colour, kLaneColours.mxu) <= 3, colour);
  const outside = await coloursAt(
    page,
    spans.map((span) => ({ x: x(data.spans.end[span]) + 3, y })),
  );
  for (const colour of outside) assert.ok(difference(colour, "#ffffff") < 60, colour);
  // What the hook says of boxes is what was found in the picture.
  for (const span of spans) {
    const found = (await page.evaluate((index) => window.podsimReport.spanBox(index), span))!;
    assert.ok(Math.abs(found.x - x(data.spans.begin[span])) < 0.01);
    assert.ok(Math.abs(found.x + found.width - x(data.spans.end[span])) < 0.01);
  }
});

test("an arrow is drawn from the issue's end to the landing's begin", async () => {
  const data = fixture({ shape: [2, 2] });
  const page = await ready(await pages.open(data, { height: 1600 }));
  await page.keyboard.press("c");
  await page.keyboard.press("o");
  const arrow = data.arrows!.from.findIndex((from) => data.spans.lane[from] === 3); // an issue on chip 0, and its landing on chip 1
  const [source, target] = [data.arrows!.from[arrow], data.arrows!.to[arrow]];
  const boxes = await page.evaluate(
    (spans) => spans.map((span) => window.podsimReport.spanBox(span)!),
    [source, target],
  );
  const from = { x: boxes[0].x + boxes[0].width, y: boxes[0].y + boxes[0].height / 2 };
  const to = { x: boxes[1].x, y: boxes[1].y + boxes[1].height / 2 };
  const places = [0.3, 0.5, 0.8].map((share) => ({
    x: from.x + (to.x - from.x) * share,
    y: from.y + (to.y - from.y) * share,
  }));
  const withArrows = await coloursAt(page, places);
  await page.keyboard.press("r");
  await page.keyboard.press("r");
  const without = await coloursAt(page, places);
  places.forEach((_, index) =>
    assert.ok(difference(withArrows[index], without[index]) > 20, `${withArrows[index]} ${without[index]}`),
  );
});

test("wheel, keys and dragging move the window", async () => {
  const page = await ready(await pages.open(fixture()));
  const canvas = (await page.locator(".timeline-canvas").boundingBox())!;
  const pointer = { x: Math.round(canvas.x + 190 + 0.25 * (canvas.width - 190)), y: Math.round(canvas.y + 300) }; // of a mouse
  const timeAt = ({ from, to }: { from: number; to: number }, x: number) =>
    from + ((x - canvas.x - 190) / (canvas.width - 190)) * (to - from);
  await page.mouse.move(pointer.x, pointer.y);
  const before = await timesShown(page);
  await page.mouse.wheel(0, -480);
  await settled(page);
  const zoomed = await timesShown(page);
  assert.ok(Math.abs((zoomed.to - zoomed.from) / (before.to - before.from) - 0.25) < 0.01);
  assert.ok(Math.abs(timeAt(zoomed, pointer.x) - timeAt(before, pointer.x)) < 1);
  await page.mouse.down();
  await page.mouse.move(pointer.x - 100, pointer.y, { steps: 4 });
  await page.mouse.up();
  const dragged = await timesShown(page);
  assert.ok(Math.abs(timeAt(dragged, pointer.x - 100) - timeAt(zoomed, pointer.x)) < (zoomed.to - zoomed.from) * 0.001);
  await page.keyboard.press("w");
  assert.ok((await timesShown(page)).to - (await timesShown(page)).from < (dragged.to - dragged.from) * 0.7);
  await page.keyboard.press("f");
  const whole = await timesShown(page);
  assert.ok(whole.from <= 0 && whole.to >= fixture().end);
  // Shift and drag measures.
  await page.keyboard.down("Shift");
  await page.mouse.move(pointer.x, pointer.y);
  await page.mouse.down();
  await page.mouse.move(pointer.x + 200, pointer.y, { steps: 4 });
  await page.mouse.up();
  await page.keyboard.up("Shift");
  await page.keyboard.press("m");
  const marked = await timesShown(page);
  assert.ok(Math.abs(timeAt(whole, pointer.x) - marked.from) < (whole.to - whole.from) * 0.02);
  assert.ok(Math.abs(timeAt(whole, pointer.x + 200) - marked.to) < (whole.to - whole.from) * 0.02);
});

test("a search finds, counts, steps and dims the others", async () => {
  const data = fixture();
  const page = await ready(await pages.open(data));
  await page.keyboard.press("/");
  await page.keyboard.type("matmul");
  const matmuls = data.spans.name.filter((name) => data.strings[name] === "matmul").length;
  assert.equal(await page.locator(".search .count").textContent(), String(matmuls));
  await page.keyboard.press("Enter");
  assert.equal(await page.locator(".search .count").textContent(), `1 of ${matmuls}`);
  assert.match((await page.locator(".details h3").textContent())!, /matmul/);
  const selected = await page.evaluate(() => window.podsimReport.timeline.selection.span);
  assert.equal(data.strings[data.spans.name[selected]], "matmul");
  await page.keyboard.press("Enter");
  assert.equal(await page.locator(".search .count").textContent(), `2 of ${matmuls}`);
  await page.keyboard.press("Escape");
  await page.keyboard.press("f");
  assert.equal(await page.evaluate(() => window.podsimReport.timeline.selection.isFound), undefined);
});

test("a click shows what a span waited for, and leads there", async () => {
  const data = fixture({ shape: [2, 2] });
  const page = await ready(await pages.open(data));
  await page.keyboard.press("o");
  await settled(page);
  const landing = data.arrows!.to[0];
  const box = (await page.evaluate((span) => window.podsimReport.spanBox(span), landing))!;
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  const details = page.locator(".details");
  assert.match((await details.textContent())!, /land/);
  assert.match((await details.textContent())!, /64 KiB/);
  assert.match((await details.textContent())!, /It waited for/);
  await details.getByRole("button", { name: "issue" }).first().click();
  assert.equal(await page.evaluate(() => window.podsimReport.timeline.selection.span), data.arrows!.from[0]);
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.locator(".tooltip").waitFor({ state: "visible" });
  assert.match((await page.locator(".tooltip").textContent())!, /waited for.*issue on chip 0/);
});

test("the slider shows the links of its slice", async () => {
  const data = fixture();
  const page = await ready(await pages.open(data));
  await part(page, "Links");
  const rgb = (colour: string) => `rgb(${[1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16)).join(", ")})`;
  const stroke = (link: number) =>
    page.locator(`[data-link="${link}"]`).evaluate((path) => getComputedStyle(path).stroke);
  const { use, slices } = data.links_use!;
  const mean = (link: number) => use.reduce((sum, slice) => sum + slice[link], 0) / slices;
  for (const link of [0, 5, 17]) assert.equal(await stroke(link), rgb(amountColour(mean(link), false)));
  for (const slice of [3, 31]) {
    await page.getByRole("slider").fill(String(slice));
    for (const link of [0, 5, 17]) assert.equal(await stroke(link), rgb(amountColour(use[slice][link], false)));
  }
  await page.getByRole("button", { name: "whole run" }).click();
  assert.equal(await stroke(5), rgb(amountColour(mean(5), false)));
});

test("a three-dimensional, twisted pod is drawn by planes", async () => {
  const data = fixture({ shape: [4, 4, 8], twist: true, turns: 2 });
  const page = await ready(await pages.open(data));
  await part(page, "Links");
  assert.equal(await page.locator(".map .plane").count(), 8);
  assert.equal(await page.locator("[data-link]").count(), data.pod!.links.length);
  assert.equal(await page.locator("[data-twist]").count(), 128);
  await page.getByLabel("Axes of a plane").selectOption({ label: "planes x-z" });
  assert.equal(await page.locator(".map .plane").count(), 4);
});

test("dark where the system is, until the reader chooses", async () => {
  const page = await ready(await pages.open(fixture(), { dark: true }));
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  assert.equal(await ground(), "rgb(20, 23, 28)");
  const canvas = (await page.locator(".timeline-canvas").boundingBox())!;
  const corner = [{ x: canvas.x + 3, y: canvas.y + 3 }];
  assert.deepEqual(await coloursAt(page, corner), ["#14171c"]);
  await page.keyboard.press("t");
  assert.equal(await ground(), "rgb(255, 255, 255)");
  assert.deepEqual(await coloursAt(page, corner), ["#ffffff"]);
});

test("tables sort, and lead to the timeline", async () => {
  const page = await ready(await pages.open(fixture()));
  await part(page, "Tables");
  const table = page.locator("#part-tables table").first();
  const column = (index: number) => table.locator(`tbody td:nth-child(${index})`).allTextContents();
  await table.getByRole("button", { name: "count" }).click();
  const counts = (await column(3)).map((text) => Number(text.replaceAll(",", "")));
  assert.deepEqual(
    counts,
    [...counts].sort((a, b) => b - a),
  );
  await table.getByRole("button", { name: "name" }).click();
  const names = await column(1);
  assert.deepEqual(names, [...names].sort());
  await table.getByText("all_gather").click();
  assert.equal(await page.locator(".tabs [aria-selected=true]").textContent(), "Timeline");
});

test("plots draw any series, and the roofline its kernels", async () => {
  const page = await ready(await pages.open(fixture()));
  await part(page, "Plots");
  await page.locator(".uplot").first().waitFor();
  const before = await page.locator(".uplot").count();
  await page.getByRole("checkbox", { name: /queue depth/ }).uncheck();
  assert.equal(await page.locator(".uplot").count(), before - 1);
  await part(page, "Roofline");
  assert.equal(await page.locator(".roofline circle").count(), 1);
});

test("two runs stand on one time axis", async () => {
  const [a, b] = [fixture({ title: "naive", slower: 2 }), fixture({ title: "overlapped" })];
  const page = await ready(await pages.open({ ...a, compared: b }));
  assert.match((await page.locator(".verdict").textContent())!, /B takes .* less than A/);
  const first = a.spans.begin.length;
  const scale = await page.evaluate(
    (spans) =>
      spans.map(
        (span) =>
          window.podsimReport.spanBox(span)!.width /
          (window.podsimReport.model.spans.end[span] - window.podsimReport.model.spans.begin[span]),
      ),
    [0, first],
  );
  assert.ok(Math.abs(scale[0] / scale[1] - 1) < 1e-9);
  await part(page, "Comparison");
  const row = page.locator("#part-compare table").last().locator("tbody tr").first();
  assert.match((await row.textContent())!, /all_gather/);
  assert.match((await row.textContent())!, /100 %/);
});

test("a hang shows its text and the circle of those who wait", async () => {
  const page = await ready(await pages.open(fixture({ shape: [2, 2], hang: true })));
  assert.equal(await page.locator(".tabs [aria-selected=true]").textContent(), "Failure");
  assert.match((await page.locator("#part-failure pre").textContent())!, /nothing is left to happen/);
  assert.equal(await page.locator(".wait-graph .node").count(), 6);
  assert.equal(await page.locator(".wait-graph .edge.cycle").count(), 6);
});

test("print has all parts, on white", async () => {
  const page = await ready(await pages.open(fixture(), { dark: true }));
  const pdf = await page.pdf({ preferCSSPageSize: true });
  assert.ok(pdf.length > 10_000);
  assert.ok((pdf.toString("latin1").match(/\/Type \/Page\b/g) ?? []).length >= 2);
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), "rgb(255, 255, 255)");
  for (const name of ["timeline", "critical-path", "links", "steps", "tables"])
    assert.ok(await page.locator(`#part-${name}`).isVisible(), name);
});

test("names are text, whatever is in them", async () => {
  const data = fixture({ shape: [2, 2], title: "<b>bold</b> & </script><script>document.title='caught'</script>" });
  data.strings[0] = "<img src=x onerror=\"document.title='caught'\">";
  const page = await ready(await pages.open(data));
  assert.equal(await page.locator("h1").textContent(), data.title);
  await part(page, "Tables");
  await page.getByText(data.strings[0]).first().click();
  assert.equal(await page.locator(".details h3").textContent(), data.strings[0]);
  assert.equal(await page.locator("img").count(), 0);
  assert.doesNotMatch(await page.title(), /^caught/);
});

test("a file that was cut short says so", async () => {
  const page = await pages.open('{"format":"podsim-report 1",');
  await page.locator(".notice.bad").waitFor();
  assert.match((await page.locator(".notice.bad").textContent())!, /cut short/);
});

test("a run in which nothing was recorded is no error", async () => {
  const data = fixture({ shape: [2, 2] });
  const empty = { lane: [], begin: [], end: [], name: [], bytes: [], cause: [], detail: [] };
  const page = await ready(
    await pages.open({
      ...data,
      end: 0,
      spans: empty,
      arrows: null,
      series: null,
      links_use: null,
      critical_path: null,
    }),
  );
  assert.match((await page.locator(".toolbar").first().textContent())!, /nothing was recorded/);
  for (const tab of await page.getByRole("tab").all()) await tab.click();
});

test("? lists the keys, and Escape leaves the list", async () => {
  const page = await ready(await pages.open(fixture({ shape: [2, 2] })));
  await page.keyboard.press("?");
  assert.match((await page.locator("dialog").textContent())!, /zoom in/);
  await page.keyboard.press("Escape");
  assert.equal(await page.locator("dialog").isVisible(), false);
  await page.keyboard.press("2");
  assert.notEqual(await page.locator(".tabs [aria-selected=true]").textContent(), "Timeline");
});

test("thousands of chips do not freeze the page", async () => {
  const page = await ready(await pages.open(fixture({ shape: [16, 16, 16], turns: 1 })));
  assert.equal(await page.evaluate(() => window.podsimReport.model.groups.length), 4096);
  await page.keyboard.press("o");
  await part(page, "Links");
  assert.equal(await page.locator("[data-chip]").count(), 1024);
  await page.getByLabel("First plane shown").fill("8");
  await page.keyboard.press("Tab");
  assert.match((await page.locator(".map .plane").first().textContent())!, /z = 8/);
  await part(page, "Tables");
});

// By the processor time of the page's main thread, which parses, computes and, without a GPU, paints the canvas: on an
// idle machine that is the time that passes, on a busy one it is still the page's own.
test("200,000 spans are there within 2 s, and a frame takes less than 50 ms", async (t) => {
  const page = await pages.open("{}"); // a page to measure in
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const seconds = async () =>
    (await session.send("Performance.getMetrics")).metrics.find((each) => each.name === "TaskDuration")!.value;
  await page.goto(pages.write(JSON.stringify(bigFixture(200_000))));
  await page.waitForFunction(() => window.podsimReport !== undefined);
  const load = await seconds();
  assert.ok((await page.evaluate(() => window.podsimReport.model.spanCount)) >= 200_000);
  assert.ok((await page.evaluate(() => window.podsimReport.model.arrowCount)) >= 20_000);
  const frames = 20;
  const shown = await page.evaluate(
    (count) => Array.from({ length: count }, () => window.podsimReport.frameTime()),
    frames,
  );
  const frame = ((await seconds()) - load) / frames;
  t.diagnostic(
    `load ${load.toFixed(2)} s, frame ${(frame * 1e3).toFixed(1)} ms of processor time; frame ${Math.min(...shown).toFixed(1)} ms passed at best`,
  );
  assert.ok(load < 2, `load ${load} s`);
  assert.ok(frame < 0.05, `frame ${frame} s`);
});
