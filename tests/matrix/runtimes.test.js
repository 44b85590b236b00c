// @ts-check

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { assertSame, assertSound, consumer, expected, lastLine, run, runtime, tool } from "./harness.js";
import { startWorker } from "./workers.js";

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
  const deno = await runtime("deno");
  const folder = await consumer("app");
  const args = ["run", "--no-prompt", "--no-remote", "--node-modules-dir=manual", "server.js"];
  await assertSame(lastLine(await run(deno, args, { cwd: folder, env: { DENO_DIR: `${folder}/.deno` } })));
});

test("Bun", async () => {
  const bun = await runtime("bun");
  const folder = await consumer("app");
  await assertSame(lastLine(await run(bun, ["--no-install", "server.js"], { cwd: folder })));
});

test("workerd, bundled by wrangler", async () => {
  const worker = await startWorker(await consumer("workerd"));
  try {
    await assertSame(await (await fetch(worker.url)).json());
  } finally {
    await worker.stop();
  }
});

test("Vercel's edge-runtime, which generates no code", async () => {
  const folder = await consumer("edge");
  /** @type {string[]} */
  const modules = [];
  const built = await tool("esbuild").build({
    absWorkingDir: folder,
    entryPoints: ["main.js"],
    bundle: true,
    write: false,
    format: "iife",
    logLevel: "silent",
    conditions: ["edge-light", "worker", "browser"],
    // As Vercel's bundler does: the compiled module is a global that the host provides.
    plugins: [
      {
        name: "wasm-module",
        setup(/** @type {any} */ build) {
          build.onResolve(
            { filter: /\.wasm\?module$/ },
            (/** @type {{ path: string, resolveDir: string }} */ { path, resolveDir }) => {
              modules.push(join(resolveDir, path.replace("?module", "")));
              return { path, namespace: "wasm-module" };
            },
          );
          build.onLoad({ filter: /.*/, namespace: "wasm-module" }, () => ({ contents: "export default wasm_core;" }));
        },
      },
    ],
  });
  assert.equal(modules.length, 1, "the edge-light entry was not taken");
  const { EdgeRuntime } = tool("edge-runtime");
  const wasm = await WebAssembly.compile(readFileSync(String(modules[0])));
  const edge = new EdgeRuntime({
    codeGeneration: { strings: false, wasm: false },
    extend: (/** @type {any} */ context) => Object.assign(context, { wasm_core: wasm }),
    initialCode: built.outputFiles[0].text,
  });
  assert.throws(() => edge.evaluate("eval('1')"), "code can be generated, so the test shows nothing");
  const response = await edge.dispatchFetch("http://localhost/");
  await assertSame(await response.json());
});
