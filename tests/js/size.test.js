// @ts-check

// What the package weighs, against its budget.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import zlib from "node:zlib";

import { dist, packageFolder } from "./repository.js";

const KILOBYTE = 1024;
const BUDGET = { "core.wasm": 60 * KILOBYTE, "inline.js": 71 * KILOBYTE };
const UNPACKED = 1024 * KILOBYTE;

/** @param {string} name */
function weigh(name) {
  const bytes = readFileSync(join(dist, name));
  const { constants } = zlib;
  const brotli = zlib.brotliCompressSync(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  });
  return { raw: bytes.length, gzip: zlib.gzipSync(bytes, { level: 9 }).length, brotli: brotli.length };
}

/** What `npm pack` would put into the tarball. */
function pack() {
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  const parameters = ["pack", "--dry-run", "--json", "--ignore-scripts", "--offline"];
  const printed = execFileSync(npm, parameters, {
    cwd: packageFolder,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  const listed = JSON.parse(printed);
  // A list, and an object by name in newer versions.
  const [tarball] = Object.values(listed);
  return /** @type {{ size: number, unpackedSize: number, files: { path: string, size: number }[] }} */ (tarball);
}

const weights = Object.fromEntries(
  ["core.wasm", "inline.js", "index.cjs", "web.js", "workerd.js", "edge-light.js", "errors.js"].map((name) => [
    name,
    weigh(name),
  ]),
);
const tarball = pack();

test("the table", (context) => {
  const columns = ["file", "raw", "gzip", "brotli", "budget"];
  const rows = Object.entries(weights).map(([name, { raw, gzip, brotli }]) => [
    name,
    raw,
    gzip,
    brotli,
    BUDGET[/** @type {keyof typeof BUDGET} */ (name)] ?? "",
  ]);
  const line = (/** @type {(string | number)[]} */ cells) =>
    cells.map((cell, index) => (index === 0 ? String(cell).padEnd(14) : String(cell).padStart(9))).join("");
  for (const row of [columns, ...rows, ["tarball", tarball.unpackedSize, tarball.size, "", UNPACKED]]) {
    context.diagnostic(line(row));
  }
});

for (const [name, budget] of Object.entries(BUDGET)) {
  test(`${name} is within its budget`, () => {
    const { raw, brotli } = weights[name];
    assert.ok(raw > KILOBYTE, `${name} is not what it should be: ${raw} bytes`);
    assert.ok(brotli <= budget, `${brotli} bytes of brotli, ${brotli - budget} over the budget`);
  });
}

test("the tarball is within its budget", () => {
  assert.ok(tarball.unpackedSize <= UNPACKED, `${tarball.unpackedSize} bytes unpacked`);
});

test("the tarball holds what the package needs, and no more", () => {
  const names = tarball.files.map(({ path }) => path).sort();
  const entries = Object.keys(weights).map((name) => `dist/${name}`);
  const types = ["dist/index.d.ts", "dist/index.d.cts", "dist/web.d.ts"];
  assert.deepEqual(names, [...entries, ...types, "LICENSE", "README.md", "package.json"].sort());
  for (const { path, size } of tarball.files) assert.ok(size > 0, `${path} is empty`);
});

test("there are no dependencies to install", () => {
  const manifest = JSON.parse(readFileSync(join(packageFolder, "package.json"), "utf8"));
  assert.deepEqual({ ...manifest.dependencies, ...manifest.peerDependencies, ...manifest.optionalDependencies }, {});
});
