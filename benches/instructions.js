// How many instructions the native core takes for each byte of JSON, counted by callgrind: a regression shows without
// noise. Hash maps have random keys, so the second decimal moves. Valgrind's processor has no SHA extensions.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { inputOf, SIZES } from "./inputs.js";

const VALGRIND = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"];
const COLLECTED = /Collected : (\d+)/;

const folder = mkdtempSync(join(tmpdir(), "prompt-strata-"));

/** The instructions of a process that assembles `count` times. */
function instructions(file, count, hash) {
  const runner = `target."cfg(all())".runner=${JSON.stringify(VALGRIND)}`;
  const cargo = ["bench", "--quiet", "--bench", "native", "--config", runner, "--", file, String(count), hash];
  const { stderr, status } = spawnSync("cargo", cargo, { encoding: "utf8" });
  const collected = COLLECTED.exec(stderr);
  assert.ok(status === 0 && collected, stderr);
  return Number(collected[1]);
}

/** Of one assembly, without the start of the process: two more assemblies tell. */
const ofOne = (file, hash) => (instructions(file, 3, hash) - instructions(file, 1, hash)) / 2;

console.log("Instructions of the native core per byte of JSON, by callgrind; hashing in software\n");
console.log("layers       JSON bytes       all  without hashing");
for (const [size, bytes] of SIZES) {
  const json = JSON.stringify(inputOf(bytes));
  const file = join(folder, `${bytes}.json`);
  writeFileSync(file, json);
  const perByte = (hash) => (ofOne(file, hash) / Buffer.byteLength(json)).toFixed(2);
  const cells = [String(Buffer.byteLength(json)).padStart(14), perByte("hash").padStart(8), perByte("none").padStart(15)];
  console.log([size.padEnd(7), ...cells].join("  "));
}
rmSync(folder, { recursive: true });
