// @ts-check

// Cloudflare's runtime: what wrangler would upload, in the runtime that would run it.

import { mkdirSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

import { run, script, tool } from "./harness.js";

/**
 * Bundles a folder with a wrangler.toml as a deployment would.
 *
 * @param {string} folder
 * @returns {Promise<{ type: "ESModule" | "CompiledWasm", path: string, contents: string | Uint8Array }[]>}
 */
export async function bundleWorker(folder) {
  const home = join(folder, ".home");
  mkdirSync(home, { recursive: true });
  const env = {
    HOME: home,
    XDG_CONFIG_HOME: home,
    WRANGLER_HIDE_BANNER: "true",
    WRANGLER_LOG_PATH: join(home, "logs"),
  };
  const out = join(folder, "uploaded");
  await run(process.execPath, [script("wrangler"), "deploy", "--dry-run", "--outdir", out], { cwd: folder, env });
  const main = readdirSync(out).filter((name) => name.endsWith(".js"));
  const wasm = readdirSync(out).filter((name) => name.endsWith(".wasm"));
  return [
    ...main.map((path) => ({
      type: /** @type {const} */ ("ESModule"),
      path,
      contents: readFileSync(join(out, path), "utf8"),
    })),
    ...wasm.map((path) => ({
      type: /** @type {const} */ ("CompiledWasm"),
      path,
      contents: readFileSync(join(out, path)),
    })),
  ];
}

/**
 * @param {string} folder
 * @returns {Promise<{ url: string, stop: () => Promise<void> }>}
 */
export async function startWorker(folder) {
  const modules = await bundleWorker(folder);
  const { Miniflare } = tool("miniflare");
  const worker = new Miniflare({ modules, compatibilityDate: "2026-04-01", cf: false });
  const url = String(await worker.ready).replace(/\/$/, "");
  return { url, stop: () => worker.dispose() };
}
