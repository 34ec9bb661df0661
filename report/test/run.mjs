// Builds the tests named and runs them with Node's own runner: `node test/run.mjs units`, `browser` or `runs`.
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const which = process.argv[2];
const target = join(here, "..", ".test-build", which);
rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });
const tests = readdirSync(join(here, which)).filter((name) => name.endsWith(".test.ts"));
await build({
  entryPoints: tests.map((name) => join(here, which, name)),
  bundle: true,
  format: "esm",
  platform: "node",
  packages: which === "units" ? "bundle" : "external",
  sourcemap: "inline",
  outdir: target,
  outExtension: { ".js": ".mjs" },
  logLevel: "warning",
});
const files = tests.map((name) => join(target, name.replace(/\.ts$/, ".mjs")));
const { status } = spawnSync(process.execPath, ["--enable-source-maps", "--test", ...files], { stdio: "inherit" });
process.exit(status ?? 1);
