// @ts-check

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { assertSame, consumer, run, script, tool } from "./harness.js";

/** @param {string} folder */
async function assertReport(folder) {
  await assertSame(JSON.parse(readFileSync(join(folder, "report.json"), "utf8")));
}

/**
 * @param {string} folder
 * @param {string} spec
 * @param {Record<string, string>} env
 */
function jest(folder, spec, env = {}) {
  writeFileSync(join(folder, "jest.config.json"), JSON.stringify({ testMatch: [`**/${spec}`], transform: {} }));
  // `--watchman=false`: it would look for a service of the machine's.
  return run(process.execPath, [script("jest"), "--ci", "--runInBand", "--watchman=false"], { cwd: folder, env });
}

test("Jest: CommonJS, as it comes", async () => {
  const folder = await consumer("jest");
  const entryPoints = ["matrix/probe.js", "fixtures.js"];
  const outExtension = { ".js": ".cjs" };
  await tool("esbuild").build({
    absWorkingDir: folder,
    entryPoints,
    bundle: true,
    format: "cjs",
    outdir: ".",
    outExtension,
  });
  await jest(folder, "vectors.spec.cjs");
  await assertReport(folder);
});

test("Jest: ES modules", async () => {
  const folder = await consumer("jest");
  await jest(folder, "vectors.spec.mjs", { NODE_OPTIONS: "--experimental-vm-modules --no-warnings" });
  await assertReport(folder);
});

test("Vitest", async () => {
  const folder = await consumer("vitest");
  const config = { test: { globals: true, include: ["vectors.spec.js"] } };
  writeFileSync(join(folder, "vitest.config.js"), `export default ${JSON.stringify(config)};\n`);
  await run(process.execPath, [script("vitest"), "run"], { cwd: folder });
  await assertReport(folder);
});

test("Vitest: the package processed by Vite instead of Node", async () => {
  const folder = await consumer("vitest");
  const config = { test: { globals: true, include: ["vectors.spec.js"], server: { deps: { inline: true } } } };
  writeFileSync(join(folder, "vitest.config.js"), `export default ${JSON.stringify(config)};\n`);
  await run(process.execPath, [script("vitest"), "run"], { cwd: folder });
  await assertReport(folder);
});
