// @ts-check

import assert from "node:assert/strict";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";

import {
  assertSame,
  closeBrowser,
  consumer,
  freePort,
  lastLine,
  run,
  script,
  serve,
  start,
  tool,
  visit,
} from "./harness.js";

after(closeBrowser);

/**
 * Opens a bundle in Chromium.
 *
 * @param {string} folder
 * @param {string} file
 */
async function visitBundle(folder, file) {
  const icon = '<link rel="icon" href="data:,">';
  const page = `<!doctype html><meta charset="utf-8">${icon}<script type="module" src="${file}"></script>`;
  writeFileSync(join(folder, "index.html"), page);
  const site = await serve(folder);
  try {
    await assertSame(await visit(`${site.url}/index.html`));
  } finally {
    await site.close();
  }
}

/** @param {string} folder */
function assertAsset(folder) {
  const assets = readdirSync(folder, { recursive: true }).filter((name) => String(name).endsWith(".wasm"));
  assert.equal(assets.length, 1, `${assets.length} .wasm files in the bundle`);
}

const ESBUILD = { bundle: true, minify: true, format: "esm", logLevel: "silent" };

test("esbuild: for the browser", async () => {
  const folder = await consumer("app");
  await tool("esbuild").build({ ...ESBUILD, absWorkingDir: folder, entryPoints: ["main.js"], outdir: "dist" });
  await visitBundle(join(folder, "dist"), "main.js");
});

for (const format of ["esm", "cjs"]) {
  test(`esbuild: for Node, as ${format}`, async () => {
    const folder = await consumer("app");
    const outfile = `dist/server.${format === "esm" ? "mjs" : "cjs"}`;
    const options = { ...ESBUILD, platform: "node", format, outfile };
    await tool("esbuild").build({ ...options, absWorkingDir: folder, entryPoints: ["server.js"] });
    await assertSame(lastLine(await run(process.execPath, [outfile], { cwd: folder })));
  });
}

/**
 * webpack's interface, which is rspack's too.
 *
 * @param {any} bundler
 * @param {Record<string, unknown>} options
 */
function pack(bundler, options) {
  const settled = new Promise((accept, reject) => {
    bundler(
      { mode: "production", devtool: false, performance: { hints: false }, ...options },
      (/** @type {any} */ error, /** @type {any} */ stats) => {
        if (error) return reject(error);
        const { errors, warnings } = stats.toJson({ all: false, errors: true, warnings: true });
        accept([...errors, ...warnings].map(({ message }) => message));
      },
    );
  });
  return settled.then((complaints) => assert.deepEqual(complaints, []));
}

/** @type {[string, () => any][]} */
const PACKERS = [
  ["webpack 5", () => tool("webpack")],
  ["rspack", () => tool("@rspack/core").rspack],
];

for (const [name, load] of PACKERS) {
  test(`${name}: for the browser`, async () => {
    const folder = await consumer("app");
    await pack(load(), {
      context: folder,
      entry: "./main.js",
      output: { path: join(folder, "dist"), filename: "main.js" },
    });
    await visitBundle(join(folder, "dist"), "main.js");
  });

  test(`${name}: prompt-strata/web, with core.wasm as an asset`, async () => {
    const folder = await consumer("app");
    await pack(load(), {
      context: folder,
      entry: "./web.js",
      output: { path: join(folder, "dist"), filename: "web.js" },
    });
    assertAsset(join(folder, "dist"));
    await visitBundle(join(folder, "dist"), "web.js");
  });

  test(`${name}: for Node`, async () => {
    const folder = await consumer("app");
    const output = { path: join(folder, "dist"), filename: "server.cjs" };
    await pack(load(), { context: folder, target: "node", entry: "./server.js", output });
    await assertSame(lastLine(await run(process.execPath, ["dist/server.cjs"], { cwd: folder })));
  });
}

test("Rollup: for the browser", async () => {
  const folder = await consumer("app");
  /** @type {string[]} */
  const warnings = [];
  const bundle = await tool("rollup").rollup({
    input: join(folder, "main.js"),
    plugins: [tool("@rollup/plugin-node-resolve").default({ browser: true })],
    onwarn: (/** @type {{ message: string }} */ warning) => warnings.push(warning.message),
  });
  await bundle.write({ dir: join(folder, "dist"), format: "es" });
  await bundle.close();
  assert.deepEqual(warnings, []);
  await visitBundle(join(folder, "dist"), "main.js");
});

/**
 * @param {string} folder
 * @param {string[]} args
 */
function vite(folder, args) {
  return run(process.execPath, [script("vite"), ...args], { cwd: folder });
}

for (const page of ["index.html", "web.html"]) {
  test(`Vite: the development server, ${page}`, async () => {
    const folder = await consumer("app");
    const port = String(await freePort());
    const args = [script("vite"), "--host", "127.0.0.1", "--port", port, "--strictPort", "--logLevel", "info"];
    const server = await start(process.execPath, args, { cwd: folder, ready: /ready in/ });
    try {
      await assertSame(await visit(`http://127.0.0.1:${port}/${page}`));
    } finally {
      await server.stop();
    }
  });
}

test("Vite: the production build", async () => {
  const folder = await consumer("app");
  await vite(folder, ["build"]);
  const site = await serve(join(folder, "dist"));
  try {
    await assertSame(await visit(`${site.url}/index.html`));
  } finally {
    await site.close();
  }
});

test("Vite: the production build of prompt-strata/web, with core.wasm as an asset", async () => {
  const folder = await consumer("app");
  const config = "export default { build: { rollupOptions: { input: 'web.html' } } };\n";
  writeFileSync(join(folder, "vite.config.js"), config);
  await vite(folder, ["build"]);
  assertAsset(join(folder, "dist"));
  const site = await serve(join(folder, "dist"));
  try {
    await assertSame(await visit(`${site.url}/web.html`));
  } finally {
    await site.close();
  }
});

test("Vite: server-side rendering with noExternal", async () => {
  const folder = await consumer("app");
  writeFileSync(join(folder, "vite.config.js"), "export default { ssr: { noExternal: true } };\n");
  await vite(folder, ["build", "--ssr", "server.js"]);
  await assertSame(lastLine(await run(process.execPath, ["dist/server.js"], { cwd: folder })));
});
