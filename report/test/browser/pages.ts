// Opens reports in Debian's Chromium, and keeps watch over all of them: an error on the console, an exception or a
// request that leaves the file fails the test.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type Browser, type Page } from "playwright-core";
import type { ReportDocument } from "../../src/data.ts";
import type { TestHook } from "../../src/test_hook.ts";

declare global {
  interface Window {
    podsimReport: TestHook;
  }
}

const kChromium = process.env.PODSIM_CHROMIUM ?? "/usr/bin/chromium";
const kPlace = "@PODSIM_DATA@";

export class Pages {
  private browser: Browser | undefined;
  private readonly folder = mkdtempSync(join(tmpdir(), "podsim-report-"));
  private readonly complaints: string[] = [];
  private files = 0;

  async start(): Promise<void> {
    assert.ok(existsSync(kChromium), `${kChromium} is missing: scripts/setup --tests installs it`);
    this.browser = await chromium.launch({
      executablePath: kChromium,
      args: ["--headless", "--no-sandbox", "--disable-gpu"],
    });
  }

  async stop(): Promise<void> {
    await this.browser?.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  // Closes all pages; what has gone wrong on them.
  async close(): Promise<string[]> {
    for (const context of this.browser!.contexts()) await context.close();
    return this.complaints.splice(0);
  }

  // The page with `document` inside, put in as podsim does it.
  async open(
    document: ReportDocument | string,
    options: { dark?: boolean; width?: number; height?: number } = {},
  ): Promise<Page> {
    return this.openAddress(this.write(typeof document === "string" ? document : JSON.stringify(document)), options);
  }

  // The address of a page with this data.
  write(json: string): string {
    const template = readFileSync(new URL("../../dist/report.html", import.meta.url), "utf8");
    const file = this.path();
    writeFileSync(
      file,
      template.replace(kPlace, () => json.replaceAll("<", "\\u003c")),
    );
    return `file://${file}`;
  }

  async openAddress(address: string, { dark = false, width = 1400, height = 900 } = {}): Promise<Page> {
    const page = await this.browser!.newPage({ viewport: { width, height }, colorScheme: dark ? "dark" : "light" });
    page.setDefaultTimeout(60_000);
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning")
        this.complaints.push(`console: ${message.text()}`);
    });
    page.on("pageerror", (error) => this.complaints.push(`exception: ${error.message}`));
    page.on("request", (request) => {
      if (!/^(file|data|blob):/.test(request.url())) this.complaints.push(`request: ${request.url()}`);
    });
    await page.goto(address);
    return page;
  }

  // A report that podsim itself writes. Runs that fail have an exit code of their own.
  report(args: string[], expectedCode = 0): string {
    const file = this.path();
    this.podsim([...args, "--report", file], expectedCode);
    return file;
  }

  podsim(args: string[], expectedCode = 0): void {
    const podsim = process.env.PODSIM_BINARY;
    assert.ok(podsim, "PODSIM_BINARY must name the program");
    let code = 0;
    try {
      execFileSync(podsim, args, { stdio: "pipe", cwd: process.env.PODSIM_SOURCE_DIR });
    } catch (error) {
      code = (error as { status: number }).status;
    }
    assert.equal(code, expectedCode, `podsim ${args.join(" ")}`);
  }

  // Of a file that goes with the others.
  path(): string {
    return join(this.folder, `${++this.files}.html`);
  }
}

export async function ready(page: Page): Promise<Page> {
  await page.waitForFunction(() => window.podsimReport !== undefined);
  await settled(page);
  return page;
}

// After the next picture.
export async function settled(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
}

// Colours on the timeline's canvas, "#rrggbb", at places in pixels of the browser's window.
export async function coloursAt(page: Page, places: { x: number; y: number }[]): Promise<string[]> {
  await settled(page);
  return page.evaluate((asked) => {
    const { canvas } = window.podsimReport.timeline;
    const box = canvas.getBoundingClientRect();
    const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", { willReadFrequently: true })!;
    copy.drawImage(canvas, 0, 0);
    return asked.map(({ x, y }) => {
      const [r, g, b] = copy.getImageData(Math.floor(x - box.left), Math.floor(y - box.top), 1, 1).data;
      return `#${[r, g, b].map((each) => each.toString(16).padStart(2, "0")).join("")}`;
    });
  }, places);
}

export function difference(a: string, b: string): number {
  return Math.max(
    ...[1, 3, 5].map((at) => Math.abs(parseInt(a.slice(at, at + 2), 16) - parseInt(b.slice(at, at + 2), 16))),
  );
}
