// @ts-check

import assert from "node:assert/strict";
import { test } from "node:test";

import { assertSame, assertSound, binary, consumer, expected, lastLine, run } from "./harness.js";

test("Node: import", async () => {
  assertSound(await expected());
});

test("Node: require", async () => {
  const folder = await consumer("node-cjs");
  await assertSame(lastLine(await run(process.execPath, ["main.cjs"], { cwd: folder })));
});

test("Node: require and import share one copy", async () => {
  const folder = await consumer("node-cjs");
  const same = lastLine(await run(process.execPath, ["identity.mjs"], { cwd: folder }));
  assert.deepEqual(same, { isSameClass: true, isInstance: true });
});

test("Node: the CommonJS file, for tools without `module-sync`", async () => {
  const folder = await consumer("node-cjs");
  await assertSame(lastLine(await run(process.execPath, ["old.cjs"], { cwd: folder })));
});

test("Deno, without any permission", async () => {
  const deno = await binary("@deno", "deno");
  const folder = await consumer("deno");
  const args = ["run", "--no-prompt", "--no-remote", "--node-modules-dir=manual", "main.js"];
  await assertSame(lastLine(await run(deno, args, { cwd: folder, env: { DENO_DIR: `${folder}/.deno` } })));
});

test("Bun", async () => {
  const bun = await binary("@oven", "bin/bun");
  const folder = await consumer("bun");
  await assertSame(lastLine(await run(bun, ["--no-install", "main.js"], { cwd: folder })));
});
