// Builds the page: one HTML file with all script and style inside, into which podsim puts its data. `node build.mjs
// [FILE]`.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const target = process.argv[2] ?? join(here, "dist", "report.html");

async function bundle(entry, options) {
  const result = await build({
    absWorkingDir: here,
    entryPoints: [entry],
    bundle: true,
    write: false,
    minify: true,
    charset: "utf8",
    legalComments: "inline",
    logLevel: "warning",
    ...options,
  });
  return result.outputFiles[0].text.trim();
}

const script = await bundle("src/main.ts", { format: "iife", target: "es2021" });
const style = await bundle("src/style.css", { target: "chrome100" });
if (script.includes("</script")) throw new Error("the script would end its own element");

// Every copy of these libraries has to come with its licence.
const licences = ["uplot", "@dagrejs/dagre", "@dagrejs/graphlib"]
  .map(
    (name) =>
      `This file contains ${name}:\n\n${readFileSync(join(here, "node_modules", name, "LICENSE"), "utf8").trim()}`,
  )
  .join("\n\n");
if (licences.includes("--")) throw new Error("a licence would end the comment that it stands in");

// Only this script may run in the page: its hash goes into the content security policy.
const hash = createHash("sha256").update(script, "utf8").digest("base64");
const page = readFileSync(join(here, "src/page.html"), "utf8")
  .replace("@SCRIPT_HASH@", () => `sha256-${hash}`)
  .replace("@STYLE@", () => style)
  .replace("@SCRIPT@", () => script)
  .replace("@LICENCES@", () => licences);
mkdirSync(dirname(target), { recursive: true });
writeFileSync(target, page);
