// Proves that the page in dist/ is what the sources build, byte for byte.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const report = join(dirname(fileURLToPath(import.meta.url)), "..");
const rebuilt = join(report, ".test-build", "report.html");
const { status } = spawnSync(process.execPath, [join(report, "build.mjs"), rebuilt], { stdio: "inherit" });
if (status !== 0) process.exit(status ?? 1);
if (!readFileSync(rebuilt).equals(readFileSync(join(report, "dist", "report.html")))) {
  console.error(
    "report/dist/report.html is not what report/ builds: run `npm ci && npm run build` there, and commit it",
  );
  process.exit(1);
}
console.log("report/dist/report.html is what report/ builds");
