// @ts-check

// Fresh consumer folders with the packed tarball inside, and the tools and browsers that run them.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { delimiter, dirname, extname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export const HERE = fileURLToPath(new URL(".", import.meta.url));
const ROOT = resolve(HERE, "../..");
const TOOLS = join(HERE, "node_modules");
const scratch = mkdtempSync(join(tmpdir(), "prompt-strata-matrix-"));

// Bundlers look for one in the folders above, and what lies about in there is not ours.
writeFileSync(join(scratch, "tsconfig.json"), "{}");

process.on("exit", () => rmSync(scratch, { recursive: true, force: true, maxRetries: 3 }));

/** @typedef {import("./probe.js").Report} Report */

/**
 * Runs a program to its end; standard output is the answer. It fails with all that was printed.
 *
 * @param {string} program
 * @param {string[]} args
 * @param {{ cwd?: string, env?: Record<string, string | undefined>, seconds?: number }} [options]
 * @returns {Promise<string>}
 */
export function run(program, args, { cwd = HERE, env = {}, seconds = 180 } = {}) {
  return new Promise((accept, reject) => {
    const child = spawn(program, args, {
      cwd,
      env: { ...process.env, ...QUIET, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let [out, err] = ["", ""];
    child.stdout.setEncoding("utf8").on("data", (text) => (out += text));
    child.stderr.setEncoding("utf8").on("data", (text) => (err += text));
    const timer = setTimeout(() => child.kill("SIGKILL"), seconds * 1000);
    const command = [program, ...args].join(" ");
    child.on("error", (error) => reject(new Error(`\`${command}\` could not be started: ${error.message}`)));
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      if (code === 0) return accept(out);
      const how = signal === "SIGKILL" ? `did not end within ${seconds} s` : `failed (${code ?? signal})`;
      reject(new Error(`\`${command}\` ${how}\n${tail(out)}\n${tail(err)}`));
    });
  });
}

/** No colours, no news, no telemetry; the test runner's own settings are not the tools'. */
const QUIET = {
  NO_COLOR: "1",
  FORCE_COLOR: undefined,
  NODE_OPTIONS: undefined,
  NODE_TEST_CONTEXT: undefined,
  NODE_ENV: undefined,
  CI: "true",
  DENO_NO_UPDATE_CHECK: "1",
  DO_NOT_TRACK: "1",
  NEXT_TELEMETRY_DISABLED: "1",
  WRANGLER_SEND_METRICS: "false",
};

/** @param {string} text */
function tail(text) {
  return text.length > 8000 ? `…${text.slice(-8000)}` : text;
}

/** @type {Promise<string> | undefined} */
let packed;

/** The tarball under test: the one `TARBALL` names, or one packed now. */
export function tarball() {
  packed ??= findTarball();
  return packed;
}

async function findTarball() {
  const given = process.env.TARBALL;
  if (given) {
    const path = resolve(given);
    assert.ok(existsSync(path), `TARBALL names ${given}, which is not there`);
    return path;
  }
  assert.ok(existsSync(join(ROOT, "pkg/dist/inline.js")), "the package is not built: run `cargo xtask build`");
  await run(npm(), ["pack", "--pack-destination", scratch, "--loglevel=error"], { cwd: join(ROOT, "pkg") });
  const name = readdirSync(scratch).find((entry) => entry.endsWith(".tgz"));
  assert.ok(name, "npm pack made no tarball");
  return join(scratch, name);
}

export function npm() {
  return process.platform === "win32" ? "npm.cmd" : "npm";
}

/**
 * A fresh folder with the tarball installed, the probe, the vectors, and what `consumers/<name>` holds.
 *
 * @param {string} name
 * @param {{ tools?: string[], copied?: string[], from?: string }} [options] `tools` are linked from this folder's
 *   node_modules, `copied` are copied with all they depend on, for tools that mind links out of the project.
 */
export async function consumer(name, { tools = [], copied = [], from = join(HERE, "consumers", name) } = {}) {
  const folder = mkdtempSync(join(scratch, `${name}-`));
  if (existsSync(from))
    cpSync(from, folder, { recursive: true, filter: (path) => !/node_modules|\.next/.test(path.slice(from.length)) });
  const modules = join(folder, "node_modules");
  const target = join(modules, "prompt-strata");
  mkdirSync(target, { recursive: true });
  await run("tar", ["-xzf", await tarball(), "-C", target, "--strip-components=1"]);
  for (const file of ["matrix/probe.js", "js/vectors.js"]) cpSync(join(HERE, "..", file), join(folder, file));
  writeFileSync(
    join(folder, "fixtures.js"),
    `export default JSON.parse(${JSON.stringify(JSON.stringify(vectors()))});\n`,
  );
  if (!existsSync(join(folder, "package.json"))) {
    const dependencies = { "prompt-strata": "0.1.0" };
    writeFileSync(join(folder, "package.json"), JSON.stringify({ name, private: true, type: "module", dependencies }));
  }
  for (const tool of tools) link(tool, modules);
  for (const tool of copied) {
    assertInstalled(tool);
    copyTool(tool, modules, TOOLS);
  }
  return folder;
}

/** The conformance vectors, by file. */
function vectors() {
  const folder = join(ROOT, "tests/conformance");
  const names = readdirSync(folder).filter((name) => name.endsWith(".jsonl"));
  const linesOf = (/** @type {string} */ name) => readFileSync(join(folder, name), "utf8").trim().split("\n");
  return Object.fromEntries(names.map((name) => [name, linesOf(name).map((line) => JSON.parse(line))]));
}

/** @param {string} tool */
function assertInstalled(tool) {
  assert.ok(existsSync(join(TOOLS, tool)), `${tool} is not installed: run \`npm ci\` in tests/matrix`);
}

/**
 * @param {string} tool
 * @param {string} modules
 */
function link(tool, modules) {
  assertInstalled(tool);
  const source = join(TOOLS, tool);
  mkdirSync(dirname(join(modules, tool)), { recursive: true });
  symlinkSync(source, join(modules, tool), "junction");
}

/**
 * @param {string} tool
 * @param {string} modules
 * @param {string} near Where its dependents are, for a version of their own.
 */
function copyTool(tool, modules, near) {
  const nested = join(near, "node_modules", tool);
  const source = existsSync(nested) ? nested : join(TOOLS, tool);
  if (existsSync(join(modules, tool)) || !existsSync(source)) return;
  cpSync(source, join(modules, tool), { recursive: true });
  const { dependencies = {}, optionalDependencies = {} } = JSON.parse(
    readFileSync(join(source, "package.json"), "utf8"),
  );
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) copyTool(name, modules, source);
}

/**
 * The program of a tool written in JavaScript, by the name in its package's `bin`.
 *
 * @param {string} tool
 * @param {string} [bin]
 */
export function script(tool, bin = tool) {
  assertInstalled(tool);
  const { bin: programs } = JSON.parse(readFileSync(join(TOOLS, tool, "package.json"), "utf8"));
  return join(TOOLS, tool, typeof programs === "string" ? programs : programs[bin]);
}

/**
 * A tool as a library, from this folder's node_modules.
 *
 * @param {string} name
 * @returns {any}
 */
export function tool(name) {
  assertInstalled(name);
  return createRequire(import.meta.url)(name);
}

/**
 * A runtime that npm packages hold: its own after an install script, that of the platform without one.
 *
 * @param {"deno" | "bun"} name
 * @returns {Promise<string>}
 */
export async function runtime(name) {
  const [scope, own, file] = name === "bun" ? ["@oven", "bun/bin", "bin/bun"] : ["@deno", "deno", "deno"];
  const folder = join(TOOLS, scope);
  const platforms = existsSync(folder) ? readdirSync(folder).map((entry) => join(folder, entry, file)) : [];
  for (const path of [...platforms, join(TOOLS, own, name)]) {
    // Bun's is called bun.exe everywhere.
    for (const program of [path, `${path}.exe`]) {
      if (existsSync(program) && (await isRunning(program))) return program;
    }
  }
  return assert.fail(
    `${name} cannot be had here: no npm package in tests/matrix/node_modules holds one that runs on ` +
      `${process.platform}-${process.arch}; run \`npm ci\` in tests/matrix`,
  );
}

/** @param {string} program */
function isRunning(program) {
  return run(program, ["--version"]).then(
    () => true,
    () => false,
  );
}

/** @type {Promise<Report> | undefined} */
let reference;

/** What Node gives for `import`; every other environment has to give the same. */
export function expected() {
  reference ??= consumer("app").then(async (folder) =>
    JSON.parse(await run(process.execPath, ["server.js"], { cwd: folder })),
  );
  return reference;
}

/**
 * @param {unknown} report
 */
export async function assertSame(report) {
  const want = await expected();
  assertSound(want);
  assert.deepEqual(report, want);
}

/** @param {Report} report */
export function assertSound(report) {
  assert.deepEqual(report.vectors.failures, []);
  assert.ok(report.vectors.count >= 439, `only ${report.vectors.count} vectors were run`);
  assert.match(report.vectors.digest, /^[0-9a-f]{64}$/);
  const { message, ...bad } = report.bad;
  assert.deepEqual(bad, {
    name: "StrataError",
    code: "unknown-field",
    path: "layers[1].content.gaurdrails",
    isError: true,
  });
  assert.match(String(message), /gaurdrails/);
  assert.equal(report.isSameAfter, true);
  assert.equal(report.turn[1], "freed-handle");
}

/**
 * The report a program printed as its last line.
 *
 * @param {string} output
 * @returns {Report}
 */
export function lastLine(output) {
  const line = output.trimEnd().split("\n").at(-1) ?? "";
  try {
    return JSON.parse(line);
  } catch {
    return assert.fail(`no report was printed:\n${tail(output)}`);
  }
}

/** Where the system keeps Chromium. */
function findChromium() {
  const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];
  for (const folder of (process.env.PATH ?? "").split(delimiter)) {
    for (const name of names) {
      const path = join(folder, name);
      if (existsSync(path)) return path;
    }
  }
  return assert.fail(
    "this browser cannot be had here: no Chromium is on the path; install the system's package `chromium`",
  );
}

/** @type {Promise<any> | undefined} */
let chromium;

/** A real Chromium with an empty profile; one for all the tests of a file. */
export function browser() {
  chromium ??= tool("playwright-core").chromium.launch({
    executablePath: process.env.CHROMIUM ?? findChromium(),
    args: [
      "--headless",
      "--no-sandbox",
      "--disable-gpu",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
  return /** @type {Promise<any>} */ (chromium);
}

export async function closeBrowser() {
  if (chromium) await (await chromium).close();
  chromium = undefined;
}

/**
 * Opens a page and gives what its script leaves in `globalThis.report`; an error on the page is the failure.
 *
 * @param {string} url
 * @returns {Promise<any>}
 */
export async function visit(url) {
  const context = await (await browser()).newContext();
  const page = await context.newPage();
  /** @type {string[]} */
  const log = [];
  page.on("pageerror", (/** @type {Error} */ error) => log.push(String(error)));
  page.on("console", (/** @type {any} */ message) => log.push(message.text()));
  page.on("requestfailed", (/** @type {any} */ request) => log.push(`failed: ${request.url()}`));
  try {
    await page.goto(url, { timeout: 60_000 });
    // Asked again and again from outside: waiting inside the page needs `eval`, which a page may forbid.
    for (const end = Date.now() + 60_000; Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 20))) {
      const report = await page.evaluate("globalThis.report");
      if (report) return report;
    }
    return assert.fail(`${url} left no report:\n${log.join("\n")}`);
  } finally {
    await context.close();
  }
}

const TYPES = /** @type {Record<string, string>} */ ({
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".wasm": "application/wasm",
});

/**
 * Serves a folder on this machine, as a plain static host would.
 *
 * @param {string} folder
 * @param {Record<string, string>} [headers]
 */
export async function serve(folder, headers = {}) {
  /** @type {string[]} */
  const requests = [];
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? "/", "http://localhost").pathname;
    requests.push(path);
    const file = join(folder, path.endsWith("/") ? `${path}index.html` : path);
    if (!file.startsWith(folder) || !existsSync(file)) return response.writeHead(404).end();
    response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream", ...headers });
    response.end(readFileSync(file));
  });
  await new Promise((accept) => server.listen(0, "127.0.0.1", () => accept(undefined)));
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  const close = () => {
    server.closeAllConnections();
    return new Promise((accept) => server.close(accept));
  };
  return { url: `http://127.0.0.1:${port}`, requests, close };
}

/**
 * Starts a program that stays, and waits until `ready` matches what it prints; its first group is the answer.
 *
 * @param {string} program
 * @param {string[]} args
 * @param {{ cwd: string, ready: RegExp, env?: Record<string, string | undefined>, seconds?: number }} options
 * @returns {Promise<{ found: string, stop: () => Promise<void>, output: () => string }>}
 */
export function start(program, args, { cwd, ready, env = {}, seconds = 90 }) {
  return new Promise((accept, reject) => {
    const child = spawn(program, args, {
      cwd,
      env: { ...process.env, ...QUIET, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    const ended = new Promise((over) => child.once("close", over));
    const stop = async () => {
      child.kill("SIGTERM");
      const timer = setTimeout(() => child.kill("SIGKILL"), 5000);
      await ended;
      clearTimeout(timer);
    };
    const give = (/** @type {string} */ why) => {
      clearTimeout(timer);
      void stop();
      reject(new Error(`\`${[program, ...args].join(" ")}\` ${why}\n${tail(output)}`));
    };
    const timer = setTimeout(() => give(`was not ready within ${seconds} s`), seconds * 1000);
    const read = (/** @type {string} */ text) => {
      output += text;
      const found = ready.exec(output);
      if (!found) return;
      clearTimeout(timer);
      accept({ found: found[1] ?? found[0], stop, output: () => output });
    };
    child.stdout.setEncoding("utf8").on("data", read);
    child.stderr.setEncoding("utf8").on("data", read);
    child.once("error", (error) => give(`could not be started: ${error.message}`));
    child.once("exit", (code) => give(`ended too early (${code})`));
  });
}

/** A port that nobody has just now. */
export async function freePort() {
  const server = createServer();
  await new Promise((accept) => server.listen(0, "127.0.0.1", () => accept(undefined)));
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  await new Promise((accept) => server.close(accept));
  return port;
}
